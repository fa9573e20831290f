import AviaryDomain
import Foundation
import Testing

@testable import AccountsFeature

@Suite("The list of accounts")
struct AccountListTests {
    private let fixture: AccountsFixture

    init() throws { fixture = try AccountsFixture() }

    @Test("An admin sees all accounts by name")
    func sorted() async throws {
        let admin = try await fixture.add("zoe", role: "admin")
        for name in ["mel", "ada"] { try await fixture.add(name) }
        let model = try await AccountListViewModel(
            principal: try await fixture.principal(admin), accounts: fixture.accounts)
        #expect(model.accounts.map(\.name) == ["ada", "mel", "zoe"])
        #expect(model.count == 3 && model.next == nil)
    }

    @Test("The list has pages, and the next page continues after the last name")
    func pages() async throws {
        let admin = try await fixture.add("zoe", role: "admin")
        for number in 100..<160 { try await fixture.add("user\(number)", password: nil) }
        let principal = try await fixture.principal(admin)
        let first = try await AccountListViewModel(principal: principal, accounts: fixture.accounts)
        let second = try await AccountListViewModel(principal: principal, accounts: fixture.accounts, after: first.next)
        #expect(first.accounts.count == 50 && first.count == 61)
        #expect(second.accounts.map(\.name) == (150..<160).map { "user\($0)" } + ["zoe"])
        #expect(second.next == nil)
    }

    @Test(
        "Other roles cannot list, view or create accounts",
        arguments: ["viewer", "editor", "keeper", "a role that is gone"])
    func forbidden(role: String) async throws {
        let account = Account(name: "ada", role: role, passwordHash: nil, createdAt: AccountsFixture.now)
        let principal = try #require(fixture.accounts.principal(of: account))
        await #expect(throws: AccessError.forbidden) {
            try await AccountListViewModel(principal: principal, accounts: fixture.accounts)
        }
        await #expect(throws: AccessError.forbidden) {
            try await AccountViewModel(
                name: "ada", principal: principal, accounts: fixture.accounts, at: AccountsFixture.now)
        }
        #expect(throws: AccessError.forbidden) {
            try NewAccountViewModel(principal: principal, accounts: fixture.accounts)
        }
    }
}
