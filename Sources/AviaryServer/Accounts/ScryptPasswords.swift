import AviaryDomain
import Foundation
import Synchronization

/// Hashes passwords by scrypt, one at a time in this process: however many sign in at once, they take the memory of one.
///
/// ```swift
/// let passwords = ScryptPasswords()
/// account.passwordHash = try await passwords.hash("correct horse battery staple")
/// ```
///
/// Passwords are hashed in Unicode's form NFKC, so that it does not matter on which keyboard they are typed.
final class ScryptPasswords: PasswordHashing {
    private let parameters: ScryptParameters
    private let derivation: ScryptParameters.Derivation
    private let thread: QueueThread
    /// What one took last, in seconds.
    private let duration = Mutex(0.2)

    /// - Parameters:
    ///   - parameters: of new hashes; older ones are read with their own.
    ///   - limit: how many may wait.
    ///   - derivation: the work of a verification.
    init(
        parameters: ScryptParameters = .standard, limit: Int = 64,
        derivation: @escaping ScryptParameters.Derivation = ScryptParameters.derivation
    ) {
        self.parameters = parameters
        self.derivation = derivation
        thread = QueueThread(name: "passwords", limit: limit)
    }

    func hash(_ password: String) async throws(PasswordHashingError) -> String {
        let hash = try await inTurn { [parameters] in
            ScryptHash(of: PasswordRules.normalized(password), parameters: parameters)
        }
        guard let hash else { throw .failed }
        return "\(hash)"
    }

    func verify(_ password: String, against text: String?) async throws(PasswordHashingError) -> Bool {
        let hash = text.map { ScryptHash($0) }
        // A hash that cannot be read: nothing is worth the time.
        if case .some(.none) = hash { throw .failed }
        let isRight: Bool? = try await inTurn { [parameters, derivation] in
            // Nobody has an empty password, or one that is longer than may be, but whoever sends one waits as long: to bring
            // a long one into its normal form could take minutes.
            let mayBe = !password.isEmpty && password.utf8.count <= PasswordRules.longest
            let typed = mayBe ? PasswordRules.normalized(password) : " "
            if let hash = hash.flatMap({ $0 }) {
                return hash.isHash(of: typed, derivation: derivation).map { $0 && mayBe }
            }
            // There is no hash: the work is done all the same, so that the time does not tell.
            return derivation(parameters, typed, Self.noSalt, ScryptHash.length).map { _ in false }
        }
        guard let isRight else { throw .failed }
        return isRight
    }

    func needsRehash(_ hash: String) -> Bool {
        ScryptHash(hash)?.isAsStrong(as: parameters) != true
    }

    private static let noSalt = [UInt8](repeating: 0, count: ScryptHash.saltLength)

    private func inTurn<Value: Sendable>(
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
