import Foundation

/// A protection against CSV injection: an apostrophe before a text keeps a spreadsheet from evaluating it as a
/// formula.
///
/// A text that looks like a protected one gets an apostrophe too, so that an import restores every text exactly.
enum CSVInjectionGuard {
    /// The first characters of formulas that OWASP lists, and their full-width forms, which some spreadsheets treat
    /// alike.
    private static let beginnings: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]
    /// The cell of an empty text. An empty cell represents no value.
    static let emptyText = "'"

    static func guarded(_ text: String) -> String {
        isAmbiguous(text) ? "'" + text : text
    }

    /// Returns the text that was passed to ``guarded(_:)``.
    static func unguarded(_ cell: String) -> String {
        guard cell.unicodeScalars.first == "'", isAmbiguous(cell) else { return cell }
        return String(cell.unicodeScalars.dropFirst())
    }

    /// Indicates whether the text, without its leading apostrophes, begins a formula or is empty.
    private static func isAmbiguous(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first(where: { $0 != "'" }) else { return !text.isEmpty }
        return beginnings.contains(first)
    }
}

// The conversions between values and CSV cells, for exports and imports.
extension PropertySchema {
    /// Returns the cell of a value; an empty text for no value.
    package func csvText(of value: FieldValue) -> String {
        if value.isNull { return "" }
        guard type.isGuardedInCSV else { return type.formText(of: value) }
        let text =
            switch (type, value) {
            case (.json, .text(let json)), (.array, .text(let json)): json
            default: type.formText(of: value)
            }
        if text.isEmpty, isOptional { return CSVInjectionGuard.emptyText }
        return CSVInjectionGuard.guarded(text)
    }

    /// Returns the value of a cell. The caller looks up references and choices, which an import also recognizes by
    /// their names.
    func value(inCSV cell: String) -> Result<FieldValue, FieldProblem> {
        guard type.isGuardedInCSV else { return parse(cell) }
        let text = CSVInjectionGuard.unguarded(cell)
        if text.isEmpty, !cell.isEmpty, isOptional, let empty = type.emptyValue { return .success(empty) }
        return parse(text)
    }
}

extension PropertyType {
    /// Indicates whether cells of this type are protected. Numbers stay numbers, and ids never begin with a
    /// dangerous character.
    fileprivate var isGuardedInCSV: Bool {
        switch self {
        case .toOne, .toMany, .uuid: false
        default: storage == .text || storage == .blob
        }
    }
}

/// The cells of values without a property, such as values of properties that a model no longer has.
package enum AuditText {
    package static func cell(_ text: String) -> String { CSVInjectionGuard.guarded(text) }

    package static func cell(_ value: FieldValue) -> String {
        switch value {
        case .null: ""
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): text.isEmpty ? CSVInjectionGuard.emptyText : CSVInjectionGuard.guarded(text)
        case .blob(let bytes): Data(bytes).base64EncodedString()
        }
    }
}
