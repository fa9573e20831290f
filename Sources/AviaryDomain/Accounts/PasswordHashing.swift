/// Makes and checks password hashes, off the threads that serve.
package protocol PasswordHashing: Sendable {
    /// - Throws: ``PasswordHashingError``.
    func hash(_ password: String) async throws(PasswordHashingError) -> String

    /// Returns a Boolean value that indicates whether the hash is that of the password.
    ///
    /// Without a hash, the method takes equally long, so that the time does not reveal who has an account.
    ///
    /// - Throws: ``PasswordHashingError``.
    func verify(_ password: String, against hash: String?) async throws(PasswordHashingError) -> Bool

    /// Returns a Boolean value that indicates whether the password should be hashed again once it is verified, because
    /// the hash is weaker than a new one.
    func needsRehash(_ hash: String) -> Bool
}

/// A reason for which a password was not verified.
package enum PasswordHashingError: Error, Sendable, Hashable {
    /// The queue is full. Try again after `retryAfter` seconds.
    case busy(retryAfter: Int)
    /// The caller was cancelled before the hashing began.
    case cancelled
    /// The memory is insufficient, the password is empty, or the hash cannot be read.
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
