import AviaryDomain
import Foundation
import Testing

@testable import AccountsFeature

@Suite("One's own second factor")
struct SecondFactorTests {
    private let fixture: AccountsFixture

    init() throws { fixture = try AccountsFixture() }

    @Test("Showing the setup page stores nothing")
    func shown() async throws {
        let ada = try await fixture.add("ada")
        _ = try await setup(ada)
        #expect(try await fixture.stored(ada).oneTimeSecret == nil)
    }

    @Test("A correct code stores the secret and the hashes of the recovery codes")
    func confirmed() async throws {
        let ada = try await fixture.add("ada")
        var model = try await setup(ada)
        #expect(await model.confirm(code: OneTimePasswordsInMemory.code, current: AccountsFixture.password) == .done)
        #expect(model.recoveryCodes == OneTimePasswordsInMemory.recoveryCodes)
        let stored = try await fixture.stored(ada)
        #expect(stored.oneTimeSecret == "sealed:\(ada.id.uuid):\(OneTimePasswordsInMemory.key)")
        #expect(stored.recoveryCodes == OneTimePasswordsInMemory.recoveryCodes.map { "hash-of-" + $0 })
        #expect(stored.lastOneTimeStep == 1, "The code that confirmed it signs nobody in.")
    }

    @Test("A wrong code stores nothing, and the form keeps its secret")
    func wrongCode() async throws {
        let ada = try await fixture.add("ada")
        var model = try await setup(ada)
        #expect(await model.confirm(code: "000000", current: AccountsFixture.password) == .refused)
        #expect(model.codeError != nil)
        #expect(model.recoveryCodes.isEmpty)
        #expect(try await fixture.stored(ada).oneTimeSecret == nil)
        let again = try await setup(ada, in: model.owner.session.id.uuid, sealed: model.sealedSecret)
        #expect(again.sealedSecret == model.sealedSecret)
    }

    @Test("A setup form is valid for 15 minutes and only in its session, and is then replaced")
    func outdated() async throws {
        let ada = try await fixture.add("ada")
        let session = try await fixture.signIn(ada), sealed = try await setup(ada, in: session).sealedSecret
        let later = AccountsFixture.now.addingTimeInterval(OneTimePasswordsInMemory.setUpTime)
        for (session, time) in [(try await fixture.signIn(ada), AccountsFixture.now), (session, later)] {
            var model = try await setup(ada, in: session, sealed: sealed, at: time)
            #expect(model.sealedSecret != sealed)
            let outcome = await model.confirm(code: OneTimePasswordsInMemory.code, current: AccountsFixture.password)
            #expect(outcome == .refused)
            #expect(model.codeError?.contains("there is a new setup key") == true)
        }
        #expect(try await fixture.stored(ada).oneTimeSecret == nil)
    }

    @Test("An ended session cannot remove the second factor")
    func endedMeanwhile() async throws {
        let ada = try await fixture.add("ada")
        var model = try await setUp(ada)
        let before = try await fixture.stored(ada).fieldValues
        try await fixture.accounts.end(
            model.owner.session.id.uuid, of: model.owner.principal, at: AccountsFixture.now, address: nil)
        #expect(await model.remove(current: AccountsFixture.password) == .signedOut)
        #expect(try await fixture.stored(ada).fieldValues == before)
    }

    @Test("Setup and new recovery codes end other sessions and renew the id of the current session")
    func sessions() async throws {
        let ada = try await fixture.add("ada")
        var there = try await fixture.signIn(ada)
        var model = try await setup(ada)
        #expect(await model.confirm(code: OneTimePasswordsInMemory.code, current: AccountsFixture.password) == .done)
        try await expectRenewed(model.owner, endedToo: there)
        there = try await fixture.signIn(ada)
        let owner = try await fixture.owner(ada, in: model.owner.renewal.new)
        var codes = try #require(SecondFactorViewModel(owner: owner, oneTimePasswords: fixture.oneTimePasswords))
        #expect(await codes.renewCodes(current: AccountsFixture.password) == .done)
        try await expectRenewed(owner, endedToo: there)
    }

