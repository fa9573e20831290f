package import Foundation

/// The second factor: time-based one-time passwords (RFC 6238) and recovery codes.
package protocol OneTimePasswords: Sendable {
    /// A new secret: sealed as the account keeps it, and in Base32 as an authenticator takes it.
    func makeSecret() throws -> OneTimeSecret

    /// The secret in Base32; nil when it was sealed under a key that is gone.
    func reveal(_ sealed: String) -> String?

    /// The time step to which the code belongs, if it is one of now, of the step before or of the one after, and later than
    /// the last that was accepted.
    func step(of code: String, for sealed: String, after last: Int, at now: Date) -> Int?

    /// Codes to keep on paper, each good for one sign-in, and their hashes as the account keeps them.
    func makeRecoveryCodes() -> RecoveryCodes

    /// Which of the hashes is the code's.
    func recoveryHash(of code: String, among hashes: [String]) -> String?
}

package struct OneTimeSecret: Sendable, Hashable {
    package let sealed: String
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
