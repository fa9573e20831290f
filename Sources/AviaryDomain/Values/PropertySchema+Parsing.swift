import Foundation

// All conversions of text from forms and CSV files to values are here.
extension PropertySchema {
    /// Parses a text. An empty text is null for an optional.
    package func parse(_ text: String) -> Result<FieldValue, FieldProblem> {
        do {
            return .success(try value(text))
        } catch {
            return .failure(FieldProblem(property: name, message: error.message))
        }
    }

    /// Parses a text that a person typed, who may use the number notation of the current language, `2,5`, and the time
    /// zone of the page.
    package func parse(typed text: String) -> Result<FieldValue, FieldProblem> {
        switch type {
        case .double, .float, .decimal: parse(NumberText.typed(text))
        case .date: parse(clockTime: text)
        default: parse(text)
        }
    }

    /// Parses a time of a clock in the zone of the page. A time with a `Z` is in UTC.
    ///
    /// A time in an hour that is repeated, because clocks are set back, is the first of the two points in time.
    private func parse(clockTime text: String) -> Result<FieldValue, FieldProblem> {
        let trimmed = text.trimmed()
        guard let zone = PageTimeZone.current, !trimmed.hasSuffix("Z"), let moments = zone.moments(ofClockTime: trimmed)
        else { return parse(text) }
        guard let moment = moments.first else {
            return .failure(
                FieldProblem(
                    property: name,
                    message: localized("Enter another time. This one doesn’t exist, because the clocks go forward.")))
        }
        return parse(moment.rfc3339 ?? text)
    }

    private func value(_ text: String) throws(UnreadableText) -> FieldValue {
        if text.hasNUL { throw UnreadableText(PropertyType.nulAdvice) }
        if type == .string { return text.isEmpty && isOptional ? .null : .text(text) }
        if text.isBlank { return isOptional ? .null : type.emptyValue ?? .null }
        switch type {
        case .json: return try rewritten(text)
        case .array(let element): return try rewritten(element.array(text))
        default: return try type.parse(text)
        }
    }

    /// Returns the JSON as the Swift type encodes it.
    private func rewritten(_ text: String) throws(UnreadableText) -> FieldValue {
        if JSONText.hasNUL(text) { throw UnreadableText(PropertyType.nulAdvice) }
        guard let rewritten = traits.rewritten else {
            guard type.refusal(of: .text(text)) == nil else { throw UnreadableText(localized("Enter JSON.")) }
            return .text(text)
        }
        let value: FieldValue
        do {
            value = try rewritten(.text(text), type.scale)
        } catch {
            guard case .invalidJSON(_, let reason) = error.reason else {
                throw UnreadableText(localized("This doesn’t fit the field."))
            }
            throw UnreadableText(localized("This JSON doesn’t fit: \(reason)."))
        }
        if let refusal = type.refusal(of: value) { throw UnreadableText(refusal) }
        if case .text(let written) = value, let unknown = JSONText.unknownPart(of: text, comparedWith: written) {
            throw UnreadableText(localized("Remove “\(unknown)”. This name can’t be saved."))
        }
        return value
    }
}

/// An error for a text that is not a value of its type. The message says what to write instead.
package struct UnreadableText: Error, Hashable {
    package let message: String

    init(_ message: String) {
        self.message = message
    }
}

extension PropertyType {
    /// Parses a text that is not blank.
    package func parse(_ text: String) throws(UnreadableText) -> FieldValue {
        let trimmed = text.trimmed()
        switch self {
        case .string, .toMany: return .text(text)
        case .boolean:
            switch trimmed.lowercased() {
            case "true", "yes", "1": return .integer(1)
            case "false", "no", "0": return .integer(0)
            default: throw UnreadableText(localized("Enter true or false."))
            }
        case .integer, .sizedInteger: return try integer(trimmed)
        case .double:
            return .real(try number(trimmed, as: Double.self))
        case .float:
            return .real(Double(try number(trimmed, as: Float.self)))
        case .decimal(let scale):
            if let refusal = decimalRefusal(of: trimmed, scale: scale) { throw UnreadableText(refusal) }
            return (try? ScaledDecimal.count(trimmed, scale: scale)).map(FieldValue.integer) ?? .null  // was just read
        case .date:
            guard let value = Date(rfc3339: trimmed)?.rfc3339 else {
                throw UnreadableText(localized("Enter a date and time, such as 2026-11-20T09:30."))
            }
            return .text(value)
        case .calendarDate:
            guard let value = CalendarDate(trimmed) else {
                throw UnreadableText(localized("Enter a valid date, such as 2026-11-20."))
            }
            return .text(value.description)
        case .uuid, .toOne:
            guard let value = UUID(canonicalText: trimmed.lowercased()) else {
                throw UnreadableText(
                    self == .uuid
                        ? localized("Enter a UUID: 32 digits from 0 to f, grouped as 8-4-4-4-12.")
                        : localized("Choose a record from the list."))
            }
            return .text(value.canonicalText)
        case .data: return try bytes(trimmed)
        case .url: return try address(trimmed)
        case .choice(let choices):
            guard choices.contains(where: { $0.hasSameBytes(as: trimmed) }) else { throw choiceAdvice(choices) }
            return .text(trimmed)
        case .integerChoice(let choices):
            guard let value = Int(trimmed), choices.contains(value) else {
                throw choiceAdvice(choices.map(String.init))
            }
            return .integer(Int64(value))
        case .json, .array:
            guard refusal(of: .text(trimmed)) == nil else { throw UnreadableText(localized("Enter JSON.")) }
            return .text(trimmed)
        }
    }

