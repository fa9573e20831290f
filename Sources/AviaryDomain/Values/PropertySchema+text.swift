import Foundation

extension PropertySchema {
    /// The text that a form shows and ``parse(_:)`` reads back.
    package func formText(of value: FieldValue) -> String {
        switch (type, value) {
        case (.array(let element), .text(let text)):
            elements(of: value).flatMap(element.lines) ?? JSONText.indented(text)
        case (.json, .text(let text)): JSONText.indented(text)
        default: type.formText(of: value)
        }
    }

    /// Returns the elements of an array; nil when they are unknown.
    package func elements(of value: FieldValue) -> [FieldValue]? {
        traits.elements?(value, type.scale)
    }

    /// The properties of an ``Embedded`` struct; nil for other types.
    package var embeddedProperties: [EmbeddedProperty]? { traits.embedded?() }

    /// Returns the label of a choice; nil for any other value.
    package func choiceLabel(of value: FieldValue) -> String? {
        guard let index = type.choices?.firstIndex(of: value.formText), choiceLabels.indices.contains(index) else {
            return nil
        }
        return choiceLabels[index]
    }
}

extension PropertyType {
    /// The text that ``parse(_:)`` reads back.
    package func formText(of value: FieldValue) -> String {
        switch (self, value) {
        case (.boolean, .integer(let flag)): flag == 0 ? "false" : "true"
        case (.decimal(let scale), .integer(let count)): ScaledDecimal.text(count, scale: scale)
        case (.float, .real(let number)): Float(number).description.trimmingWholeNumber
        case (_, .blob(let bytes)): Data(bytes).base64EncodedString()
        default: value.formText
        }
    }
}

extension String {
    fileprivate var trimmingWholeNumber: String { hasSuffix(".0") ? String(dropLast(2)) : self }
}
