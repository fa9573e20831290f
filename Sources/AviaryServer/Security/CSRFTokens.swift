import AviaryDomain
import Crypto
import Foundation

/// Tokens that only a page of ours, in this browser's session, can carry.
///
/// A token is the session's message authentication code under a mask that is new in every response, so that
/// compressed pages do not give it away byte by byte (BREACH).
struct CSRFTokens: Sendable {
    private let key: SymmetricKey

    init(_ keys: KeyRing) {
        key = keys.current.derived(for: "csrf")
    }

    func token(for session: Session) -> String {
        let mask = SymmetricKey(size: .bits256).withUnsafeBytes { [UInt8]($0) }
        return Base64URL.encode(mask + zip(mask, code(session)).map { $0 ^ $1 })
    }

    func isValid(_ token: String, for session: Session) -> Bool {
        guard !session.isNew, let bytes = Base64URL.decode(token), bytes.count == 64 else { return false }
        let code = zip(bytes.prefix(32), bytes.suffix(32)).map { $0 ^ $1 }
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: session.id, using: key)
    }

    private func code(_ session: Session) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: session.id, using: key)
    }
}
