import Foundation

/// The rules for a new password. Any mixture of Unicode characters is allowed, including spaces.
///
/// ```swift
/// PasswordRules(names: ["ada", "Zoo"]).problem(with: "Password1234567")  // .guessable
/// ```
///
/// NIST SP 800-63B-4 requires 15 characters of a password that may be the only factor, and OWASP ASVS 5.0, 6.2.1,
/// recommends them. Length alone does not help when the password consists of what attackers try first: see
/// ``PasswordStrength``.
package struct PasswordRules: Sendable {
    /// The smallest length, in characters (Unicode scalars), after normalization.
    package static let shortest = 15
    /// The greatest length, in bytes of UTF-8. People type less, and a form with more is not a sign-in.
    package static let longest = 1000
    /// The smallest weight of a password. Four common words with something between them reach it.
    static let leastWeight = 11

    private let names: [String]

    /// Creates the rules.
    ///
    /// - Parameter names: The names that attackers try first here: the account's and the application's.
    package init(names: [String]) {
        self.names = names
    }

    /// Returns the problem with a password; nil for one that may be used.
    package func problem(with password: String) -> PasswordProblem? {
        guard password.utf8.count <= Self.longest else { return .tooLong }
        let text = Self.normalized(password)
        let count = text.unicodeScalars.count
        guard count >= Self.shortest else { return .tooShort(count) }
        return PasswordStrength(of: text, names: names).value < Self.leastWeight ? .guessable : nil
    }

    /// Returns the form in which passwords are compared: NFKC, so that different encodings of an accent are equal.
    package static func normalized(_ password: String) -> String {
        password.precomposedStringWithCompatibilityMapping
    }
}

/// A reason for which a password is rejected.
package enum PasswordProblem: Error, Sendable, Hashable {
    /// A password that has only this many characters.
    case tooShort(Int)
    case tooLong
    /// A password that consists of what attackers try first.
    case guessable

    /// The problem in words, for the person who chose the password. It never quotes the password.
    package var text: String {
        switch self {
        case .tooShort(let count):
            localized(
                "Use at least \(PasswordRules.shortest) characters. This password has \(count). A few unrelated words are easy to remember."
            )
        case .tooLong:
            localized("Use at most \(TextFormatter.grouped(PasswordRules.longest)) bytes.")
        case .guessable:
            localized(
                "This password is easy to guess: common words, names, sequences and repetitions count little. Add unrelated words."
            )
        }
    }
}

/// The number of characters of a password that count towards its strength.
///
/// A part that attackers try first counts as two characters, whatever its length: a word of common passwords, a
/// name, a run along the alphabet or a row of keys, a repeated character, and a repetition of an earlier part. The
/// weight is the smallest of all divisions of the password into parts.
struct PasswordStrength {
    let value: Int

    private static let partWeight = 2
    private static let shortestPart = 3
    /// The number of characters at the beginning that are examined. Repeating a word a hundred times adds nothing.
    private static let lookedAt = 128
    private static let rows = [
        "1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "azertyuiop",
        "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
    ].flatMap { [Array($0.unicodeScalars), Array($0.unicodeScalars.reversed())] }

    /// Computes the weight of a password.
    ///
    /// - Parameters:
    ///   - password: The normalized password.
    ///   - names: Names to treat as guessable, each as a whole and in its alphabetic parts.
    init(of password: String, names: [String]) {
        let text = Array(password.lowercased().unicodeScalars.prefix(Self.lookedAt))
        let parts = names.map { $0.lowercased() }.flatMap { name in
            [Array(name.unicodeScalars)] + name.unicodeScalars.split { !$0.properties.isAlphabetic }.map(Array.init)
        }
        // least[i] is the weight of the first i characters.
        var least = Array(0...text.count)
        for end in text.indices.map({ $0 + 1 }) {
            least[end] = least[end - 1] + 1
            guard end >= Self.shortestPart else { continue }
            for start in 0...(end - Self.shortestPart) where least[start] + Self.partWeight < least[end] {
                if Self.isGuessed(start..<end, of: text, names: parts) { least[end] = least[start] + Self.partWeight }
            }
        }
        value = least[text.count]
    }

