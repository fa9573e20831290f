package import Foundation

extension PropertySchema {
    /// Returns the words for a stored value in the current language, which lists, filters and the activity use alike.
    ///
    /// A number has its thousands grouped, a day its month by name, a choice its label. An array is described by its
    /// elements, an ``Embedded`` struct by its properties.
    ///
    /// - Parameters:
    ///   - value: The value. It may have another type than the property: a value from before a change of the model is
    ///     shown as it is.
    ///   - limit: The number of elements of an array before `and 3 more`.
    ///   - title: A closure that returns the title of the related record with an id.
    /// - Returns: The words; nil for no value, and an empty text for an empty one and for an array without elements.
    package func words(for value: FieldValue, elements limit: Int = .max, title: (UUID) -> String? = { _ in nil })
        -> String?
    {
        switch (value, type) {
        case (.null, _): return nil
        case (.text(let text), .string), (.text(let text), .url), (.text(let text), .uuid):
            return Words.beginning(of: text)
        case (.text(let id), .toOne), (.text(let id), .toMany):
            return UUID(canonicalText: id).map { title($0) ?? localized("a deleted record") } ?? Words.beginning(of: id)
        case (.text, .array(let element)):
            guard let elements = elements(of: value) else { return Words.beginning(of: value.formText) }
            return ValueText.list(elements.map { element.words(for: $0, choices: choiceLabels) }, atMost: limit)
        case (.text(let text), .json):
            return embeddedProperties.flatMap { ValueText.embedded(text, $0) } ?? Words.beginning(of: text)
        default: return type.words(for: value, choices: choiceLabels)
        }
    }
}

extension PropertyType {
    /// - Parameter labels: Of a choice, in the order of its values.
    func words(for value: FieldValue, choices labels: [String]) -> String {
        if let index = choices?.firstIndex(of: value.formText), labels.indices.contains(index) { return labels[index] }
        switch (value, self) {
        case (.null, _): return "–"
        case (.blob(let bytes), _): return Self.size(ofBytes: bytes.count)
        case (.integer(let flag), .boolean): return flag == 0 ? localized("No") : localized("Yes")
        // A filter asks for a day, where times are stored.
        case (.text(let text), .date): return text.utf8.count > 10 ? DateWords.dateAndTime(text) : DateWords.day(text)
        case (.text(let text), .calendarDate): return DateWords.day(text)
        case (.text(let text), _): return Words.beginning(of: text)
        case (.integer, _), (.real, _): return Words.number(formText(of: value))
        }
    }
}

/// Parts of values in words.
private enum ValueText {
    /// `a, b, c and 4 more`.
    static func list(_ words: [String], atMost limit: Int) -> String {
        let rest = words.count - limit
        guard rest > 0 else { return words.joined(separator: ", ") }
        return localized("\(words.prefix(limit).joined(separator: ", ")) and \(rest) more")
    }

    /// `Street: 4 Privet Drive, Town: Little Whinging`; nil where the text is not what the struct writes.
    static func embedded(_ text: String, _ properties: [EmbeddedProperty]) -> String? {
        // It is told as it is stored where it cannot be read.
        guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            return nil
        }
        return embedded(object, properties)
    }

    private static func embedded(_ object: [String: Any], _ properties: [EmbeddedProperty]) -> String? {
        let parts = properties.compactMap { property -> String? in
            guard let value = object[property.key], let words = words(for: value, property) else { return nil }
            return
                "\(Words.capitalized(Words.split(property.key).joined(separator: " ").lowercased()).translated): \(words)"
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Elements of an array in a struct.
    private static let mostElements = 3

    private static func words(for value: Any, _ property: EmbeddedProperty) -> String? {
        let type = property.type.element ?? property.type
        switch value {
        case let text as String:
            return text.isEmpty ? nil : type.words(for: .text(text), choices: property.choiceLabels)
        // Whose properties are not known.
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
    /// A number as JSON holds it: a decimal as it is written, where a column counts its last digits.
    fileprivate func words(for number: String, choices labels: [String]) -> String {
        if let index = choices?.firstIndex(of: number), labels.indices.contains(index) { return labels[index] }
        return Words.number(number)
    }
}

extension EmbeddedProperty {
    fileprivate var choiceLabels: [String] {
        (traits.choiceLabels ?? (type.choices ?? type.element?.choices ?? []).map(Words.choiceLabel)).map(\.translated)
    }
}

extension PropertyType {
    /// The description of the values below a field, where its control does not show it.
    package var hint: String? {
        switch self {
        case .sizedInteger(let width):
            localized(
                "A whole number from \(Words.grouped(String(width.range.lowerBound))) to \(Words.grouped(String(width.range.upperBound)))"
            )
        case .decimal(let scale) where scale > 0:
            localized(scale, one: "Up to 1 digit after the point", other: "Up to \(scale) digits after the point")
        case .decimal: localized("A whole number")
        case .array(let element) where element.isWrittenInLines: localized("One on each line")
        case .array: localized("A list as JSON")
        case .json: localized("As JSON")
        default: nil
        }
    }

    /// `12,408 bytes`.
    package static func size(ofBytes count: Int) -> String {
        localized(count, one: "1 byte", other: "\(count) bytes")
    }

    /// The address when following it from a page does nothing but show another: `javascript:` would run.
    package static func followable(_ address: String) -> String? {
        ["https://", "http://"].contains { address.hasPrefix($0) } ? address : nil
    }
}
