import AviaryDomain
import Crypto
import Foundation

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