    @Test("Setup, removal and new recovery codes need the current password")
    func wrongPassword() async throws {
        let ada = try await fixture.add("ada")
        var model = try await setup(ada)
        #expect(await model.confirm(code: OneTimePasswordsInMemory.code, current: "wrong") == .refused)
        #expect(try await fixture.stored(ada).oneTimeSecret == nil)
        var existing = try await setUp(ada)
        let before = try await fixture.stored(ada).fieldValues
        #expect(await existing.renewCodes(current: "wrong") == .refused)
        #expect(await existing.remove(current: "wrong") == .refused)
        #expect(existing.recoveryCodes.isEmpty)
        #expect(try await fixture.stored(ada).fieldValues == before)
    }

    @Test("A pending secret that cannot be opened is replaced")
    func lostKey() async throws {
        let ada = try await fixture.add("ada")
        let model = try await setup(ada, sealed: "sealed under a key that is gone")
        #expect(model.sealedSecret.hasPrefix("pending:"))
    }

    @Test("A second factor cannot be set up twice")
    func twice() async throws {
        let ada = try await fixture.add("ada")
        _ = try await setUp(ada)
        let owner = try await fixture.owner(ada, in: try await fixture.signIn(ada))
        #expect(
            try SecondFactorSetupViewModel(owner: owner, application: "Zoo", oneTimePasswords: fixture.oneTimePasswords)
                == nil)
    }

    @Test("New recovery codes replace the old ones")
    func renewed() async throws {
        let ada = try await fixture.add("ada")
        var model = try await setUp(ada)
        try await fixture.accounts.setRecoveryCodes(hashes: ["old"], of: ada.id.uuid, by: "test")
        #expect(await model.renewCodes(current: AccountsFixture.password) == .done)
        #expect(model.recoveryCodes == OneTimePasswordsInMemory.recoveryCodes)
        #expect(try await !fixture.stored(ada).recoveryCodes.contains("old"))
    }

    @Test("Removal deletes the second factor, ends other sessions and renews the current one")
    func removed() async throws {
        let ada = try await fixture.add("ada")
        let there = try await fixture.signIn(ada)
        var model = try await setUp(ada)
        #expect(await model.remove(current: AccountsFixture.password) == .done)
        let stored = try await fixture.stored(ada)
        #expect(stored.oneTimeSecret == nil && stored.recoveryCodes.isEmpty)
        try await expectRenewed(model.owner, endedToo: there)
    }

    @Test("An account without a second factor has nothing to remove")
    func none() async throws {
        let ada = try await fixture.add("ada")
        let owner = try await fixture.owner(ada, in: try await fixture.signIn(ada))
        #expect(SecondFactorViewModel(owner: owner, oneTimePasswords: fixture.oneTimePasswords) == nil)
    }

    private func expectRenewed(_ owner: AccountOwner, endedToo other: UUID) async throws {
        #expect(try await fixture.isSignedIn(owner.renewal.new))
        #expect(try await !fixture.isSignedIn(owner.renewal.old), "A copied cookie is worth nothing.")
        #expect(try await !fixture.isSignedIn(other))
    }

    private func setup(
        _ account: Account, in session: UUID? = nil, sealed: String? = nil, at time: Date = AccountsFixture.now
    ) async throws -> SecondFactorSetupViewModel {
        let session = if let session { session } else { try await fixture.signIn(account) }
        return try #require(
            try SecondFactorSetupViewModel(
                owner: try await fixture.owner(account, in: session, at: time), application: "Zoo", sealed: sealed,
                oneTimePasswords: fixture.oneTimePasswords
            ))
    }

    /// Sets up a second factor and returns its view model in a new session.
    private func setUp(_ account: Account) async throws -> SecondFactorViewModel {
        var model = try await setup(account)
        _ = await model.confirm(code: OneTimePasswordsInMemory.code, current: AccountsFixture.password)
        let owner = try await fixture.owner(account, in: try await fixture.signIn(account))
        return try #require(SecondFactorViewModel(owner: owner, oneTimePasswords: fixture.oneTimePasswords))
    }
}
