import AviaryDomain
import Crypto
import Foundation

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
