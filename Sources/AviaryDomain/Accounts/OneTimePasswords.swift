package import Foundation

/// The second factor: time-based one-time passwords (RFC 6238) and recovery codes.
///
/// A secret is sealed for two purposes. During setup, a form contains it, sealed for one account and one session for
/// a few minutes. After the confirmation, the account stores it, sealed for this account only.
package protocol OneTimePasswords: Sendable {
    /// Creates a secret for a setup form of this account in this session.
    func makeSecret(for account: UUID, in session: UUID, at now: Date) throws -> OneTimeSecret

    /// Returns the secret of a setup form; nil unless it was created for this account in this session, at most a few
    /// minutes ago.
    func pendingSecret(_ sealed: String, for account: UUID, in session: UUID, at now: Date) -> OneTimeSecret?

    /// Seals a secret for storage in the account.
    func stored(_ secret: OneTimeSecret, of account: UUID) throws -> String

    /// Seals a stored secret for its account if an earlier version sealed it without naming an account.
    ///
    /// - Returns: The newly sealed secret; nil when it is already sealed for its account, or cannot be opened.
    func resealed(_ stored: String, of account: UUID) throws -> String?

    /// Returns the time step of a code during setup; nil unless it is the current, the previous or the next step.
    func step(of code: String, for secret: OneTimeSecret, at now: Date) -> Int?

    /// Returns the time step of a code; nil unless it is the current, the previous or the next step, and later than
    /// the last accepted step.
    ///
    /// - Parameters:
    ///   - code: The code that the person typed.
    ///   - stored: The sealed secret as the account stores it.
    ///   - account: The account.
    ///   - last: The last accepted step.
    ///   - now: The current time.
    func step(of code: String, for stored: String, of account: UUID, after last: Int, at now: Date) -> Int?

    /// Creates recovery codes, each valid for one sign-in, with the hashes that the account stores.
    func makeRecoveryCodes() -> RecoveryCodes

    /// Returns the hash of the code if it is among the hashes; otherwise nil.
    func recoveryHash(of code: String, among hashes: [String]) -> String?
}

/// A secret during the setup of the second factor.
package struct OneTimeSecret: Sendable, Hashable {
    /// The sealed secret for the setup form.
    package let sealed: String
    /// The secret in Base32, as authenticator apps read it.
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
