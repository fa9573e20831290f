/// A regular expression that whole texts must match, compiled once.
package final class TextPattern: Sendable {
    /// The greatest length of a text, in bytes: a form field is short, and the time of a match is proportional to the
    /// length.
    package static let longestText = 1_000

    package let hint: String?
    private let automaton: PatternAutomaton?
    /// The mistake in the pattern; nil when texts can be matched with it.
    let mistake: String?

    init(_ pattern: String, hint: String?) {
        self.hint = hint
        do {
            automaton = try PatternAutomaton(pattern)
            mistake = nil
        } catch {
            // Told when the schema is checked.
            automaton = nil
            mistake = error.reason
        }
    }

    /// Returns the advice for a text that does not match; nil for one that matches.
    func problem(with text: String) -> String? {
        guard text.utf8.count <= Self.longestText else {
            return localized("Shorten this text: at most \(Words.grouped(Self.longestText)) bytes fit its form.")
        }
        if automaton?.matches(text) == true { return nil }
        return hint.map { localized("Write \($0.translated).") }
            ?? localized("This does not have the form that is asked for.")
    }
}
