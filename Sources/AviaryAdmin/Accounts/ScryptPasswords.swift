package import AviaryDomain
import Crypto
import CryptoExtras
import Foundation
import Synchronization

/// A password hasher that uses scrypt, one hash at a time per process.
///
/// However many users sign in at once, hashing needs the memory of a single hash.
///
/// ```swift
/// let passwords = ScryptPasswords()
/// account.passwordHash = try await passwords.hash("correct horse battery staple")
/// ```
///
/// Passwords are normalized to Unicode's form NFKC before hashing, so that the same password typed on another
/// keyboard has the same hash.
package final class ScryptPasswords: PasswordHashing {
    private let parameters: ScryptParameters
    private let derivation: ScryptParameters.Derivation
    private let thread: BackgroundThread
    /// The duration of the last hash in seconds.
    private let duration = Mutex(0.2)

    /// Creates a hasher with the standard parameters.
    package convenience init() {
        self.init(parameters: .standard)
    }

    /// Creates a hasher.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of new hashes. An existing hash is verified with its own parameters.
    ///   - limit: The largest number of waiting calls.
    ///   - derivation: The key derivation that a verification runs.
    init(
        parameters: ScryptParameters = .standard, limit: Int = 64,
        derivation: @escaping ScryptParameters.Derivation = ScryptParameters.derivation
    ) {
        self.parameters = parameters
        self.derivation = derivation
        thread = BackgroundThread(name: "passwords", limit: limit)
    }

    package func hash(_ password: String) async throws(PasswordHashingError) -> String {
        let hash = try await runSerially { [parameters] in
            ScryptHash(of: PasswordRules.normalized(password), parameters: parameters)
        }
        guard let hash else { throw .failed }
        return "\(hash)"
    }

    package func verify(_ password: String, against text: String?) async throws(PasswordHashingError) -> Bool {
        let hash = text.map { ScryptHash($0) }
        // A hash that cannot be parsed is an error of its own, so equal timing has no value here.
        if case .some(.none) = hash { throw .failed }
        let isRight: Bool? = try await runSerially { [parameters, derivation] in
            // No account has an empty or overlong password. A request with one takes the same time, but with
            // another text, because normalizing a very long text could take minutes.
            let mayBe = !password.isEmpty && password.utf8.count <= PasswordRules.longest
            let typed = mayBe ? PasswordRules.normalized(password) : " "
            if let hash = hash.flatMap({ $0 }) {
                return hash.isHash(of: typed, derivation: derivation).map { $0 && mayBe }
            }
            // The account has no password hash. The hasher does the same work anyway, so that the time reveals
            // nothing.
            return derivation(parameters, typed, Self.noSalt, ScryptHash.length).map { _ in false }
        }
        guard let isRight else { throw .failed }
        return isRight
    }

    package func needsRehash(_ hash: String) -> Bool {
        ScryptHash(hash)?.isAsStrong(as: parameters) != true
    }

    private static let noSalt = [UInt8](repeating: 0, count: ScryptHash.saltLength)

    private func runSerially<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value
    ) async throws(PasswordHashingError) -> Value {
        do {
            return try await thread.run { [self] in
                let start = ContinuousClock.now
                defer { duration.withLock { $0 = (ContinuousClock.now - start) / .seconds(1) } }
                return work()
            }
        } catch {
            switch error {
            case .full(let waiting):
                throw .busy(retryAfter: max(1, Int((duration.withLock { $0 } * Double(waiting)).rounded(.up))))
            case .cancelled: throw .cancelled
            }
        }
    }
}

/// A password's hash as an account stores it, in the PHC string format: `$scrypt$ln=15,r=8,p=3$SALT$HASH`.
struct ScryptHash: Sendable, Hashable, CustomStringConvertible {
    static let saltLength = 16
    static let length = 32

    let parameters: ScryptParameters
    let salt: [UInt8]
    let hash: [UInt8]

    /// Creates a hash with a new random salt, or returns nil if memory is insufficient.
    init?(of password: String, parameters: ScryptParameters) {
        let salt = SymmetricKey(size: .init(bitCount: Self.saltLength * 8)).withUnsafeBytes { [UInt8]($0) }
        guard let hash = parameters.derive(from: password, salt: salt, count: Self.length) else { return nil }
        self.parameters = parameters
        self.salt = salt
        self.hash = hash
    }

