import AccountsFeature
import AviaryDomain
import Foundation
import Testing

@Suite("Rehashing a password at sign-in")
struct HashRenewalTests {
    /// A hashing that prefixes the password with `2:`. A hash that starts with `1:` is from an older version.
    private struct TwoHashes: PasswordHashing {
        func hash(_ password: String) async throws(PasswordHashingError) -> String { "2:" + password }
        func verify(_ password: String, against hash: String?) async throws(PasswordHashingError) -> Bool {
            hash?.dropFirst(2) == password[...]
        }
        func needsRehash(_ hash: String) -> Bool { hash.hasPrefix("1:") }
    }

    private struct NoTickets: SignInTickets {
        func seal(_ ticket: SignInTicket) -> String { "" }
        func open(_ text: String) -> SignInTicket? { nil }
    }

    private let fixture: AccountsFixture

    init() throws {
        fixture = try AccountsFixture()
    }

    @Test("The correct password renews a weak hash, and other sessions stay valid")
    func renewed() async throws {
        let account = try await account(hash: "1:otter lamp quiet river")
        let session = try await fixture.signIn(account)
        guard case .signedIn = await signIn("otter lamp quiet river") else {
            Issue.record("It is not signed in."); return
        }
        let stored = try await fixture.stored(account)
        #expect(stored.passwordHash == "2:otter lamp quiet river")
        #expect(stored.epoch == account.epoch)
        #expect(try await fixture.isSignedIn(session))
    }

    @Test("A wrong password leaves the hash unchanged")
    func wrong() async throws {
        let account = try await account(hash: "1:otter lamp quiet river")
        guard case .refused = await signIn("another lamp quiet river") else {
            Issue.record("It is not refused."); return
        }
        #expect(try await fixture.stored(account).passwordHash == "1:otter lamp quiet river")
    }

    @Test("A strong hash is not rewritten")
    func strong() async throws {
        let account = try await account(hash: "2:otter lamp quiet river")
        let before = try await fixture.accounts.account(account.id.uuid)
        _ = await signIn("otter lamp quiet river")
        #expect(try await fixture.accounts.account(account.id.uuid)?.passwordHash == before?.passwordHash)
    }

    @Test("A new hash of a password that changed concurrently is not stored")
    func changedMeanwhile() async throws {
        let account = try await account(hash: "2:marble ferry seldom onion")
        try await fixture.accounts.renewHash(
            "2:otter lamp quiet river", inPlaceOf: "1:otter lamp quiet river", of: account.id.uuid)
        #expect(try await fixture.stored(account).passwordHash == "2:marble ferry seldom onion")
    }

    private func account(hash: String) async throws -> Account {
        let account = Account(name: "ada", role: "admin", passwordHash: hash, createdAt: AccountsFixture.now)
        try await fixture.accounts.add(account, by: "test")
        return account
    }

    private func signIn(_ password: String) async -> SignInOutcome {
        var form = SignInViewModel(
            next: nil, accounts: fixture.accounts, passwords: TwoHashes(), oneTimePasswords: fixture.oneTimePasswords,
            tickets: NoTickets(), attemptID: { _ in UUID() }
        )
        let visitor = ClientInfo(session: UUID(), address: "192.0.2.1", userAgent: "a test")
        return await form.signIn(name: "ada", password: password, visitor: visitor, at: AccountsFixture.now)
    }
}
