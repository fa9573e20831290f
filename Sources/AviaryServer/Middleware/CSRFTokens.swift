import AviaryDomain
import Crypto
import Foundation

/// Tokens that only a page of ours, in this browser's session, can carry.
///
/// A token is the session's message authentication code under a mask that is new in every response, so that
/// compressed pages do not give it away byte by byte (BREACH).
struct CSRFTokens: Sendable {
    private let keys: KeyRing

    init(_ keys: KeyRing) {
        self.keys = keys
    }

    func token(for session: Session) -> String {
        let mask = SymmetricKey(size: .bits256).withUnsafeBytes { [UInt8]($0) }
        return Base64URL.encode(mask + zip(mask, code(session, keys.current)).map { $0 ^ $1 })
    }

    func isValid(_ token: String, for session: Session) -> Bool {
        guard !session.isNew, let bytes = Base64URL.decode(token), bytes.count == 64 else { return false }
        let code = zip(bytes.prefix(32), bytes.suffix(32)).map { $0 ^ $1 }
        // A page may have been open for longer than the key that its token is made with was the current one.
        return keys.keys.contains { key in
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: session.id, using: key.derived(for: "csrf"))
        }
    }

    private func code(_ session: Session, _ key: KeyRing.Key) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: session.id, using: key.derived(for: "csrf"))
    }
}
