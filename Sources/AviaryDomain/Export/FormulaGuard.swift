/// Keeps a spreadsheet from running a text of a CSV file as a formula: an apostrophe stands before it, as a person would
/// write one there.
///
/// A text that could be taken for a guarded one gets an apostrophe too, so that every text comes back as it was.
enum FormulaGuard {
    /// What OWASP names, also in the wide forms that some spreadsheets take for the same.
    private static let beginnings: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]
    /// Stands for a text that is there and empty, where an empty cell stands for none.
    static let emptyText = "'"

    static func guarded(_ text: String) -> String {
        isAmbiguous(text) ? "'" + text : text
    }

    /// What ``guarded(_:)`` was given.
    static func unguarded(_ cell: String) -> String {
        guard cell.unicodeScalars.first == "'", isAmbiguous(cell) else { return cell }
        return String(cell.unicodeScalars.dropFirst())
    }

    /// Whether behind any apostrophes a formula begins, or nothing comes.
    private static func isAmbiguous(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first(where: { $0 != "'" }) else { return !text.isEmpty }
        return beginnings.contains(first)
    }
}
