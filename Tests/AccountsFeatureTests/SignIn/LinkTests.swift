import AviaryDomain
import Foundation
import Testing

@testable import AccountsFeature

@Suite("Links that set a password")
struct LinkTests {
    private let fixture: AccountsFixture
    private let visitor = ClientInfo(session: UUID(), address: "198.51.100.7", userAgent: "")

    init() throws { fixture = try AccountsFixture() }

    @Test("A link sets the password, signs in without a second factor, and ends other sessions")
    func signedIn() async throws {
        let ada = try await fixture.add("ada"), there = try await fixture.signIn(ada)
        var form = try await fixture.link(to: ada)
        guard case .signedIn(let principal) = try await choose(&form) else {
            Issue.record("Nobody is signed in.")
            return
        }
        #expect(principal.name == "ada")
        #expect(try await fixture.stored(ada).passwordHash == "plain " + AccountsFixture.newPassword)
        #expect(try await fixture.isSignedIn(visitor.session))
        #expect(try await !fixture.isSignedIn(there))
    }

    @Test("An account with a second factor is signed in only after its code")
    func secondFactor() async throws {
        let ada = try await fixture.add("ada")
        try await fixture.accounts.setSecondFactor(
            "sealed:\(ada.id.uuid):x", step: 1, recoveryHashes: ["h"], of: ada.id.uuid, by: "test")
        var form = try await fixture.link(to: ada)
        guard case .needsCode(let ticket) = try await choose(&form) else {
            Issue.record("No code is asked for.")
            return
        }
        let stored = try await fixture.stored(ada)
        #expect(ticket.account == ada.id.uuid && ticket.epoch == stored.epoch)
        #expect(stored.oneTimeSecret != nil && stored.recoveryCodes == ["h"])
        #expect(stored.passwordHash == "plain " + AccountsFixture.newPassword)
        #expect(try await !fixture.isSignedIn(visitor.session))
        #expect(try await fixture.events().allSatisfy { $0.kind != .signIn })
    }

    @Test(
        "The creation and the use of a link are events that name its creator and its account", arguments: [true, false])
    func events(hasPassword: Bool) async throws {
        let ada = try await fixture.add("ada", password: hasPassword ? AccountsFixture.password : nil)
        var form = try await fixture.link(to: ada, by: "zoe")
        _ = try await choose(&form)
        let events = try await fixture.events()
        let made = events.first { $0.kind == .linkMade }
        #expect(made?.account == "zoe" && made?.subject == "ada" && made?.address == "192.0.2.9")
        let used = try #require(events.first { $0.kind == (hasPassword ? .passwordSetByLink : .linkUsed) })
        #expect(used.account == "zoe" && used.subject == "ada" && used.address == "198.51.100.7")
        #expect(events.contains { $0.kind == .signIn && $0.account == "ada" })
    }

    @Test("A link is valid once, and its use invalidates all other links of the account")
    func once() async throws {
        let ada = try await fixture.add("ada")
        var form = try await fixture.link(to: ada), copy = form, other = try await fixture.link(to: ada)
        _ = try await choose(&form)
        await #expect(throws: AccountError.linkSpent) { try await choose(&copy) }
        await #expect(throws: AccountError.linkSpent) { try await choose(&other) }
    }

    @Test("A rejected password leaves the link valid")
    func weak() async throws {
        let ada = try await fixture.add("ada")
        var form = try await fixture.link(to: ada)
        for (password, repeated) in [("short", "short"), (AccountsFixture.newPassword, "other")] {
            let outcome = try await form.choose(
                password: password, repeated: repeated, visitor: visitor, at: AccountsFixture.now)
            #expect(outcome == .refused)
            #expect(form.passwordError != nil)
        }
        #expect(try await fixture.stored(ada).passwordHash == "plain " + AccountsFixture.password)
        guard case .signedIn = try await choose(&form) else {
            Issue.record("Nobody is signed in.")
            return
        }
    }

    @Test("A later sign-in reports who created a link and from where it was used")
    func reported() async throws {
        let ada = try await fixture.add("ada")
        _ = try await fixture.signIn(ada, at: AccountsFixture.now.addingTimeInterval(-3600))
        #expect(try await !areNews(to: ada))
        var form = try await fixture.link(
            to: ada, by: "zoe", at: AccountsFixture.now.addingTimeInterval(-10))
        _ = try await choose(&form)
        let later = AccountsFixture.now.addingTimeInterval(3600)
        _ = try await fixture.signIn(ada, at: later)
        #expect(try await areNews(to: ada, at: later))
        // A sign-in by somebody else with the new password does not hide the change.
        let session = try await fixture.signIn(ada, at: later.addingTimeInterval(60))
        #expect(try await areNews(to: ada, at: later.addingTimeInterval(60)))
        let page = try await OwnAccountViewModel(owner: try await fixture.owner(ada, in: session, at: later))
        #expect(
            page.acts.map(\.text) == [
                "A link from zoe was used to change your password, from the address 198.51.100.7.",
                "zoe created a link to set your password, from the address 192.0.2.9.",
            ])
        let html = rendered(OwnAccountView(model: page, csrf: "token", next: LocalPath("/admin/animals")))
        #expect(html.contains("Someone else changed how your account signs in"))
        #expect(html.contains(#"href="/admin/animals""#))
        // Weeks later, after a sign-in in between, the change is no longer reported at sign-in, but it is still on
        // the page.
        let weeks = AccountsFixture.now.addingTimeInterval(30 * 86_400)
        for time in [weeks.addingTimeInterval(-60), weeks] { _ = try await fixture.signIn(ada, at: time) }
        #expect(try await !areNews(to: ada, at: weeks))
    }

    @Test("A first password is not reported, and many new links do not displace other reports")
    func news() async throws {
        let ada = try await fixture.add("ada", password: nil)
        var form = try await fixture.link(to: ada)
        _ = try await choose(&form)
        _ = try await fixture.signIn(ada)
        #expect(try await !areNews(to: ada))
        try await fixture.accounts.removeSecondFactor(of: ada.id.uuid, by: "test")
        try await fixture.accounts.setSecondFactor(
            "x", step: 1, recoveryHashes: [], of: ada.id.uuid, by: "test")
        try await fixture.accounts.removeSecondFactor(
            of: ada.id.uuid,
            noting: AuditEvent(.secondFactorReset, at: AccountsFixture.now, account: "zoe", subject: "ada"), by: "zoe")
        for _ in 0..<20 { _ = try await fixture.link(to: ada, at: AccountsFixture.now.addingTimeInterval(1)) }
        #expect(try await areNews(to: ada))
        let owner = try await fixture.owner(ada, in: try await fixture.signIn(ada))
        #expect(
            try await OwnAccountViewModel(owner: owner).acts.contains {
                $0.text == "zoe removed your two-factor authentication, on the server."
            })
    }

    private func choose(_ form: inout LinkViewModel) async throws -> LinkViewModel.Outcome {
        try await form.choose(
            password: AccountsFixture.newPassword, repeated: AccountsFixture.newPassword, visitor: visitor,
            at: AccountsFixture.now)
    }

    private func areNews(to account: Account, at time: Date = AccountsFixture.now) async throws -> Bool {
        try await AccountAct.areNews(to: try await fixture.principal(account), in: fixture.accounts, at: time)
    }
}
