import AviaryDomain
import Crypto
import Foundation

/// A session: the identity of the requesting person, according to the browser's cookie.
struct Session: Sendable, Hashable {
    enum State: Sendable, Hashable {
        /// An anonymous session. It exists so that the sign-in form has a token.
        case anonymous
        case signedIn(Principal)
        /// A session that has expired.
        ///
        /// The server keeps sheets that the browser still sends as drafts, and does nothing else.
        case ended(Principal)
    }

    let token: SecretToken
    /// Indicates whether the session begins with this response. No form can have its token yet.
    let isNew: Bool
    var state = State.anonymous
    /// The times at which the state is the same, unless the store commits a change; nil if they are not known.
    var times: Range<Date>?

    static let none = Session(token: SecretToken(), isNew: true)

    static func begin(_ state: State = .anonymous, token: SecretToken = SecretToken()) -> Session {
        Session(token: token, isNew: true, state: state)
    }

    /// Continues the session that a cookie names.
    init?(cookie: String) {
        guard let token = SecretToken(cookie) else { return nil }
        self.token = token
        isNew = false
    }

    private init(token: SecretToken, isNew: Bool, state: State = .anonymous) {
        self.token = token
        self.isNew = isNew
        self.state = state
    }

    var id: [UInt8] { token.bytes }
    var cookieValue: String { token.text }

    /// The person who is signed in; nil when nobody is.
    var principal: Principal? {
        if case .signedIn(let principal) = state { principal } else { nil }
    }
}

/// A token of 128 random bits that a browser stores: in the cookie of a session, or in a link that signs in.
struct SecretToken: Sendable, Hashable {
    let bytes: [UInt8]

    init() {
        bytes = SymmetricKey(size: .bits128).withUnsafeBytes { [UInt8]($0) }
    }

    /// Decodes a token, or returns nil for a text that is not one.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 32, let bytes = Base64URL.decode(String(text)), bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    var text: String { Base64URL.encode(bytes) }

    /// The id that is stored in place of the token.
    ///
    /// An attacker cannot guess 128 random bits, so a plain hash is sufficient. The version bits are those of
    /// version 8 (RFC 9562, section 5.8).
    var id: UUID {
        var hash = Array(SHA256.hash(data: Data("aviary token".utf8) + bytes).prefix(16))
        hash[6] = hash[6] & 0x0F | 0x80
        hash[8] = hash[8] & 0x3F | 0x80
        return UUID(
            uuid: (
                hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7],
                hash[8], hash[9], hash[10], hash[11], hash[12], hash[13], hash[14], hash[15]
            ))
    }
}

/// The tickets of people who have given the right password, valid in the browser session in which they gave it.
///
/// A ticket contains the account (16 bytes), the epoch and the time of expiry (8 each), and their message
/// authentication code.
struct SessionTickets: SignInTickets {
    let keys: KeyRing
    let session: SecretToken

    private static let contentLength = 32

    func seal(_ ticket: SignInTicket) -> String {
        let content =
            withUnsafeBytes(of: ticket.account.uuid) { [UInt8]($0) } + Self.bytes(of: Int64(ticket.epoch))
            + Self.bytes(of: Int64(ticket.expiresAt.timeIntervalSince1970))
        return Base64URL.encode(content + [UInt8](code(content, keys.current)))
    }

    func open(_ text: String) -> SignInTicket? {
        guard let bytes = Base64URL.decode(text), bytes.count == Self.contentLength + SHA256.byteCount else {
            return nil
        }
        let content = Array(bytes.prefix(Self.contentLength)), tag = Array(bytes.dropFirst(Self.contentLength))
        guard
            keys.keys.contains(where: { key in
                HMAC<SHA256>.isValidAuthenticationCode(
                    tag, authenticating: authenticated(content), using: Self.key(key))
            })
        else { return nil }
        let account = NSUUID(uuidBytes: Array(content.prefix(16))) as UUID
        return SignInTicket(
            account: account, epoch: Int(Self.number(content[16..<24])),
            expiresAt: Date(timeIntervalSince1970: TimeInterval(Self.number(content[24..<32])))
        )
    }

    private func code(_ content: [UInt8], _ key: KeyRing.Key) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: authenticated(content), using: Self.key(key))
    }

    private func authenticated(_ content: [UInt8]) -> [UInt8] { session.bytes + content }

    private static func key(_ key: KeyRing.Key) -> SymmetricKey { key.derived(for: "sign-in ticket") }

    private static func bytes(of number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}
