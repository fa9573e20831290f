import Foundation

/// The rules for a new password. Any Unicode characters are allowed, also spaces, in any mixture.
///
/// ```swift
/// PasswordRules(names: ["ada", "Zoo"]).problem(with: "Password1234567")  // .guessable
/// ```
///
/// NIST SP 800-63B-4 requires 15 characters of a password that may be the only factor, and OWASP ASVS 5.0, 6.2.1,
/// recommends them. Length alone does not help when the password consists of what attackers try first: see
/// ``PasswordWeight``.
package struct PasswordRules: Sendable {
    /// The smallest length, in characters (Unicode scalars), after normalization.
    package static let shortest = 15
    /// The greatest length, in bytes of UTF-8. Nobody types more, and a form with more is not a sign-in.
    package static let longest = 1000
    /// Four common words with something between them have it.
    static let leastWeight = 11

    private let names: [String]

    /// - Parameter names: what others try first here: the account's name, the application's.
    package init(names: [String]) {
        self.names = names
    }

    /// Returns the problem with a password; nil for one that may be used.
    package func problem(with password: String) -> PasswordProblem? {
        guard password.utf8.count <= Self.longest else { return .tooLong }
        let text = Self.normalized(password)
        let count = text.unicodeScalars.count
        guard count >= Self.shortest else { return .tooShort(count) }
        return PasswordWeight(of: text, names: names).value < Self.leastWeight ? .guessable : nil
    }

    /// The form in which passwords are compared: NFKC, so that it does not matter how a keyboard makes an accent.
    package static func normalized(_ password: String) -> String {
        password.precomposedStringWithCompatibilityMapping
    }
}

/// A reason for which a password is rejected.
package enum PasswordProblem: Error, Sendable, Hashable {
    /// The password has only this many characters.
    case tooShort(Int)
    case tooLong
    /// The password consists of what attackers try first.
    case guessable

    /// The problem in words, for the person who chose the password. It never quotes the password.
    package var text: String {
        switch self {
        case .tooShort(let count):
            localized(
                "Use at least \(PasswordRules.shortest) characters: this has \(count). A few words that do not belong together are easy to remember."
            )
        case .tooLong:
            localized("Use at most \(Words.grouped(PasswordRules.longest)) bytes.")
        case .guessable:
            localized(
                "This is easy to guess: common words, names, sequences and repetitions count little. Add words that do not belong together."
            )
        }
    }
}
