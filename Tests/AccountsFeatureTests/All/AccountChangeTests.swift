import AviaryDomain
import Foundation
import Testing

@testable import AccountsFeature

@Suite("Managing accounts")
struct AccountChangeTests {
    private let fixture: AccountsFixture

    init() throws { fixture = try AccountsFixture() }

    @Test("A role change ends the sessions of the account")
    func role() async throws {
        let ada = try await fixture.add("ada")
        let session = try await fixture.signIn(ada)
        #expect(try await perform(.role, on: "ada", role: "viewer").outcome == .done)
        #expect(try await fixture.stored(ada).role == "viewer")
        #expect(try await !fixture.isSignedIn(session))
    }

    @Test("An unknown role is rejected", arguments: ["", "emperor"])
    func unknownRole(role: String) async throws {
        let ada = try await fixture.add("ada")
        let (outcome, model) = try await perform(.role, on: "ada", role: role)
        #expect(outcome == .conflict)
        #expect(model.errorMessage != nil)
        #expect(try await fixture.stored(ada).role == "editor")
    }

    @Test("A disabled account is signed out and gets no link, and can be enabled again")
    func disable() async throws {
        let ada = try await fixture.add("ada")
        let session = try await fixture.signIn(ada)
        #expect(try await perform(.disable, on: "ada").outcome == .done)
        #expect(try await fixture.stored(ada).isDisabled)
        #expect(try await !fixture.isSignedIn(session))
        let (outcome, model) = try await perform(.link, on: "ada")
        #expect(outcome == .conflict && model.link == nil)
        #expect(try await perform(.enable, on: "ada").outcome == .done)
        #expect(try await !fixture.stored(ada).isDisabled)
    }

    @Test("Resetting the second factor removes it and ends every session")
    func secondFactor() async throws {
        let ada = try await fixture.add("ada")
        try await fixture.accounts.setSecondFactor(
            "sealed:x", step: 1, recoveryHashes: ["h"], of: ada.id.uuid, by: "test")
        let session = try await fixture.signIn(ada)
        #expect(try await perform(.resetSecondFactor, on: "ada").outcome == .done)
        let stored = try await fixture.stored(ada)
        #expect(stored.oneTimeSecret == nil && stored.recoveryCodes.isEmpty)
        #expect(try await !fixture.isSignedIn(session))
        let event = try #require(try await fixture.events().first { $0.kind == .secondFactorReset })
        #expect(event.account == "zoe" && event.subject == "ada" && event.address == "192.0.2.9")
    }

    /// The actions that a clerk, who is only allowed to manage accounts, requests.
    enum Grant: String, CaseIterable {
        case role, link, secondFactor
    }

    @Test(
        "An account manager cannot grant a role, a link or a factor reset beyond their own role",
        arguments: Grant.allCases)
    func grant(_ grant: Grant) async throws {
        let clerk = Role("clerk", .task(.accounts), .allowEverywhere(.view))
        let max = try await fixture.add("max", role: grant == .role ? "viewer" : "editor")
        try await fixture.accounts.setSecondFactor(
            "sealed:x", step: 1, recoveryHashes: [], of: max.id.uuid, by: "test")
        let before = try await fixture.stored(max).fieldValues
        let principal = Principal(account: UUID(), name: "cleo", role: clerk, epoch: 1)
        var model = try await AccountViewModel(
            name: "max", principal: principal, accounts: fixture.accounts, at: AccountsFixture.now)
        let action: AccountAction =
            switch grant {
            case .role: .role
            case .link: .link
            case .secondFactor: .resetSecondFactor
            }
        #expect(await model.perform(action, role: "editor", from: nil) { _ in "" } == .conflict)
        #expect(model.errorMessage == AccountViewModel.roleBeyondOwn && model.link == nil)
        #expect(try await fixture.stored(max).fieldValues == before)
        var new = try NewAccountViewModel(principal: principal, accounts: fixture.accounts)
        #expect(await new.make(name: "eve", role: "editor", at: AccountsFixture.now) { _ in "" } == .refused)
        #expect(new.account == nil)
        #expect(await new.make(name: "eve", role: "viewer", at: AccountsFixture.now) { _ in "" } == .done)
    }

    @Test("Signing out everywhere ends every session")
    func signOut() async throws {
        let ada = try await fixture.add("ada")
        let sessions = [try await fixture.signIn(ada), try await fixture.signIn(ada)]
        #expect(try await perform(.signOut, on: "ada").outcome == .done)
        for session in sessions { #expect(try await !fixture.isSignedIn(session)) }
    }

    @Test("A new link leaves the password and the sessions unchanged")
    func link() async throws {
        let ada = try await fixture.add("ada")
        let session = try await fixture.signIn(ada)
        let (outcome, model) = try await perform(.link, on: "ada")
        #expect(outcome == .done && model.link == "link of ada")
        #expect(try await fixture.isSignedIn(session))
        #expect(try await fixture.stored(ada).passwordHash != nil)
    }

    @Test(
        "Account management rejects every action on one's own account",
        arguments: AccountAction.allCases)
    func own(action: AccountAction) async throws {
        let zoe = try await admin()
        try await fixture.add("max", role: "admin")
        let before = try await fixture.stored(zoe).fieldValues
        let (outcome, model) = try await perform(action, on: "zoe", role: "viewer")
        #expect(outcome == .conflict)
        #expect(model.errorMessage == AccountViewModel.ownAccount && model.link == nil)
        #expect(try await fixture.stored(zoe).fieldValues == before)
    }

    @Test(
        "The rights of the last admin cannot be removed",
        arguments: [AccountAction.role, .disable])
    func lastAdmin(action: AccountAction) async throws {
        let fixture = fixture
        let zoe = try await admin()
        // The account was an admin when the page was rendered. The session is checked before each request, but not
        // here.
        let former = try await fixture.add("max", role: "viewer")
        let principal = Principal(account: former.id.uuid, name: "max", role: .admin, epoch: 1)
        var model = try await AccountViewModel(
            name: "zoe", principal: principal, accounts: fixture.accounts, at: AccountsFixture.now)
        #expect(await model.perform(action, role: "viewer", from: nil) { _ in "" } == .conflict)
        #expect(model.errorMessage == AccountError.lastAdmin.description)
        let stored = try await fixture.stored(zoe)
        #expect(stored.role == "admin" && !stored.isDisabled)
    }

    @Test("An unknown account is not found", arguments: ["nobody", "", "..", "<b>"])
    func missing(name: String) async throws {
        let principal = try await fixture.principal(try await admin())
        await #expect(throws: AccountError.notFound) {
            try await AccountViewModel(
                name: name, principal: principal, accounts: fixture.accounts, at: AccountsFixture.now)
        }
    }

    private func admin() async throws -> Account {
        if let name = AccountName("zoe"), let account = try await fixture.accounts.account(named: name) {
            return account
        }
        return try await fixture.add("zoe", role: "admin")
    }

    private func perform(
        _ action: AccountAction, on name: String, role: String? = nil
    ) async throws -> (outcome: AccountOutcome, model: AccountViewModel) {
        let principal = try await fixture.principal(try await admin())
        var model = try await AccountViewModel(
            name: name, principal: principal, accounts: fixture.accounts, at: AccountsFixture.now)
        let outcome = await model.perform(action, role: role, from: "192.0.2.9") { "link of " + $0.name }
        return (outcome, model)
    }
}
