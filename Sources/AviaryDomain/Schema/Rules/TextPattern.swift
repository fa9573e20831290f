/// A regular expression that whole texts must match, compiled once.
package final class TextPattern: Sendable {
    /// In bytes: a form is of something short. A match takes time in proportion to it.
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
