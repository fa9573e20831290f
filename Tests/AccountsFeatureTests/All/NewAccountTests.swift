import AviaryDomain
import Foundation
import Testing

@testable import AccountsFeature

@Suite("Creating an account")
struct NewAccountTests {
    private let fixture: AccountsFixture

    init() throws { fixture = try AccountsFixture() }

    @Test("A new account has a lowercase name, its role, no password, and a link to set one")
    func made() async throws {
        var model = try await form()
        #expect(await make(&model, name: " Ada ", role: "keeper") == .done)
        let stored = try await fixture.stored(try #require(model.account))
        #expect(stored.name == "ada" && stored.role == "keeper" && stored.passwordHash == nil)
        #expect(model.link == "link of ada")
    }

    @Test(
        "An invalid name creates no account and is reported at its field",
        arguments: ["", "a b", "..", "new", "-x", "<b>", "é"])
    func names(name: String) async throws {
        var model = try await form()
        #expect(await make(&model, name: name) == .refused)
        #expect(model.nameError != nil && model.account == nil)
        #expect(try await fixture.accounts.count() == 1)
    }

    @Test("A name in use is a conflict, ignoring case", arguments: ["zoe", "ZOE"])
    func taken(name: String) async throws {
        var model = try await form()
        #expect(await make(&model, name: name) == .conflict)
        #expect(model.nameError != nil)
        #expect(model.link == nil)
    }

    @Test("An unknown role is rejected")
    func role() async throws {
        var model = try await form()
        #expect(await make(&model, name: "ada", role: "emperor") == .refused)
        #expect(model.roleError != nil)
        #expect(try await fixture.accounts.count() == 1)
    }

    @Test("A failure to create the link does not prevent the account from being created")
    func linkless() async throws {
        var model = try await form()
        let outcome = await model.make(name: "ada", role: "viewer", at: AccountsFixture.now) { _ in
            throw StoreError.busy(retryAfter: 1)
        }
        #expect(outcome == .done)
        #expect(model.account != nil && model.link == nil)
    }

    private func form() async throws -> NewAccountViewModel {
        let admin = try await fixture.add("zoe", role: "admin")
        return try NewAccountViewModel(principal: try await fixture.principal(admin), accounts: fixture.accounts)
    }

    private func make(_ model: inout NewAccountViewModel, name: String, role: String = "viewer") async -> AccountOutcome
    {
        await model.make(name: name, role: role, at: AccountsFixture.now) { "link of " + $0.name }
    }
}
