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
    /// In characters (Unicode scalars), after normalization.
    package static let shortest = 15
    /// In bytes of UTF-8: nobody types more, and a form that carries more is not a sign-in.
    package static let longest = 1000
    /// Four common words with something between them have it.
    static let leastWeight = 11

    private let names: [String]

    /// - Parameter names: what others try first here: the account's name, the application's.
    package init(names: [String]) {
        self.names = names
    }

    /// Nil for a password that may be used.
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
    /// It has only so many characters.
    case tooShort(Int)
    case tooLong
    /// It is made of what everybody tries first.
    case guessable

    /// For whoever chose it. Never quotes the password.
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
