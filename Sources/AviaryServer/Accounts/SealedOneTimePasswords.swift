import AviaryDomain
import Crypto
import Foundation

/// The second factor, with its secrets sealed: whoever has the store's file, or a snapshot, has no codes.
///
/// ```swift
/// let factor = SealedOneTimePasswords(keys: keys)
/// let secret = try factor.makeSecret()
/// factor.step(of: "287082", for: secret.sealed, after: account.lastOneTimeStep, at: Date())
/// ```
struct SealedOneTimePasswords: OneTimePasswords {
    static let purpose = "one-time secret"
    /// In bytes: what RFC 4226, section 4, recommends.
    private static let secretLength = 20

    private let seal: Seal
    private let keys: KeyRing

    init(keys: KeyRing) {
        self.keys = keys
        seal = Seal(purpose: Self.purpose, keys: keys)
    }

    func makeSecret() throws -> OneTimeSecret {
        let secret = SymmetricKey(size: .init(bitCount: Self.secretLength * 8)).withUnsafeBytes { [UInt8]($0) }
        return OneTimeSecret(sealed: try seal.seal(secret, context: Self.purpose), base32: Base32.encode(secret))
    }

    func reveal(_ sealed: String) -> String? {
        seal.open(sealed, context: Self.purpose).map { Base32.encode([UInt8]($0)) }
    }

    func step(of code: String, for sealed: String, after last: Int, at now: Date) -> Int? {
        let typed = Array(code.utf8.filter { $0 != UInt8(ascii: " ") })
        guard typed.count == OneTimeCode.digits, let secret = seal.open(sealed, context: Self.purpose) else {
            return nil
        }
        let step = OneTimeCode.step(at: now)
        // All three are looked at, and each whole: the time tells nothing.
        let matching = ((step - 1)...(step + 1)).filter { candidate in
            let expected = OneTimeCode.code(of: [UInt8](secret), step: candidate)
            return zip(expected, typed).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
        }
        return matching.last { $0 > last }
    }

    func makeRecoveryCodes() -> RecoveryCodes {
        let codes = (0..<RecoveryCode.count).map { _ in RecoveryCode() }
        return RecoveryCodes(codes: codes.map(\.text), hashes: codes.map(\.hash))
    }

    func recoveryHash(of code: String, among hashes: [String]) -> String? {
        guard let hash = RecoveryCode(code)?.hash else { return nil }
        return hashes.filter { SymmetricKey(data: Data($0.utf8)) == SymmetricKey(data: Data(hash.utf8)) }.first
    }

    /// The secret sealed anew under the key; nil when it is already, or when it cannot be opened.
    func sealAgain(_ sealed: String, under key: KeyRing.Key) throws -> String? {
        guard !Seal.isSealed(sealed, under: key.id), let secret = seal.open(sealed, context: Self.purpose) else {
            return nil
        }
        return try seal.seal(secret, context: Self.purpose, under: key)
    }
}
