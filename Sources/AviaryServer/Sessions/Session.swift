import AviaryDomain
import Crypto
import Foundation

/// What a browser's cookie says of who asks.
struct Session: Sendable, Hashable {
    enum State: Sendable, Hashable {
        /// Nobody; the session is there so that the form for signing in has a token.
        case anonymous
        case signedIn(Principal)
        /// It ran out. What it still sends is kept as a draft, and nothing else.
        case ended(Principal)
    }

    let token: SecretToken
    /// Whether it begins with this answer: no form can have its token yet.
    let isNew: Bool
    var state = State.anonymous

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

    /// Who is signed in; nil when nobody is.
    var principal: Principal? {
        if case .signedIn(let principal) = state { principal } else { nil }
    }
}

/// 128 random bits that a browser carries: in the cookie of a session, in a link that signs in.
struct SecretToken: Sendable, Hashable {
    let bytes: [UInt8]

    init() {
        bytes = SymmetricKey(size: .bits128).withUnsafeBytes { [UInt8]($0) }
    }

    /// Nil for what is no such token.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 32, let bytes = Base64URL.decode(String(text)), bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    var text: String { Base64URL.encode(bytes) }

    /// What is stored in its place. The token has as many random bits as an attacker could guess, so a plain hash does; the
    /// version bits are those of version 8 (RFC 9562, section 5.8).
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
