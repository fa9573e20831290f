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
        case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
        case (.blob(let left), .blob(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        case .text(var value):
            value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            // No text has this byte. It ends the text, so that "ab" and "c" differ from "a" and "bc".
            hasher.combine(0xFF as UInt8)
        case .blob(let value): hasher.combine(value)
        }
    }
}

extension String {
    /// Indicates whether both strings have the same UTF-8 bytes.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var text = self, other = other
        return text.withUTF8 { bytes in
            other.withUTF8 { others in
                guard let start = bytes.baseAddress, let otherStart = others.baseAddress else { return true }
                return memcmp(start, otherStart, bytes.count) == 0
            }
        }
    }

    /// Indicates whether the string contains U+0000, at which functions of SQLite end and which PostgreSQL rejects.
    package var hasNUL: Bool {
        var text = self
        return text.withUTF8 { bytes in bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false }
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
///
/// Your own ``StoredValue`` types throw ``typeMismatch(expected:)`` or ``unknownChoice``. A model that is read adds the
/// names of the model and the property: the error then has the code ``Code/invalid``.
///
/// Later versions may add codes. Compare ``code`` with the codes that you handle, and use ``description`` for the
/// others.
public struct FieldValueError: Error, Sendable, Hashable {
    /// The error with its details, for exhaustive matching within the package.
    package let reason: Reason

    package init(_ reason: Reason) {
        self.reason = reason
    }

    /// The kind of the error.
    public var code: Code {
        switch reason {
        case .typeMismatch: .typeMismatch
        case .unknownChoice: .unknownChoice
        case .invalidJSON: .invalidJSON
        case .missingField: .missingField
        case .invalid: .invalid
        }
    }

    /// The name of the model; nil when the value was not read for a property of a model.
    public var model: String? {
        switch reason {
        case .missingField(let model, _), .invalid(let model, _, _): model
        case .typeMismatch, .unknownChoice, .invalidJSON: nil
        }
    }

    /// The name of the property; nil when the value was not read for a property of a model.
    public var property: String? {
        switch reason {
        case .missingField(_, let property), .invalid(_, let property, _): property
        case .typeMismatch, .unknownChoice, .invalidJSON: nil
        }
    }
}

extension FieldValueError {
    /// A kind of error of a stored value.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, such as `typeMismatch`.
        public let description: String

        fileprivate init(_ name: String) {
            description = name
        }

        /// Indicates a value that has another type than the expected one, or is out of its range.
        public static let typeMismatch = Code("typeMismatch")
        /// Indicates a value that is not a raw value of the choice.
        public static let unknownChoice = Code("unknownChoice")
        /// Indicates a JSON text that does not decode to the Swift type. The description names the position in the
        /// text.
        public static let invalidJSON = Code("invalidJSON")
        /// Indicates a record without a value for the property.
        public static let missingField = Code("missingField")
        /// Indicates a value that does not fit the property ``FieldValueError/property`` of the model
        /// ``FieldValueError/model``.
        public static let invalid = Code("invalid")
    }

    package enum Reason: Sendable, Hashable {
        case typeMismatch(expected: String)
        case unknownChoice
        case invalidJSON(type: String, reason: String)
        case missingField(model: String, property: String)
        case invalid(model: String, property: String, reason: String)
    }

    /// An error for a value that is not a raw value of a choice.
    public static let unknownChoice = FieldValueError(.unknownChoice)

    /// Returns an error for a value that has another type than the expected one, or is out of its range.
    ///
    /// - Parameter expected: The expected value, with an article: `a whole number`. It must not contain the value.
    public static func typeMismatch(expected: String) -> FieldValueError {
        FieldValueError(.typeMismatch(expected: expected))
    }

    package static func invalidJSON(type: String, reason: String) -> Self {
        Self(.invalidJSON(type: type, reason: reason))
    }
    package static func missingField(model: String, property: String) -> Self {
        Self(.missingField(model: model, property: property))
    }
    package static func invalid(model: String, property: String, reason: String) -> Self {
        Self(.invalid(model: model, property: property, reason: reason))
    }
}

extension FieldValueError: CustomStringConvertible {
    /// A sentence that describes the error.
    public var description: String {
        switch reason {
        case .typeMismatch(let expected): "The stored value is not \(expected)."
        case .unknownChoice: "The stored value is not one of the choices."
        case .invalidJSON(let type, let reason): "The stored JSON is no \(type): \(reason)."
        case .missingField(let model, let property): "\(model).\(property): The record has no such field."
        case .invalid(let model, let property, let reason): "\(model).\(property): \(reason)"
        }
    }
}

extension FieldValueError: RedactedError {
    // The description may contain keys of a JSON text.
    package var redacted: String { "\(Self.self) \(code)" }
}
