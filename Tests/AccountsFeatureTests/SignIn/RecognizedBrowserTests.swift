import AccountsFeature
import AviaryDomain
import Foundation
import Testing

@Suite("Recognized browsers at sign-in")
struct RecognizedBrowserTests {
    /// A hashing in which an account's password is its name.
    private struct Names: PasswordHashing {
        func hash(_ password: String) async throws(PasswordHashingError) -> String { password }
        func verify(_ password: String, against hash: String?) async throws(PasswordHashingError) -> Bool {
            hash == password
        }
        func needsRehash(_ hash: String) -> Bool { false }
    }

    /// Tickets for one account, whatever their text.
    private struct Tickets: SignInTickets {
        var ticket: SignInTicket?
        func seal(_ ticket: SignInTicket) -> String { "" }
        func open(_ text: String) -> SignInTicket? { ticket }
    }

    private let fixture: AccountsFixture
    private let known = RecognizedBrowser(name: "ada", at: AccountsFixture.now)

    init() async throws {
        fixture = try AccountsFixture()
        for name in ["ada", "grace"] {
            try await fixture.accounts.add(
                Account(name: name, role: "admin", passwordHash: name, createdAt: AccountsFixture.now), by: "test")
        }
    }

    @Test("Failed attempts from unknown browsers do not delay a recognized browser")
    func guessed() async throws {
        await guess("ada", by: nil)
        #expect(try await isMadeToWait("ada", by: nil))
        #expect(try await !isMadeToWait("ada", by: known))
    }

    @Test("Failed attempts from the same address do not delay a recognized browser")
    func sameAddress() async throws {
        for number in 0..<25 { _ = await signIn("nobody\(number)", "wrong", by: nil, from: "198.51.100.1") }
        #expect(try await isMadeToWait("grace", by: nil))
        #expect(try await !isMadeToWait("ada", by: known))
    }

    @Test("A browser is recognized only for its account")
    func otherAccount() async throws {
        await guess("grace", by: nil)
        #expect(try await isMadeToWait("grace", by: known))
    }

    @Test("Failed attempts of a recognized browser delay only that browser")
    func ownGuesses() async throws {
        await guess("ada", by: known)
        #expect(try await isMadeToWait("ada", by: known))
        #expect(try await !isMadeToWait("ada", by: nil))
    }

    @Test("Failed attempts with an unknown name do not delay the codes of an account")
    func codes() async throws {
        let name = try #require(AccountName("grace"))
        let grace = try #require(try await fixture.accounts.account(named: name))
        try await fixture.accounts.setSecondFactor(
            "sealed:\(grace.id.uuid):x", step: 1, recoveryHashes: [], of: grace.id.uuid, by: "test")
        await guess("code of grace", by: nil)
        let current = try #require(try await fixture.accounts.account(grace.id.uuid))
        let end = AccountsFixture.now.addingTimeInterval(60)
        var form = form(
            by: nil, Tickets(ticket: SignInTicket(account: current.id.uuid, epoch: current.epoch, expiresAt: end)))
        let outcome = await form.confirm(
            code: OneTimePasswordsInMemory.code, ticket: "", visitor: visitor(from: "198.51.100.1"),
            at: AccountsFixture.now)
        guard case .signedIn = outcome else { throw Unexpected(outcome: outcome) }
    }

    /// Uses all attempts that are allowed without a delay, each from a different address.
    private func guess(_ name: String, by browser: RecognizedBrowser?) async {
        for number in 0..<5 { _ = await signIn(name, "wrong", by: browser, from: "192.0.2.\(number)") }
    }

    private func isMadeToWait(_ name: String, by browser: RecognizedBrowser?) async throws -> Bool {
        switch await signIn(name, name, by: browser, from: "198.51.100.1") {
        case .wait: true
        case .signedIn: false
        case let other: throw Unexpected(outcome: other)
        }
    }

    private struct Unexpected: Error {
        let outcome: SignInOutcome
    }

    private func signIn(_ name: String, _ password: String, by browser: RecognizedBrowser?, from address: String) async
        -> SignInOutcome
    {
        var form = form(by: browser)
        return await form.signIn(
            name: name, password: password, visitor: visitor(from: address), at: AccountsFixture.now)
    }

    private func form(by browser: RecognizedBrowser?, _ tickets: Tickets = Tickets()) -> SignInViewModel {
        SignInViewModel(
            next: nil, accounts: fixture.accounts, passwords: Names(), oneTimePasswords: fixture.oneTimePasswords,
            tickets: tickets, attemptID: Self.id, knownBrowser: browser
        )
    }

    private func visitor(from address: String) -> ClientInfo {
        ClientInfo(session: UUID(), address: address, userAgent: "a test")
    }

    /// Returns the same identifier for the same text.
    private static func id(_ text: String) -> UUID {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let half = withUnsafeBytes(of: hash) { [UInt8]($0) }
        return NSUUID(uuidBytes: half + half) as UUID
    }
}