    /// Returns the nearest number of the type. A number that would become infinite, or zero without being zero, is
    /// rejected, because the person did not mean that.
    private func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ text: String, as type: Number.Type
    ) throws(UnreadableText) -> Number {
        let digits = text.prefix { $0 != "e" && $0 != "E" }
        // Reject "inf", "nan" and "0x1p4", which Swift also accepts.
        guard let number = Number(text), text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }) else {
            throw UnreadableText(localized("Enter a number, such as \(NumberText.ungrouped("3.75"))."))
        }
        guard number.isFinite else {
            throw UnreadableText(
                localized(
                    "Enter a number from \("-\(Number.greatestFiniteMagnitude)") to \("\(Number.greatestFiniteMagnitude)")."
                ))
        }
        guard number != 0 || !digits.contains(where: { ("1"..."9").contains($0) }) else {
            throw UnreadableText(
                localized("Enter 0 or a number further from 0. This one is too small to be saved."))
        }
        return number
    }

    private func integer(_ text: String) throws(UnreadableText) -> FieldValue {
        guard let value = Int64(text) else {
            let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
            let isNumber = !digits.isEmpty && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            throw UnreadableText(isNumber ? rangeAdvice : localized("Enter a whole number, such as 12."))
        }
        if let refusal = refusal(of: .integer(value)) { throw UnreadableText(refusal) }
        return .integer(value)
    }

    private func bytes(_ text: String) throws(UnreadableText) -> FieldValue {
        // Pasted Base64 often contains line breaks.
        let digits = String(text.filter { !$0.isWhitespace })
        // Foundation decodes some invalid texts, such as "====", to other bytes.
        guard let data = Data(base64Encoded: digits), data.base64EncodedString() == digits else {
            throw UnreadableText(localized("Enter Base64, such as SGVsbG8=."))
        }
        let value = data.fieldValue
        if let refusal = refusal(of: value) { throw UnreadableText(refusal) }
        return value
    }

    private func address(_ text: String) throws(UnreadableText) -> FieldValue {
        // Percent-encode invalid characters, unless the text contains percent signs, whose meaning could change.
        guard let url = URL(string: text, encodingInvalidCharacters: !text.contains("%")), url.scheme != nil,
            refusal(of: url.fieldValue) == nil
        else {
            throw UnreadableText(
                text.contains("%") && URL(string: text)?.scheme != nil
                    ? localized("Encode special characters: a percent sign as %25, a space as %20.")
                    : localized("Enter a complete address, such as https://example.com/page.")
            )
        }
        return url.fieldValue
    }

    private func choiceAdvice(_ choices: [String]) -> UnreadableText {
        UnreadableText(localized("Choose one of: \(choices.joined(separator: ", "))."))
    }
}

extension FieldValue {
    /// The form text of a text or a number, independent of a property.
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

extension PropertySchema {
    /// Returns the text that a form shows and that ``parse(_:)`` accepts.
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

    /// The raw values of the choices that a set can contain; nil for other types.
    package var choicesOfSet: [String]? { traits.isSet ? type.element?.choices : nil }

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
    /// Returns the text that ``parse(_:)`` accepts.
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

// An array is shown with one element per line if the lines are unambiguous, and otherwise as JSON.
extension PropertyType {
    /// Returns the JSON of an array of this type, from lines or from JSON.
    func array(_ text: String) throws(UnreadableText) -> String {
        let trimmed = text.trimmed()
        if trimmed.hasPrefix("[") || !isWrittenInLines { return trimmed }
        var elements: [String] = []
        for line in text.split(whereSeparator: \.isNewline) where !line.allSatisfy(\.isWhitespace) {
            do {
                elements.append(json(try parse(line.trimmingCharacters(in: .whitespaces))))
            } catch {
                throw UnreadableText("Line \(elements.count + 1): \(error.message)")
            }
        }
        return "[" + elements.joined(separator: ",") + "]"
    }

    /// Returns the elements in lines; nil when these would be ambiguous.
    func lines(_ elements: [FieldValue]) -> String? {
        guard isWrittenInLines else { return nil }
        var lines: [String] = []
        for element in elements {
            let line = formText(of: element)
            guard !element.isNull, !line.isBlank, line == line.trimmed(.whitespaces),
                !line.contains(where: \.isNewline), !lines.isEmpty || !line.hasPrefix("[")
            else { return nil }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }

    /// Indicates whether a value of this type can be written on one line.
    package var isWrittenInLines: Bool {
        switch self {
        case .json, .array, .data, .toMany: false
        default: true
        }
    }

    private func json(_ element: FieldValue) -> String {
        switch element {
        case .integer, .real: formText(of: element)
        // Encoding a text as JSON always succeeds.
        case .text(let text): (try? JSONText.encode(text)) ?? "null"
        case .null, .blob: "null"
        }
    }
}
