import AviaryDomain
import Foundation
import Testing

@testable import AccountsFeature

@Suite("A new password of one's own")
struct PasswordTests {
    private let fixture: AccountsFixture

    init() throws { fixture = try AccountsFixture() }

    @Test("It is stored when the current one is given, and is the account's from then on")
    func changed() async throws {
        let ada = try await fixture.add("ada")
        var model = try await form(ada, in: try await fixture.signIn(ada))
        #expect(await change(&model, current: AccountsFixture.password) == .done)
        #expect(try await fixture.stored(ada).passwordHash == "plain " + AccountsFixture.newPassword)
    }

    @Test("Other sessions end with it, and this one goes on under a new id")
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

    @Test("A wrong current password changes nothing, and the form says so at its field")
    func wrong() async throws {
        let ada = try await fixture.add("ada")
        let (here, there) = (try await fixture.signIn(ada), try await fixture.signIn(ada))
        var model = try await form(ada, in: here)
        #expect(await change(&model, current: "something else entirely") == .refused)
        #expect(model.form.passwordError != nil)
        #expect(try await fixture.stored(ada).passwordHash == "plain " + AccountsFixture.password)
        #expect(try await fixture.isSignedIn(there))
    }

    @Test("After five wrong ones in a row nothing is looked at for a while, not even the right one")
    func throttled() async throws {
        let ada = try await fixture.add("ada")
        var model = try await form(ada, in: try await fixture.signIn(ada))
        for _ in 0..<5 { #expect(await change(&model, current: "wrong") == .refused) }
        #expect(await change(&model, current: AccountsFixture.password) == .wait(seconds: 2))
        #expect(try await fixture.stored(ada).passwordHash == "plain " + AccountsFixture.password)
    }

    @Test("The right one makes the wrong ones forgotten")
    func forgiven() async throws {
        let ada = try await fixture.add("ada")
        var model = try await form(ada, in: try await fixture.signIn(ada))
        for _ in 0..<4 { #expect(await change(&model, current: "wrong") == .refused) }
        #expect(await change(&model, current: AccountsFixture.password) == .done)
        model = try await form(ada, in: model.owner.renewal.new)
        for _ in 0..<4 { #expect(await change(&model, current: "wrong") == .refused) }
    }

    @Test(
        "One that is too short, guessable or the account's name is not taken",
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

    @Test("Typed differently the second time it is not taken")
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

    @Test("Who signed in by a password is asked for it, however short ago that was")
    func fresh() async throws {
        let ada = try await fixture.add("ada")
        #expect(try await fixture.owner(ada, in: try await fixture.signIn(ada)).isPasswordAsked)
    }

    @Test("An account without a password gets its first one without being asked for another")
    func first() async throws {
        let ada = try await fixture.add("ada", password: nil)
        var model = try await form(
            ada, in: try await fixture.signIn(ada), at: AccountsFixture.now.addingTimeInterval(4000))
        #expect(await change(&model, current: "") == .done)
        #expect(try await fixture.stored(ada).passwordHash == "plain " + AccountsFixture.newPassword)
    }

    @Test("A session that was ended meanwhile sets no password, though it had given the right one")
    func ended() async throws {
        let ada = try await fixture.add("ada")
        let session = try await fixture.signIn(ada)
        var model = try await form(ada, in: session)
        try await fixture.accounts.endSessions(of: ada.id.uuid, by: "test")
        #expect(await change(&model, current: AccountsFixture.password) == .signedOut)
        #expect(try await fixture.stored(ada).passwordHash == "plain " + AccountsFixture.password)
    }

    @Test("Nobody gets at another's account by their own session")
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
