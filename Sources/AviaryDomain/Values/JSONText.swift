import Foundation

/// The conversion between values of `Codable` types and their stored JSON text.
///
/// Equal values have equal texts: keys are sorted, and dates have the same format as in a column.
enum JSONText {
    /// Encodes a value.
    ///
    /// - Throws: `EncodingError` for a value that JSON cannot represent: an infinite number, or a date with a
    ///   five-digit year.
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            guard let text = date.rfc3339 else {
                throw EncodingError.invalidValue(date, .init(codingPath: encoder.codingPath, debugDescription: "year"))
            }
            try container.encode(text)
        }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Decodes a value.
    ///
    /// - Throws: `DecodingError`.
    static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = Date(rfc3339: try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "This is no date and time, such as 2026-11-20T09:30.")
            }
            return date
        }
        return try decoder.decode(type, from: Data(text.utf8))
    }
}

extension JSONText {
    /// Returns the column value of the value: its JSON text, or a value that the store rejects when there is none.
    static func fieldValue(_ value: some Encodable) -> FieldValue {
        do {
            return .text(try encode(value))
        } catch {
            return .blob([])
        }
    }

    static func value<Value: Decodable>(_ type: Value.Type, of fieldValue: FieldValue) throws(FieldValueError) -> Value
    {
        guard case .text(let text) = fieldValue else { throw .typeMismatch(expected: "a text of JSON") }
        do {
            return try decode(type, text)
        } catch {
            throw .invalidJSON(type: "\(type)", reason: reason(error, in: text))
        }
    }

    /// Returns the problem and its position, but never the content.
    private static func reason(_ error: any Error, in text: String) -> String {
        switch error as? DecodingError {
        case .keyNotFound(let key, let context): "\(path(context.codingPath + [key])) is missing"
        case .typeMismatch(let type, let context): "\(path(context.codingPath)) is not \(words(for: type))"
        case .valueNotFound(let type, let context): "\(path(context.codingPath)) is null and not \(words(for: type))"
        // Foundation reports a number that its type cannot represent in the same way, and without a position.
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            isJSON(text)
                ? "a number is too large for its place, or has digits after the point where a whole one belongs"
                : "it is not written as JSON"
        case .dataCorrupted(let context): "\(path(context.codingPath)) does not fit"
        default: "it cannot be read"
        }
    }

    /// Returns a coding path as text: `address.lines[2]`.
    private static func path(_ keys: [any CodingKey]) -> String {
        guard !keys.isEmpty else { return "the whole" }
        var path = ""
        for key in keys {
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return path
    }

    private static func words(for type: Any.Type) -> String {
        if type is any BinaryInteger.Type { return "a whole number" }
        if type is any BinaryFloatingPoint.Type || type == Decimal.self { return "a number" }
        switch type {
        case is String.Type: return "a text"
        case is Bool.Type: return "true or false"
        default:
            return "\(type)".contains("Dictionary")
                ? "an object" : "\(type)".contains("Array") ? "a list" : "of the type \(type)"
        }
    }
}

extension JSONText {
    /// Indicates whether the text is exactly one JSON value.
    static func isJSON(_ text: String) -> Bool { JSONShape(text) != nil }

    /// Indicates whether a string in the JSON contains a NUL, which JSON can represent only as an escape.
    static func hasNUL(_ text: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return false }
        var rest = text.utf8[...]
        while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
            let escape = rest[backslash...].dropFirst()
            if escape.starts(with: "u0000".utf8) { return true }
            rest = escape.dropFirst()
        }
        return false
    }

    /// Returns the path of the first key or element that is in only one of the texts, or that occurs twice.
    ///
    /// The program wrote the second text from the decoded first one, so a difference is something that the Swift
    /// type does not have. Null counts as a missing key.
    static func unknownPart(of text: String, comparedWith written: String) -> String? {
        guard let text = JSONShape(text), let written = JSONShape(written) else { return nil }
        return text.unknownPart(comparedWith: written, at: "")
    }
}

extension JSONShape {
    fileprivate func unknownPart(comparedWith written: JSONShape, at path: String) -> String? {
        switch (self, written) {
        case (.object(let members), .object(let known)):
            let known = Dictionary(known.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
            var keys: Set<String> = []
            for (key, value) in members {
                let path = path.isEmpty ? key : "\(path).\(key)"
                guard keys.insert(key).inserted else { return path }
                guard let counterpart = known[key] else {
                    if case .null = value { continue }
                    return path
                }
                if let part = value.unknownPart(comparedWith: counterpart, at: path) { return part }
            }
            return nil
        case (.array(let array), .array(let known)) where array.count == known.count:
            for (index, (value, counterpart)) in zip(array, known).enumerated() {
                if let part = value.unknownPart(comparedWith: counterpart, at: "\(path)[\(index)]") { return part }
            }
            return nil
        default: return nil
        }
    }
}

extension JSONText {
    /// Returns the same JSON in lines, indented by two spaces per level. Numbers and texts stay unchanged.
    static func indented(_ text: String) -> String {
        var output: [UInt8] = []
        var depth = 0, isInText = false, isEscaped = false
        func newLine() { output += [UInt8(ascii: "\n")] + repeatElement(UInt8(ascii: " "), count: 2 * depth) }
        var bytes = text.utf8.makeIterator()
        var next = bytes.next()
        while let byte = next {
            next = bytes.next()
            if isInText {
                output.append(byte)
                if byte == UInt8(ascii: "\""), !isEscaped { isInText = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                output.append(byte)
                isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                output.append(byte)
                guard next != UInt8(ascii: "}"), next != UInt8(ascii: "]") else { continue }
                depth += 1
                newLine()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let last = output.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") {
                    depth = max(0, depth - 1)
                    newLine()
                }
                output.append(byte)
            case UInt8(ascii: ","):
                output.append(byte)
                newLine()
            case UInt8(ascii: ":"): output += [byte, UInt8(ascii: " ")]
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): break
            default: output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