    private static func isGuessed(_ range: Range<Int>, of text: [Unicode.Scalar], names: [[Unicode.Scalar]]) -> Bool {
        let part = text[range]
        return isRun(part) || isWord(part) || names.contains { $0.elementsEqual(part) }
            || rows.contains { $0.contains(part) }
            || text[..<(range.upperBound - 1)].contains(part)
    }

    /// Indicates whether all characters are equal, or each is the successor of the one before, or each the
    /// predecessor.
    private static func isRun(_ part: ArraySlice<Unicode.Scalar>) -> Bool {
        let steps = Set(zip(part.dropFirst(), part).map { Int($0.value) - Int($1.value) })
        return steps.count == 1 && steps.isSubset(of: [-1, 0, 1])
    }

    private static func isWord(_ part: ArraySlice<Unicode.Scalar>) -> Bool {
        guard CommonPasswords.lengths.contains(part.count) else { return false }
        let bytes = part.compactMap { $0.isASCII ? UInt8($0.value) : nil }
        return bytes.count == part.count && CommonPasswords.contain(bytes[...])
    }
}

extension RandomAccessCollection where Element: Equatable {
    /// Indicates whether the collection contains the elements as a contiguous run.
    fileprivate func contains(_ part: some RandomAccessCollection<Element>) -> Bool {
        guard part.count <= count else { return false }
        return (0...(count - part.count)).contains { dropFirst($0).starts(with: part) }
    }
}

extension CommonPasswords {
    static let lengths = 4...16

    /// Indicates whether the list contains a word, given in lower case.
    static func contain(_ word: ArraySlice<UInt8>) -> Bool {
        guard lengths.contains(word.count) else { return false }
        return text.withUTF8Buffer { text in
            var (low, high) = (0, text.count)
            while low < high {
                // Move the middle back to the beginning of a word.
                var start = (low + high) / 2
                while start > low, isLetter(text[start - 1]) { start -= 1 }
                var end = start
                while end < high, isLetter(text[end]) { end += 1 }
                let found = text[start..<end]
                if found.elementsEqual(word) { return true }
                if found.lexicographicallyPrecedes(word) { low = end + 1 } else { high = max(low, start - 1) }
            }
            return false
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte > UInt8(ascii: " ") }
}

/// A service that computes and verifies password hashes, outside the threads that serve requests.
package protocol PasswordHashing: Sendable {
    /// Returns a hash of the password.
    ///
    /// - Throws: ``PasswordHashingError``.
    func hash(_ password: String) async throws(PasswordHashingError) -> String

    /// Indicates whether the hash is that of the password.
    ///
    /// Without a hash, the method takes equally long, so that the time does not reveal who has an account.
    ///
    /// - Throws: ``PasswordHashingError``.
    func verify(_ password: String, against hash: String?) async throws(PasswordHashingError) -> Bool

    /// Indicates whether the password should be hashed again once it is verified, because the hash is weaker than a
    /// new one.
    func needsRehash(_ hash: String) -> Bool
}

/// A reason for which a password was not verified.
package enum PasswordHashingError: Error, Sendable, Hashable {
    /// An error that occurs when the queue is full. Try again after `retryAfter` seconds.
    case busy(retryAfter: Int)
    /// An error that occurs when the caller was cancelled before the hashing began.
    case cancelled
    /// An error that occurs when memory is insufficient, the password is empty, or the hash cannot be read.
    case failed
}

extension PasswordHashingError {
    package var message: String {
        switch self {
        case .busy: localized("Too many people are signing in. Try again in a few seconds.")
        case .cancelled, .failed: localized("Couldn’t process the password. Try again in a moment.")
        }
    }
}