    /// Parses a hash, or returns nil if the text is invalid or its parameters exceed
    /// ``ScryptParameters/areAcceptable``.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
        let values = parts[2].split(separator: ",", omittingEmptySubsequences: false)
        guard values.count == 3, let logarithm = Self.number(values[0], named: "ln"),
            let blockSize = Self.number(values[1], named: "r"), let parallelism = Self.number(values[2], named: "p"),
            let salt = Self.decode(parts[3]), (8...64).contains(salt.count),
            let hash = Self.decode(parts[4]), (16...64).contains(hash.count)
        else { return nil }
        parameters = ScryptParameters(logarithm: logarithm, blockSize: blockSize, parallelism: parallelism)
        guard parameters.areAcceptable else { return nil }
        self.salt = salt
        self.hash = hash
    }

    var description: String {
        "$scrypt$ln=\(parameters.logarithm),r=\(parameters.blockSize),p=\(parameters.parallelism)"
            + "$\(Self.encode(salt))$\(Self.encode(hash))"
    }

    /// Returns whether the hash is as strong as a new hash with these parameters.
    func isAsStrong(as parameters: ScryptParameters) -> Bool {
        self.parameters == parameters && salt.count >= Self.saltLength && hash.count >= Self.length
    }

    /// Returns whether the hash is that of a password, or nil if memory is insufficient. The comparison takes
    /// constant time.
    func isHash(
        of password: String, derivation: ScryptParameters.Derivation = ScryptParameters.derivation
    ) -> Bool? {
        derivation(parameters, password, salt, hash.count).map {
            SymmetricKey(data: $0) == SymmetricKey(data: hash)
        }
    }

    private static func number(_ text: Substring, named name: String) -> Int? {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == name, let number = Int(parts[1]), number > 0, "\(number)" == parts[1] else {
            return nil
        }
        return number
    }

    /// Returns the bytes in Base64 without padding, as the PHC string format requires.
    private static func encode(_ bytes: [UInt8]) -> String {
        String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
    }

    private static func decode(_ text: Substring) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text + padding), encode([UInt8](data)) == text else { return nil }
        return [UInt8](data)
    }
}

/// The cost parameters of a hash (RFC 7914). A hash needs 128 · N · r bytes of memory, and its time grows with N ·
/// r · p.
struct ScryptParameters: Sendable, Hashable {
    /// The base-2 logarithm of N.
    let logarithm: Int
    let blockSize: Int
    let parallelism: Int

    /// The parameters of new hashes, which need 32 MiB. OWASP lists them as equivalent to N=2^17, p=1, which costs
    /// an attacker the same and the server four times the memory.
    static let standard = ScryptParameters(logarithm: 15, blockSize: 8, parallelism: 3)

    /// The limits for a hash that is read from the file, which someone else may have written. `mostMemory` is in
    /// bytes.
    private static let mostMemory = 128 << 20
    private static let mostWork = 8 << 20

    init(logarithm: Int, blockSize: Int, parallelism: Int) {
        self.logarithm = logarithm
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// Indicates whether the parameters are valid for scrypt and need at most 128 MiB and about ten times the time
    /// of the standard ones.
    var areAcceptable: Bool {
        guard (1...20).contains(logarithm), (1...64).contains(blockSize), (1...64).contains(parallelism) else {
            return false
        }
        let work = (1 << logarithm) * blockSize
        return work * 128 <= Self.mostMemory && work * parallelism <= Self.mostWork
    }

    /// A function that derives `count` bytes from a password and its salt.
    typealias Derivation = @Sendable (ScryptParameters, _ password: String, _ salt: [UInt8], _ count: Int) -> [UInt8]?

    static let derivation: Derivation = { $0.derive(from: $1, salt: $2, count: $3) }

    /// Returns the derived bytes, or nil if memory is insufficient or the parameters are invalid.
    func derive(from password: String, salt: [UInt8], count: Int) -> [UInt8]? {
        let bytes = Array(password.utf8)
        // The library takes the address of its inputs, so they must not be empty.
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
