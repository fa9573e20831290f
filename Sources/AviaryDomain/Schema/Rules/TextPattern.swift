import Synchronization

/// A regular expression that whole texts must match, compiled once.
package final class TextPattern: Sendable {
    /// In bytes. How long a match takes may grow faster than the text, and the pattern is somebody's own.
    package static let longestText = 1_000

    package let hint: String?
    // A Regex is not Sendable. Only one match at a time; each is short.
    private let regex: Mutex<Regex<AnyRegexOutput>?>

    /// Whether it is a regular expression.
    package let isValid: Bool

    init(_ pattern: String, hint: String?) {
        self.hint = hint
        // What is wrong with the pattern is told when the schema is checked.
        let compiled = try? Regex(pattern)
        isValid = compiled != nil
        regex = Mutex(compiled)
    }

    /// What to do instead; nil for a text that fits.
    func problem(with text: String) -> String? {
        guard text.utf8.count <= Self.longestText else {
            return "Shorten this text: at most \(Words.grouped(Self.longestText)) bytes fit its form."
        }
        // A match that cannot be finished is none.
        let matches = regex.withLock { regex in regex.map { (try? $0.wholeMatch(in: text)) != nil } ?? false }
        if matches { return nil }
        return hint.map { "Write \($0)." } ?? "This does not have the form that is asked for."
    }
}
