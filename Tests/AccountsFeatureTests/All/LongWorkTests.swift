import AviaryDomain
import Testing

@testable import AccountsFeature

@Suite("Validity of an account during long operations")
struct LongWorkTests {
    /// The concurrent changes to the account by somebody else.
    enum Act: String, CaseIterable {
        case disable, signOut, otherRole
    }

    private let fixture: AccountsFixture

    init() throws { fixture = try AccountsFixture() }

    @Test(
        "A principal is invalid after its account is disabled, signed out everywhere or given another role",
        arguments: Act.allCases)
    func ended(by act: Act) async throws {
        let ada = try await fixture.add("ada"), id = ada.id.uuid, accounts = fixture.accounts
        let principal = try await fixture.principal(ada)
        #expect(try await accounts.isGood(principal))
        switch act {
        case .disable: try await accounts.setDisabled(true, of: id, by: "zoe")
        case .signOut: try await accounts.endSessions(of: id, by: "zoe")
        case .otherRole: try await accounts.setRole("viewer", of: id, by: "zoe")
        }
        #expect(try await !accounts.isGood(principal))
    }

    @Test("A change to another account does not affect the principal")
    func other() async throws {
        let ada = try await fixture.add("ada"), eve = try await fixture.add("eve")
        let principal = try await fixture.principal(ada)
        try await fixture.accounts.setDisabled(true, of: eve.id.uuid, by: "zoe")
        #expect(try await fixture.accounts.isGood(principal))
    }
}
