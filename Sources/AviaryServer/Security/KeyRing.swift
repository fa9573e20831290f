import AviaryDomain
import Crypto
import Foundation

/// The secret keys of a data directory: `keys/ID.key`, 32 random bytes each, readable by the owner alone.
///
/// The newest one seals; all of them open. Every use has a key of its own, derived from these (HKDF, RFC 5869), so
/// that what one part of the program reveals is worth nothing to another.
struct KeyRing: Sendable {
    struct Key: Sendable {
        let id: KeyID
        private let secret: SymmetricKey

        init(id: KeyID, secret: SymmetricKey) {
            self.id = id
            self.secret = secret
        }

        func derived(for purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: secret, info: Data("aviary \(purpose)".utf8), outputByteCount: 32
            )
        }
    }

    /// Oldest first; never empty.
    let keys: [Key]
    let current: Key

    /// Reads the keys, and makes the first one in a new directory.
    ///
    /// - Throws: `DataDirectoryError`.
    init(directory: String) throws(DataDirectoryError) {
        let files = KeyFiles(directory: directory)
        var keys = try files.load()
        if keys.isEmpty { keys = [try files.create()] }
        guard let current = keys.last else {
            throw DataDirectoryError(path: directory, reason: "holds no key.", advice: "Restore the keys from their backup.")
        }
        self.keys = keys
        self.current = current
    }
}

/// Four bytes of Unix time, so that keys sort by age; also stands in front of what the key has sealed.
struct KeyID: Sendable, Hashable, Comparable {
    let bytes: [UInt8]

    init(seconds: UInt32) {
        bytes = (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (24 - 8 * $0)) }
    }

    init?(hexadecimal: some StringProtocol) {
        guard hexadecimal.utf8.count == 8, let value = UInt32(hexadecimal, radix: 16) else { return nil }
        self.init(seconds: value)
    }

    var hexadecimal: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func < (left: KeyID, right: KeyID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
