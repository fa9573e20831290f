import Foundation

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

// What an export writes into a cell, and what an import reads from it.
extension PropertySchema {
    /// The cell of a value; empty for none.
    package func csvText(of value: FieldValue) -> String {
        if value.isNull { return "" }
        guard type.isGuardedInCSV else { return type.formText(of: value) }
        let text =
            switch (type, value) {
            case (.json, .text(let json)), (.array, .text(let json)): json
            default: type.formText(of: value)
            }
        if text.isEmpty, isOptional { return FormulaGuard.emptyText }
        return FormulaGuard.guarded(text)
    }

    /// The value of a cell, but for references and choices, which an import also knows by their names.
    func value(inCSV cell: String) -> Result<FieldValue, FieldProblem> {
        guard type.isGuardedInCSV else { return parse(cell) }
        let text = FormulaGuard.unguarded(cell)
        if text.isEmpty, !cell.isEmpty, isOptional, let empty = type.emptyValue { return .success(empty) }
        return parse(text)
    }
}

extension PropertyType {
    /// Numbers stay numbers. Ids begin with none of the characters that matter.
    fileprivate var isGuardedInCSV: Bool {
        switch self {
        case .toOne, .toMany, .uuid: false
        default: storage == .text || storage == .blob
        }
    }
}

/// Cells of what no property describes, such as values of properties that a model does not have any more.
package enum AuditText {
    package static func cell(_ text: String) -> String { FormulaGuard.guarded(text) }

    package static func cell(_ value: FieldValue) -> String {
        switch value {
        case .null: ""
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): text.isEmpty ? FormulaGuard.emptyText : FormulaGuard.guarded(text)
        case .blob(let bytes): Data(bytes).base64EncodedString()
        }
    }
}
