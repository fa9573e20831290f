import AviaryData
import AviaryDesign
import AviaryDomain
import Foundation

@testable import AccountsFeature

/// Accounts in a separate store, with passwords that are cheap to verify.
struct AccountsFixture: Sendable {
    let accounts: AccountRepository
    let oneTimePasswords = OneTimePasswordsInMemory()
    let passwords = PlainPasswords()
    private let directory = TemporaryDirectory()
    private let store: Store
    private let readers: ReaderPool

    /// The current time, with the precision of a millisecond that the store has.
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let password = "otter lamp quiet river"
    static let newPassword = "marble ferry seldom onion"

    init() throws {
        let schema = try Schema(Schema.builtIn)
        let files = try DataDirectory(path: directory.path)
        let store = try Store(
            directory: files, schema: schema, sortIndexes: [], history: HistoryPolicy(), onFatalError: { _ in },
            now: { Self.now }
        )
        let readers = try ReaderPool(directory: files, schema: schema)
        (self.store, self.readers) = (store, readers)
        accounts = AccountRepository(
            records: { SQLRecordRepository(model: $0, schema: schema, readers: readers, writer: store) }, writer: store,
            roles: try Roles([Role("keeper", .task(.activity))])
        )
    }

    @discardableResult
    func add(_ name: String, role: String = "editor", password: String? = password) async throws -> Account {
        let hash = if let password { try await passwords.hash(password) } else { String?.none }
        let account = Account(name: name, role: role, passwordHash: hash, createdAt: Self.now)
        try await accounts.add(account, by: "test")
        return account
    }

    /// Begins a session as a sign-in does, and returns its identifier.
    func signIn(
        _ account: Account, at time: Date = now, address: String = "192.0.2.1",
        userAgent: String = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    ) async throws -> UUID {
        let visitor = ClientInfo(session: UUID(), address: address, userAgent: userAgent)
        let current = try await stored(account)
        try await accounts.begin(visitor.session(of: current, at: time), of: current, at: time)
        return visitor.session
    }

    /// Creates a link and returns the form that it opens.
    func link(
        to account: Account, by maker: String = "zoe", at time: Date = now
    ) async throws -> LinkViewModel {
        let id = UUID()
        try await accounts.addLink(
            id, for: account.id.uuid, until: time.addingTimeInterval(60), by: maker, from: "192.0.2.9", at: time)
        return try await LinkViewModel(id: id, accounts: accounts, passwords: passwords, application: "Zoo", at: time)
    }

    /// Returns the events of all kinds, oldest first.
    func events() async throws -> [AuditEvent] {
        try await accounts.fetchEvents(size: 100).records.sorted { ($0.time, $0.id.uuid) < ($1.time, $1.id.uuid) }
    }

    func owner(
        _ account: Account, in session: UUID, successor: UUID = UUID(), at time: Date = now
    ) async throws -> AccountOwner {
        try await AccountOwner(
            principal: try await principal(account), session: session, successor: successor, accounts: accounts,
            passwords: passwords,
            attemptID: { text in UUID(text) }, at: time
        )
    }

    func principal(_ account: Account) async throws -> Principal {
        guard let principal = accounts.principal(of: try await stored(account)) else { throw AccountError.signedOut }
        return principal
    }

    func stored(_ account: Account) async throws -> Account {
        guard let stored = try await accounts.account(account.id.uuid) else { throw AccountError.notFound }
        return stored
    }

    func isSignedIn(_ session: UUID) async throws -> Bool { try await accounts.session(session) != nil }
}

extension UUID {
    /// Creates the same identifier for the same text.
    fileprivate init(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        for (index, byte) in text.utf8.enumerated() { bytes[index % 16] = bytes[index % 16] &* 31 &+ byte }
        self = NSUUID(uuidBytes: bytes) as UUID
    }
}

/// A directory that is removed with its last user.
final class TemporaryDirectory: Sendable {
    let path = FileManager.default.temporaryDirectory.path + "/aviary-accounts-" + UUID().uuidString

