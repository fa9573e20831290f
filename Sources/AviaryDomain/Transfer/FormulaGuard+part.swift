/// Keeps a spreadsheet from running a text of a CSV file as a formula: an apostrophe stands before it, as a person
/// would write one there.
///
/// A text that could be taken for a guarded one gets an apostrophe too, so that every text comes back as it was.
enum FormulaGuard {
    /// The first characters of formulas that OWASP lists, and their full-width forms, which some spreadsheets treat
    /// alike.
    private static let beginnings: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]
    /// Stands for a text that is there and empty, where an empty cell stands for none.
    static let emptyText = "'"

    static func guarded(_ text: String) -> String {
        isAmbiguous(text) ? "'" + text : text
    }

    /// Returns the text that ``guarded(_:)`` was given.
    static func unguarded(_ cell: String) -> String {
        guard cell.unicodeScalars.first == "'", isAmbiguous(cell) else { return cell }
        return String(cell.unicodeScalars.dropFirst())
    }

    /// Returns a Boolean value that indicates whether, after any apostrophes, the text begins a formula or ends.
    private static func isAmbiguous(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first(where: { $0 != "'" }) else { return !text.isEmpty }
        return beginnings.contains(first)
    }
}
