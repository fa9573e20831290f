import Foundation

extension ModelSchema {
    /// What stands against storing these values; empty when nothing does. Uniqueness and references are the store's to check.
    ///
    /// - Parameter values: By property name. Properties that are not named are not checked, as in an update.
    package func problems(in values: [String: FieldValue]) -> [FieldProblem] {
        storedProperties.compactMap { property in
            guard let value = values[property.name] else { return nil }
            return property.problem(with: value, of: self).map { FieldProblem(property: property.name, message: $0) }
        }
    }
}

extension PropertySchema {
    /// The longest text that one field may hold, in bytes: far above any name, far below what a page can show.
    package static let longestText = 1_000_000

    fileprivate func problem(with value: FieldValue, of model: ModelSchema) -> String? {
        switch value {
        case .null:
            guard isRequired || !isOptional else { return nil }
            return missing(in: model)
        case .text(let text):
            if attributes.contains(.required), text.isBlank { return missing(in: model) }
            if text.utf8.count > Self.longestText {
                return "Shorten this text: at most \(Words.grouped(Self.longestText)) bytes can be stored."
            }
            return isTextual && isWellFormed(text) ? nil : mismatch
        case .integer(let number):
            return switch type {
            case .integer: nil
            case .boolean where number == 0 || number == 1: nil
            default: mismatch
            }
        case .real(let number):
            // NaN would silently become NULL in SQLite.
            return type == .double && number.isFinite ? nil : mismatch
        case .blob:
            return mismatch
        }
    }

    private var mismatch: String { "This value does not fit the field." }

    private func missing(in model: ModelSchema) -> String {
        switch type {
        case .toOne, .choice: "Choose \(Words.withArticle(label.lowercased()))."
        default: "Give the \(model.singularName) \(Words.withArticle(label.lowercased()))."
        }
    }

    private var isTextual: Bool {
        switch type {
        case .string, .date, .calendarDate, .uuid, .choice, .toOne: true
        case .boolean, .integer, .double, .toMany: false
        }
    }

    private func isWellFormed(_ text: String) -> Bool {
        switch type {
        case .date: Date(rfc3339: text)?.rfc3339 == text
        case .calendarDate: CalendarDate(text) != nil
        case .uuid, .toOne: UUID(canonicalText: text) != nil
        case .choice(let choices): choices.contains(text)
        default: !text.utf8.contains(0)
        }
    }
}