    deinit {
        // The directory is no longer needed. A failure to remove it is harmless.
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// A hashing in which the hash is the password with a prefix.
struct PlainPasswords: PasswordHashing {
    var isBusy = false

    func hash(_ password: String) async throws(PasswordHashingError) -> String { "plain " + password }

    func verify(_ password: String, against hash: String?) async throws(PasswordHashingError) -> Bool {
        guard !isBusy else { throw .busy(retryAfter: 3) }
        return hash == "plain " + password
    }

    func needsRehash(_ hash: String) -> Bool { false }
}

/// One-time passwords whose secrets are sealed with a prefix and whose code is always the same.
struct OneTimePasswordsInMemory: OneTimePasswords {
    static let code = "123456"
    static let recoveryCodes = ["AAAA-BBBB", "CCCC-DDDD"]
    static let key = "JBSWY3DPEHPK3PXP"
    /// The time in seconds in which a pending secret is valid.
    static let setUpTime: TimeInterval = 900

    func makeSecret(for account: UUID, in session: UUID, at now: Date) throws -> OneTimeSecret {
        let end = Int(now.addingTimeInterval(Self.setUpTime).timeIntervalSince1970)
        return OneTimeSecret(sealed: "pending:\(account):\(session):\(end)", base32: Self.key)
    }

    func pendingSecret(_ sealed: String, for account: UUID, in session: UUID, at now: Date) -> OneTimeSecret? {
        let parts = sealed.split(separator: ":").map(String.init)
        guard parts.count == 4, parts[0] == "pending", parts[1] == "\(account)", parts[2] == "\(session)",
            let end = TimeInterval(parts[3]), now.timeIntervalSince1970 < end
        else { return nil }
        return OneTimeSecret(sealed: sealed, base32: Self.key)
    }

    func stored(_ secret: OneTimeSecret, of account: UUID) throws -> String {
        "sealed:\(account):\(secret.base32)"
    }

    /// Reseals a secret of an earlier version, which starts with `unbound:`.
    func resealed(_ stored: String, of account: UUID) throws -> String? {
        stored.hasPrefix("unbound:") ? "sealed:\(account):" + stored.dropFirst("unbound:".count) : nil
    }

    func step(of code: String, for secret: OneTimeSecret, at now: Date) -> Int? { code == Self.code ? 1 : nil }

    func step(of code: String, for stored: String, of account: UUID, after last: Int, at now: Date) -> Int? {
        let opens = stored.hasPrefix("sealed:\(account):") || stored.hasPrefix("unbound:")
        return code == Self.code && opens ? last + 1 : nil
    }

    func makeRecoveryCodes() -> RecoveryCodes {
        RecoveryCodes(codes: Self.recoveryCodes, hashes: Self.recoveryCodes.map { "hash-of-" + $0 })
    }

    func recoveryHash(of code: String, among hashes: [String]) -> String? { hashes.first { $0 == "hash-of-" + code } }
}

/// The tags of rendered markup, in order.
struct Tags {
    let names: [String]
    let ids: [String]
    /// The elements that are closed incorrectly or never.
    let unbalanced: [String]

    private static let voids: Set<String> = ["input", "meta", "link", "br", "path"]

    init(_ text: String) {
        var names: [String] = [], ids: [String] = [], open: [String] = [], unbalanced: [String] = []
        for match in text.matches(of: /<(\/?)([a-z0-9]+)((?:[^>"]|"[^"]*")*)>/) {
            let name = String(match.2)
            names.append(match.1 + name)
            if match.1.isEmpty {
                ids += match.3.matches(of: /\bid="([^"]*)"/).map { String($0.1) }
                if !Self.voids.contains(name) { open.append(name) }
            } else if open.popLast() != name {
                unbalanced.append(name)
            }
        }
        self.names = names
        self.ids = ids
        self.unbalanced = unbalanced + open
    }
}

func rendered(_ component: some Component) -> String {
    var html = HTML()
    html.render(component)
    return String(decoding: html.bytes, as: UTF8.self)
}
