package import Foundation

extension PropertySchema {
    /// Returns the words for a stored value in the current language, for lists, filters and the activity.
    ///
    /// The digits of a number are grouped, a month has its name, a choice has its label. An array is described by
    /// its elements, an ``Embedded`` struct by its properties.
    ///
    /// - Parameters:
    ///   - value: The value. It may have another type than the property: a value from before a change of the model
    ///     is shown as it is.
    ///   - limit: The number of elements of an array before `and 3 more`.
    ///   - title: A closure that returns the title of the related record with an id.
    /// - Returns: The words; nil for no value, and an empty text for an empty one and for an array without elements.
    package func words(for value: FieldValue, elements limit: Int = .max, title: (UUID) -> String? = { _ in nil })
        -> String?
    {
        switch (value, type) {
        case (.null, _): return nil
        case _ where type.hasNoNumber(value): return nil
        case (.text(let text), .string), (.text(let text), .url), (.text(let text), .uuid):
            return TextFormatter.beginning(of: text)
        case (.text(let id), .toOne), (.text(let id), .toMany):
            return UUID(canonicalText: id).map { title($0) ?? localized("a deleted record") }
                ?? TextFormatter.beginning(of: id)
        case (.text, .array(let element)):
            guard let elements = elements(of: value) else { return TextFormatter.beginning(of: value.formText) }
            return ValueText.list(elements.map { element.words(for: $0, choices: choiceLabels) }, atMost: limit)
        case (.text(let text), .json):
            return embeddedProperties.flatMap { ValueText.embedded(text, $0) } ?? TextFormatter.beginning(of: text)
        default: return type.words(for: value, choices: choiceLabels)
        }
    }
}

extension PropertyType {
    /// Indicates whether a value is the result of a calculation that gives no number, such as a division by zero. No such
    /// value is stored; a computed column can have it.
    package func hasNoNumber(_ value: FieldValue) -> Bool {
        switch (value, self) {
        case (.real(let number), _): !number.isFinite
        case (.text(let text), .decimal): text == Decimal.nan.description
        default: false
        }
    }

    /// Returns the words for a value of this type.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - labels: The labels of a choice, in the order of its values.
    func words(for value: FieldValue, choices labels: [String]) -> String {
        if let index = choices?.firstIndex(of: value.formText), labels.indices.contains(index) { return labels[index] }
        switch (value, self) {
        case (.null, _): return "–"
        case _ where hasNoNumber(value): return "–"
        case (.blob(let bytes), _): return Self.size(ofBytes: bytes.count)
        case (.integer(let flag), .boolean): return flag == 0 ? localized("No") : localized("Yes")
        // The bound of a filter may be a day although the property is a point in time.
        case (.text(let text), .date):
            return text.utf8.count > 10 ? DateTextFormatter.dateAndTime(text) : DateTextFormatter.day(text)
        case (.text(let text), .calendarDate): return DateTextFormatter.day(text)
        case (.text(let text), _): return TextFormatter.beginning(of: text)
        case (.integer, _), (.real, _): return TextFormatter.number(formText(of: value))
        }
    }
}

/// Helpers for the words of composite values.
private enum ValueText {
    /// Returns the first words of a list: `a, b, c and 4 more`.
    static func list(_ words: [String], atMost limit: Int) -> String {
        let rest = words.count - limit
        guard rest > 0 else { return words.joined(separator: ", ") }
        return localized("\(words.prefix(limit).joined(separator: ", ")) and \(rest) more")
    }

    /// Returns the words for a struct, `Street: 4 Privet Drive, Town: Little Whinging`; nil when the text is not
    /// such JSON.
    static func embedded(_ text: String, _ properties: [EmbeddedProperty]) -> String? {
        // A text that cannot be decoded is shown as it is stored.
        guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            return nil
        }
        return embedded(object, properties)
    }

    private static func embedded(_ object: [String: Any], _ properties: [EmbeddedProperty]) -> String? {
        let parts = properties.compactMap { property -> String? in
            guard let words = object[property.key].map({ words(for: $0, property) }) ?? wordsWhenMissing(property)
            else {
                return nil
            }
            return
                "\(TextFormatter.capitalized(TextFormatter.split(property.key).joined(separator: " ").lowercased()).translated): \(words)"
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func wordsWhenMissing(_ property: EmbeddedProperty) -> String? {
        guard let value = property.valueWhenMissing, !value.isNull, value != .text("") else { return nil }
        return property.type.words(for: value, choices: property.choiceLabels)
    }

    /// The largest number of elements to show of an array in a struct.
    private static let mostElements = 3

    private static func words(for value: Any, _ property: EmbeddedProperty) -> String? {
        let type = property.type.element ?? property.type
        switch value {
        case let text as String:
            return text.isEmpty ? nil : type.words(for: .text(text), choices: property.choiceLabels)
        // The properties of the object may be unknown.
        case let object as [String: Any]: return embedded(object, property.properties) ?? "{…}"
        case let array as [Any]:
            return array.isEmpty ? nil : list(array.compactMap { words(for: $0, property) }, atMost: mostElements)
        case let flag as Bool where type == .boolean: return flag ? localized("Yes") : localized("No")
        case let number as NSNumber: return type.words(for: number.stringValue, choices: property.choiceLabels)
        default: return nil
        }
    }
}

extension PropertyType {
    /// Returns the words for a number in JSON, where a decimal has its decimal point, unlike in a column.
    fileprivate func words(for number: String, choices labels: [String]) -> String {
        if let index = choices?.firstIndex(of: number), labels.indices.contains(index) { return labels[index] }
        return TextFormatter.number(number)
    }
}

extension EmbeddedProperty {
    /// The labels of a choice in the current language, in the order of its cases.
    package var choiceLabels: [String] {
        (traits.choiceLabels ?? (type.choices ?? type.element?.choices ?? []).map(TextFormatter.choiceLabel)).map(
            \.translated)
    }
}

extension PropertyType {
    /// The description of the allowed values, which the page shows below a field if its control does not show it.
    package var hint: String? {
        switch self {
        case .sizedInteger(let width):
            localized(
                "A whole number from \(TextFormatter.grouped(String(width.range.lowerBound))) to \(TextFormatter.grouped(String(width.range.upperBound)))"
            )
        case .decimal(let scale) where scale > 0:
            localized(
                scale, one: "Up to 1 digit after the decimal point",
                other: "Up to \(scale) digits after the decimal point")
        case .decimal: localized("A whole number")
        case .array(let element) where element.isWrittenInLines: localized("One per line")
        case .array: localized("A list as JSON")
        case .json: localized("As JSON")
        default: nil
        }
    }

    /// Returns a number of bytes in words: `12,408 bytes`.
    package static func size(ofBytes count: Int) -> String {
        localized(count, one: "1 byte", other: "\(count) bytes")
    }

    /// Returns the address if it is safe as a link; otherwise nil. A `javascript:` address would run code.
    package static func followable(_ address: String) -> String? {
        ["https://", "http://"].contains { address.hasPrefix($0) } ? address : nil
    }
}
