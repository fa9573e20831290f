import Foundation

// Text from a form or a CSV file becomes a value here, and nowhere else.
extension PropertySchema {
    /// The value that the text spells; an empty text is null for an optional.
    package func parse(_ text: String) -> Result<FieldValue, FieldProblem> {
        if text.utf8.contains(0) { return problem("Remove the NUL character: it cannot be stored.") }
        if type != .string, text.isBlank { return .success(.null) }
        if type == .string { return .success(text.isEmpty && isOptional ? .null : .text(text)) }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch type {
        case .string, .toMany:
            return .success(.text(text))
        case .boolean:
            switch trimmed.lowercased() {
            case "true", "yes", "1": return .success(.integer(1))
            case "false", "no", "0": return .success(.integer(0))
            default: return problem("Write true or false.")
            }
        case .integer:
            guard let value = Int64(trimmed) else { return problem("Write a whole number, such as 12.") }
            return .success(.integer(value))
        case .double:
            guard let value = Double(trimmed), value.isFinite else { return problem("Write a number, such as 3.75.") }
            return .success(.real(value))
        case .date:
            guard let value = Date(rfc3339: trimmed)?.rfc3339 else {
                return problem("Write a date and time, such as 2026-11-20T09:30.")
            }
            return .success(.text(value))
        case .calendarDate:
            guard let value = CalendarDate(trimmed) else { return problem("Write a date that exists, such as 2026-11-20.") }
            return .success(.text(value.description))
        case .uuid, .toOne:
            guard let value = UUID(canonicalText: trimmed.lowercased()) else { return problem("Choose a record from the list.") }
            return .success(.text(value.canonicalText))
        case .choice(let choices):
            guard choices.contains(trimmed) else { return problem("Choose one of: \(choices.joined(separator: ", ")).") }
            return .success(.text(trimmed))
        }
    }

    private func problem(_ message: String) -> Result<FieldValue, FieldProblem> {
        .failure(FieldProblem(property: name, message: message))
    }
}

extension FieldValue {
    /// The text that a form shows and ``PropertySchema/parse(_:)`` reads back.
    package var formText: String {
        switch self {
        case .null: ""
        case .integer(let value): String(value)
        case .real(let value): value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
        case .text(let value): value
        case .blob: ""
        }
    }
}
