import AviaryDomain
import Foundation
import Testing

@testable import AccountsFeature

@Suite("Changing one's own password")
struct PasswordTests {
    private let fixture: AccountsFixture

    init() throws { fixture = try AccountsFixture() }

    @Test("A new password is stored if the current password is correct")
    func changed() async throws {
        let ada = try await fixture.add("ada")
        var model = try await form(ada, in: try await fixture.signIn(ada))
        #expect(await change(&model, current: AccountsFixture.password) == .done)
        #expect(try await fixture.stored(ada).passwordHash == "plain " + AccountsFixture.newPassword)
    }

    @Test("A password change ends other sessions and renews the id of the current session")
    func sessions() async throws {
        let ada = try await fixture.add("ada")
        let (here, there) = (try await fixture.signIn(ada), try await fixture.signIn(ada))
        var model = try await form(ada, in: here)
        let before = try #require(try await fixture.accounts.session(here)).session
        #expect(await change(&model, current: AccountsFixture.password) == .done)
        #expect(try await !fixture.isSignedIn(here), "A copied cookie is worth nothing.")
        #expect(try await !fixture.isSignedIn(there))
        let after = try #require(try await fixture.accounts.session(model.owner.renewal.new)).session
        #expect(after.beganAt == before.beganAt, "A new password prolongs no session.")
        #expect(after.address == before.address && after.userAgent == before.userAgent)
    }

    @Test("A wrong current password changes nothing and is reported at its field")
    func wrong() async throws {
        let ada = try await fixture.add("ada")
        let (here, there) = (try await fixture.signIn(ada), try await fixture.signIn(ada))
        var model = try await form(ada, in: here)
        #expect(await change(&model, current: "something else entirely") == .refused)
        #expect(model.form.passwordError != nil)
        #expect(try await fixture.stored(ada).passwordHash == "plain " + AccountsFixture.password)
        #expect(try await fixture.isSignedIn(there))
    }

    @Test("After five wrong passwords, even the correct password is rejected for a while")
    func throttled() async throws {
        let ada = try await fixture.add("ada")
        var model = try await form(ada, in: try await fixture.signIn(ada))
        for _ in 0..<5 { #expect(await change(&model, current: "wrong") == .refused) }
        #expect(await change(&model, current: AccountsFixture.password) == .wait(seconds: 2))
        #expect(try await fixture.stored(ada).passwordHash == "plain " + AccountsFixture.password)
    }

    @Test("The correct password resets the count of failures")
    func forgiven() async throws {
        let ada = try await fixture.add("ada")
        var model = try await form(ada, in: try await fixture.signIn(ada))
        for _ in 0..<4 { #expect(await change(&model, current: "wrong") == .refused) }
        #expect(await change(&model, current: AccountsFixture.password) == .done)
        model = try await form(ada, in: model.owner.renewal.new)
        for _ in 0..<4 { #expect(await change(&model, current: "wrong") == .refused) }
    }

    @Test(
        "A password that is too short or guessable is rejected",
        arguments: [
            "short", "password password", "adaadaadaadaadaada", "zoo zoo zoo zoo zoo",
        ])
    func weak(password: String) async throws {
        let ada = try await fixture.add("ada")
        var model = try await form(ada, in: try await fixture.signIn(ada))
        let outcome = await model.change(current: AccountsFixture.password, new: password, repeated: password)
        #expect(outcome == .refused)
        #expect(model.newError != nil)
        #expect(try await fixture.stored(ada).passwordHash == "plain " + AccountsFixture.password)
    }

    @Test("A repeated password that differs is rejected")
    func repeated() async throws {
        let ada = try await fixture.add("ada")
        var model = try await form(ada, in: try await fixture.signIn(ada))
        let outcome = await model.change(
            current: AccountsFixture.password, new: AccountsFixture.newPassword,
            repeated: AccountsFixture.newPassword + "x"
        )
        #expect(outcome == .refused)
        #expect(model.repeatedError != nil)
    }

    @Test("A session that began with a password needs the password again")
    func fresh() async throws {
        let ada = try await fixture.add("ada")
        #expect(try await fixture.owner(ada, in: try await fixture.signIn(ada)).isPasswordAsked)
    }

    @Test("An account without a password sets its first password without confirmation")
    func first() async throws {
        let ada = try await fixture.add("ada", password: nil)
        var model = try await form(
            ada, in: try await fixture.signIn(ada), at: AccountsFixture.now.addingTimeInterval(4000))
        #expect(await change(&model, current: "") == .done)
        #expect(try await fixture.stored(ada).passwordHash == "plain " + AccountsFixture.newPassword)
    }

    @Test("An ended session cannot set a password")
    func ended() async throws {
        let ada = try await fixture.add("ada")
        let session = try await fixture.signIn(ada)
        var model = try await form(ada, in: session)
        try await fixture.accounts.endSessions(of: ada.id.uuid, by: "test")
        #expect(await change(&model, current: AccountsFixture.password) == .signedOut)
        #expect(try await fixture.stored(ada).passwordHash == "plain " + AccountsFixture.password)
    }

    @Test("A session cannot act for another account")
    func other() async throws {
        let (ada, eve) = (try await fixture.add("ada"), try await fixture.add("eve"))
        let session = try await fixture.signIn(eve)
        await #expect(throws: AccountError.signedOut) { try await fixture.owner(ada, in: session) }
    }

    private func form(
        _ account: Account, in session: UUID, at time: Date = AccountsFixture.now
    ) async throws -> PasswordViewModel {
        PasswordViewModel(owner: try await fixture.owner(account, in: session, at: time), application: "Zoo")
    }

    private func change(_ model: inout PasswordViewModel, current: String) async -> AccountOutcome {
        await model.change(current: current, new: AccountsFixture.newPassword, repeated: AccountsFixture.newPassword)
    }
}
