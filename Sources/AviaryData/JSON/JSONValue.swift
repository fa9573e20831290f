import AviaryDomain

/// A complete JSON value in memory, for small values.
enum JSONValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    case number(JSONNumber)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue {
    subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    var integer: Int64? { if case .number(.integer(let number)) = self { number } else { nil } }
    var list: [JSONValue]? { if case .list(let elements) = self { elements } else { nil } }
    var texts: [String]? {
        guard let list else { return nil }
        let texts = list.compactMap(\.text)
        return texts.count == list.count ? texts : nil
    }
}

extension JSONReader {
    mutating func value() throws -> JSONValue {
        switch try start() {
        case UInt8(ascii: "{"):
            var members: [String: JSONValue] = [:]
            try object { name, reader in members[name] = try reader.value() }
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            try array { elements.append(try $0.value()) }
            return .list(elements)
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean(try boolean())
        case UInt8(ascii: "n"):
            try literal("null")
            return .null
        default: return .number(try number())
        }
    }

    mutating func boolean() throws(JSONError) -> Bool {
        switch try start() {
        case UInt8(ascii: "t"):
            try literal("true")
            return true
        case UInt8(ascii: "f"):
            try literal("false")
            return false
        default: throw .otherType(expected: .truthValue)
        }
    }

    /// Reads the value and discards it.
    mutating func skip() throws {
        switch try start() {
        case UInt8(ascii: "{"): try object { try $1.skip() }
        case UInt8(ascii: "["): try array { try $0.skip() }
        default: _ = try value()
        }
    }
}

/// A reason why bytes are not one JSON value (RFC 8259).
enum JSONError: Error, Sendable, Hashable {
    case ended
    case unexpectedByte
    case invalidNumber
    case invalidText
    case duplicateKey
    case tooDeep
    case tooManyNames
    /// A value beyond the number that the reader accepts.
    case tooManyValues
    /// Data after the complete value.
    case trailing
    /// A JSON value of another type than the expected one.
    case otherType(expected: ExpectedType)

    enum ExpectedType: String, Sendable {
        case object = "an object"
        case list = "a list"
        case text = "a text"
        case number = "a number"
        case wholeNumber = "a whole number"
        case truthValue = "true or false"
        case bytes = "bytes in Base64"
        case storedValue = "a stored value"
        case twoValues = "two values"
    }
}

extension JSONError: CustomStringConvertible {
    var description: String {
        switch self {
        case .ended: localized("unexpected end.")
        case .unexpectedByte: localized("unexpected character.")
        case .invalidNumber: localized("invalid number.")
        case .invalidText: localized("invalid text.")
        case .duplicateKey: localized("duplicate name.")
        case .tooDeep: localized("nested too deeply.")
        case .tooManyNames: localized("an object has more than \(String(JSONReader.nameLimit)) names.")
        case .tooManyValues: localized("too many values.")
        case .trailing: localized("unexpected text after the value.")
        case .otherType(let expected): expected.sentence
        }
    }
}

extension JSONError.ExpectedType {
    fileprivate var sentence: String {
        switch self {
        case .object: localized("expected an object.")
        case .list: localized("expected a list.")
        case .text: localized("expected a text.")
        case .number: localized("expected a number.")
        case .wholeNumber: localized("expected a whole number.")
        case .truthValue: localized("expected true or false.")
        case .bytes: localized("expected bytes in Base64.")
        case .storedValue: localized("expected a stored value.")
        case .twoValues: localized("expected two values.")
        }
    }
}
