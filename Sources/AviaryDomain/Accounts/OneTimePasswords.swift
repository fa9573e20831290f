package import Foundation

/// The second factor: time-based one-time passwords (RFC 6238) and recovery codes.
///
/// A secret is sealed twice in its life, for two purposes. While it is set up it travels in a form, sealed for one account in one
/// session and for a few minutes. Once it is confirmed the account keeps it, sealed for this account alone.
package protocol OneTimePasswords: Sendable {
    /// Makes a secret for a form of this account in this session.
    func makeSecret(for account: UUID, in session: UUID, at now: Date) throws -> OneTimeSecret

    /// The secret of a form; nil unless it was made for this account in this session, a few minutes ago at most.
    func pendingSecret(_ sealed: String, for account: UUID, in session: UUID, at now: Date) -> OneTimeSecret?

    /// Seals a secret as the account keeps it.
    func stored(_ secret: OneTimeSecret, of account: UUID) throws -> String

    /// Seals a stored secret for its account where it is in the form of an earlier version, which named no account.
    ///
    /// - Returns: Nil where it is sealed for its account already, or cannot be opened.
    func resealed(_ stored: String, of account: UUID) throws -> String?

    /// The time step to which the code of a secret that is being set up belongs, if it is one of now, of the step before or of
    /// the one after.
    func step(of code: String, for secret: OneTimeSecret, at now: Date) -> Int?

    /// The time step to which the code belongs, if it is one of now, of the step before or of the one after, and later than
    /// the last that was accepted.
    ///
    /// - Parameter stored: The secret as the account keeps it.
    func step(of code: String, for stored: String, of account: UUID, after last: Int, at now: Date) -> Int?

    /// Codes to keep on paper, each good for one sign-in, and their hashes as the account keeps them.
    func makeRecoveryCodes() -> RecoveryCodes

    /// Which of the hashes is the code's.
    func recoveryHash(of code: String, among hashes: [String]) -> String?
}

/// A secret that is being set up.
package struct OneTimeSecret: Sendable, Hashable {
    /// For the form.
    package let sealed: String
    /// In Base32, as an authenticator takes it.
    package let base32: String

    package init(sealed: String, base32: String) {
        self.sealed = sealed
        self.base32 = base32
    }
}

package struct RecoveryCodes: Sendable, Hashable {
    package let codes: [String]
    package let hashes: [String]

    package init(codes: [String], hashes: [String]) {
        self.codes = codes
        self.hashes = hashes
    }
}
