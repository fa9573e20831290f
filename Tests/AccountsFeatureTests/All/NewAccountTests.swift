import AviaryDomain
import Foundation
import Testing

@testable import AccountsFeature

@Suite("A new account")
struct NewAccountTests {
    private let fixture: AccountsFixture

    init() throws { fixture = try AccountsFixture() }

    @Test("It has the name in lower case, the role, no password, and a link for choosing one")
    func made() async throws {
        var model = try await form()
        #expect(await make(&model, name: " Ada ", role: "keeper") == .done)
        let stored = try await fixture.stored(try #require(model.account))
        #expect(stored.name == "ada" && stored.role == "keeper" && stored.passwordHash == nil)
        #expect(model.link == "link of ada")
    }

    @Test(
        "A name that is none makes nothing, and is told at its field",
        arguments: ["", "a b", "..", "new", "-x", "<b>", "é"])
    func names(name: String) async throws {
        var model = try await form()
        #expect(await make(&model, name: name) == .refused)
        #expect(model.nameError != nil && model.account == nil)
        #expect(try await fixture.accounts.count() == 1)
    }

    @Test("A name that is taken is told as a conflict, in capitals too", arguments: ["zoe", "ZOE"])
    func taken(name: String) async throws {
        var model = try await form()
        #expect(await make(&model, name: name) == .conflict)
        #expect(model.nameError != nil)
        #expect(model.link == nil)
    }

    @Test("A role that the program does not have is not given")
    func role() async throws {
        var model = try await form()
        #expect(await make(&model, name: "ada", role: "emperor") == .refused)
        #expect(model.roleError != nil)
        #expect(try await fixture.accounts.count() == 1)
    }

    @Test("Where the link cannot be made the account is there all the same, and none is shown")
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
