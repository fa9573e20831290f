import Foundation

/// A stored value, in one of the five storage classes of SQLite.
public enum FieldValue: Sendable, Hashable {
    /// No value.
    case null
    /// A signed 64-bit integer.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// A string. Two strings are equal when their UTF-8 bytes are.
    case text(String)
    /// A sequence of bytes.
    case blob([UInt8])

    package var isNull: Bool { self == .null }
}

// Swift compares strings by canonical equivalence, SQLite by bytes. This comparison follows the store.
extension FieldValue {
    public static func == (left: FieldValue, right: FieldValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.blob(let left), .blob(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        case .text(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .blob(let value): hasher.combine(value)
        }
    }
}

// JSON does not distinguish integers and reals, so a real is tagged. A blob is encoded in Base64.
extension FieldValue: Codable {
    private enum CodingKeys: String, CodingKey {
        case real, blob
    }

    public init(from decoder: any Decoder) throws {
        // A bare value is not an object, and is decoded below.
        if let container = try? decoder.container(keyedBy: CodingKeys.self) {
            if let real = try container.decodeIfPresent(Double.self, forKey: .real) {
                self = .real(real)
            } else {
                let data = try container.decode(Data.self, forKey: .blob)
                self = .blob([UInt8](data))
            }
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {  // not a text: then it must be an integer
            self = .text(text)
        } else {
            self = .integer(try container.decode(Int64.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .real(let value):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(value, forKey: .real)
        case .blob(let value):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(Data(value), forKey: .blob)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .integer(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .text(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }
}

/// An error that reports a stored value that does not fit the property it is read for. It never contains the value.
public enum FieldValueError: Error, Sendable, Hashable {
    /// A value that has another type than the expected one, or is out of its range.
    case typeMismatch(expected: String)
    /// A value that is not a raw value of the choice.
    case unknownChoice
    /// A JSON text that does not decode to the Swift type. The reason names the position in the text.
    case invalidJSON(type: String, reason: String)
    /// A record without a value for the property.
    case missingField(model: String, property: String)
    /// A value that does not fit the named property, for the given reason.
    case invalid(model: String, property: String, reason: String)
}

extension FieldValueError: CustomStringConvertible {
    /// A sentence that describes the error.
    public var description: String {
        switch self {
        case .typeMismatch(let expected): "The stored value is not \(expected)."
        case .unknownChoice: "The stored value is not one of the choices."
        case .invalidJSON(let type, let reason): "The stored JSON is no \(type): \(reason)."
        case .missingField(let model, let property): "\(model).\(property): The record has no such field."
        case .invalid(let model, let property, let reason): "\(model).\(property): \(reason)"
        }
    }
}
