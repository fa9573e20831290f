import AviaryDomain
import Testing

@testable import AccountsFeature

@Suite("Whether an account may go on with long work")
struct LongWorkTests {
    /// The concurrent changes to the account by somebody else.
    enum Act: String, CaseIterable {
        case disable, signOut, otherRole
    }

    private let fixture: AccountsFixture

    init() throws { fixture = try AccountsFixture() }

    @Test("Nobody goes on who was disabled, signed out everywhere or given another role", arguments: Act.allCases)
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

    @Test("What is done to another account is no reason to stop")
    func other() async throws {
        let ada = try await fixture.add("ada"), eve = try await fixture.add("eve")
        let principal = try await fixture.principal(ada)
        try await fixture.accounts.setDisabled(true, of: eve.id.uuid, by: "zoe")
        #expect(try await fixture.accounts.isGood(principal))
    }
}
