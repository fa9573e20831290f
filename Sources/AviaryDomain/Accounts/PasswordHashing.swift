/// Makes and checks password hashes, off the threads that serve.
package protocol PasswordHashing: Sendable {
    /// - Throws: ``PasswordHashingError``.
    func hash(_ password: String) async throws(PasswordHashingError) -> String

    /// Whether the hash is the password's. Takes as long when there is no hash: the time must not tell who has an account.
    ///
    /// - Throws: ``PasswordHashingError``.
    func verify(_ password: String, against hash: String?) async throws(PasswordHashingError) -> Bool

    /// Whether the password should be hashed again, once it is known to be right: the hash is weaker than a new one would be.
    func needsRehash(_ hash: String) -> Bool
}

/// Why a password was not looked at.
package enum PasswordHashingError: Error, Sendable, Hashable {
    /// As many wait as may; try again after so many seconds.
    case busy(retryAfter: Int)
    /// Whoever asked went away before it had begun.
    case cancelled
    /// There was not enough memory, the password is empty, or the hash is none that could be looked at.
    case failed
}

extension PasswordHashingError {
    package var message: String {
        switch self {
        case .busy: localized("Many people sign in at this moment. Try again in a few seconds.")
        case .cancelled, .failed: localized("The password could not be worked with. Try again soon.")
        }
    }
}
