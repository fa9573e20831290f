/// A whole JSON value in memory: for the few that are small.
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

    /// Reads the value and forgets it.
    mutating func skip() throws {
        switch try start() {
        case UInt8(ascii: "{"): try object { try $1.skip() }
        case UInt8(ascii: "["): try array { try $0.skip() }
        default: _ = try value()
        }
    }
}
