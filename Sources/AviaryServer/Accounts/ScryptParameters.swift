import CryptoExtras
import Foundation

/// What a hash costs (RFC 7914): memory is 128 · N · r bytes, and time grows with N · r · p.
struct ScryptParameters: Sendable, Hashable {
    /// The logarithm of N.
    let logarithm: Int
    let blockSize: Int
    let parallelism: Int

    /// 32 MiB. OWASP names it beside N=2^17, p=1, which costs an attacker the same and us four times the memory.
    static let standard = ScryptParameters(logarithm: 15, blockSize: 8, parallelism: 3)

    /// What a hash that somebody wrote into the file may make this process spend.
    private static let mostMemory = 128 << 20
    private static let mostWork = 8 << 20

    init(logarithm: Int, blockSize: Int, parallelism: Int) {
        self.logarithm = logarithm
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// Whether they are scrypt's, and take at most 128 MiB and about ten times as long as the standard ones.
    var areAcceptable: Bool {
        guard (1...20).contains(logarithm), (1...64).contains(blockSize), (1...64).contains(parallelism) else {
            return false
        }
        let work = (1 << logarithm) * blockSize
        return work * 128 <= Self.mostMemory && work * parallelism <= Self.mostWork
    }

    /// Works out so many bytes from a password and its salt.
    typealias Derivation = @Sendable (ScryptParameters, _ password: String, _ salt: [UInt8], _ count: Int) -> [UInt8]?

    static let derivation: Derivation = { $0.derive(from: $1, salt: $2, count: $3) }

    /// Nil when there is not enough memory, or for parameters that are none.
    func derive(from password: String, salt: [UInt8], count: Int) -> [UInt8]? {
        let bytes = Array(password.utf8)
        // The library takes the address of what it is given: there has to be something.
        guard areAcceptable, !bytes.isEmpty, !salt.isEmpty, count > 0 else { return nil }
        do {
            let key = try KDF.Scrypt.deriveKey(
                from: bytes, salt: salt, outputByteCount: count,
                rounds: 1 << logarithm, blockSize: blockSize, parallelism: parallelism
            )
            return key.withUnsafeBytes { [UInt8]($0) }
        } catch {
            return nil
        }
    }
}
