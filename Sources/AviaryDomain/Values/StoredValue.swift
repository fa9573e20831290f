public import Foundation

/// A Swift type whose values one column can hold.
///
/// These types conform: `String`, `Bool`, integers and floating-point numbers of every width, `Decimal`, `Date`,
/// ``CalendarDate``, `UUID`, `Data`, `URL`, ``Choice`` enums, ``Reference``, ``Embedded`` structs, arrays and sets of
/// these, and all of them as optionals.
///
/// A value that a column cannot hold, such as a `UInt64` above `Int64.max`, is never converted to another value. Its
/// ``fieldValue`` has another storage class than the column, and the store rejects it with a message at its property.
///
/// ```swift
/// struct Wavelength: StoredValue {
///     var nanometres: Double
///     static var propertyType: PropertyType { .double }
///     var fieldValue: FieldValue { .real(nanometres) }
///     init(fieldValue: FieldValue) throws(FieldValueError) { nanometres = try Double(fieldValue: fieldValue) }
/// }
/// ```
public protocol StoredValue: Sendable {
    /// The type of a column for these values. It must be the same at every call, because the store creates the file by
    /// it.
    static var propertyType: PropertyType { get }
    /// Indicates whether the column may be NULL. Only `Optional` returns true.
    static var isOptional: Bool { get }
    /// The properties of the values that ``propertyType`` does not describe.
    static var traits: StoredValueTraits { get }
    /// Indicates whether the column value depends on a scale, as for `Decimal` and types made of it.
    static var isScaled: Bool { get }

    /// Creates a value from a column value.
    ///
    /// - Parameter fieldValue: The column value.
    /// - Throws: ``FieldValueError/typeMismatch(expected:)`` when the column value is not one that ``fieldValue``
    ///   returns.
    init(fieldValue: FieldValue) throws(FieldValueError)
    /// The column value. For a value that the column cannot hold, it has another storage class, and the store rejects
    /// it.
    var fieldValue: FieldValue { get }

    /// Creates a value from the value of a column with a scale. It is only called when ``isScaled`` is true.
    ///
    /// - Parameters:
    ///   - fieldValue: The column value.
    ///   - scale: The number of digits after the decimal point that the property declares.
    /// - Throws: ``FieldValueError`` when the column value is not one that ``fieldValue(scale:)`` returns.
    init(fieldValue: FieldValue, scale: Int) throws(FieldValueError)

    /// Returns the value of a column with a scale. It is only called when ``isScaled`` is true.
    ///
    /// - Parameter scale: The number of digits after the decimal point that the property declares.
    /// - Returns: The column value. For a value that the column cannot hold, it has another storage class, and the
    ///   store rejects it.
    func fieldValue(scale: Int) -> FieldValue
}

extension StoredValue {
    public static var isOptional: Bool { false }
    public static var traits: StoredValueTraits { StoredValueTraits() }
    public static var isScaled: Bool { false }

    public init(fieldValue: FieldValue, scale: Int) throws(FieldValueError) {
        try self.init(fieldValue: fieldValue)
    }

    public func fieldValue(scale: Int) -> FieldValue { fieldValue }
}

extension StoredValue {
    /// Returns the column value; nil when a column cannot hold it.
    package func storable(scale: Int) -> FieldValue? {
        let value = fieldValue(scale: scale)
        if value.isNull { return Self.isOptional ? value : nil }
        return Self.propertyType.scaled(scale).refusal(of: value) == nil ? value : nil
    }
}

/// The characteristics of a Swift type's values that a ``PropertyType`` does not describe.
public struct StoredValueTraits: Sendable {
    /// The labels of a choice, in the order of its cases; nil for another type.
    package var choiceLabels: [String]?
    /// A closure that returns the elements of an array or set; nil when the value is not such an array.
    package var elements: (@Sendable (_ array: FieldValue, _ scale: Int) -> [FieldValue]?)?
    /// Indicates whether the elements have no order and none occurs twice.
    package var isSet = false
    /// A closure that returns the properties of an ``Embedded`` struct. It is a closure because such a struct may
    /// contain others of its own type.
    package var embedded: (@Sendable () -> [EmbeddedProperty])?
    /// A closure that decodes a value stored as JSON and encodes it again with the Swift type.
    package var rewritten: (@Sendable (_ value: FieldValue, _ scale: Int) throws(FieldValueError) -> FieldValue)?
    /// The reason that no property can have the type, as the end of a sentence that begins with the property's name;
    /// nil for a type that can be stored.
    var mistake: String?

    /// Creates traits without any characteristics.
    public init() {}
}

extension StoredValue where Self: FixedWidthInteger {
    /// The column value. For an integer that a signed 64-bit integer cannot hold, it is the number as text, which the
    /// store rejects.
    public var fieldValue: FieldValue { Int64(exactly: self).map(FieldValue.integer) ?? .text(String(self)) }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        guard case .integer(let stored) = fieldValue else { throw .typeMismatch(expected: "a whole number") }
        guard let value = Self(exactly: stored) else {
            throw .typeMismatch(expected: "a whole number that \(Self.self) holds")
        }
        self = value
    }
}

extension Int: StoredValue {
    public static var propertyType: PropertyType { .integer }
}

extension Int8: StoredValue {
    public static var propertyType: PropertyType { .sizedInteger(.int8) }
}

extension Int16: StoredValue {
    public static var propertyType: PropertyType { .sizedInteger(.int16) }
}

extension Int32: StoredValue {
    public static var propertyType: PropertyType { .sizedInteger(.int32) }
}

extension Int64: StoredValue {
    public static var propertyType: PropertyType { .integer }
}

extension UInt: StoredValue {
    public static var propertyType: PropertyType { .sizedInteger(.uint64) }
}

extension UInt8: StoredValue {
    public static var propertyType: PropertyType { .sizedInteger(.uint8) }
}

extension UInt16: StoredValue {
    public static var propertyType: PropertyType { .sizedInteger(.uint16) }
}

extension UInt32: StoredValue {
    public static var propertyType: PropertyType { .sizedInteger(.uint32) }
}

extension UInt64: StoredValue {
    public static var propertyType: PropertyType { .sizedInteger(.uint64) }
}

extension String: StoredValue {
    public static var propertyType: PropertyType { .string }
    public var fieldValue: FieldValue { .text(self) }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        guard case .text(let value) = fieldValue else { throw .typeMismatch(expected: "a text") }
        self = value
    }
}

extension Bool: StoredValue {
    public static var propertyType: PropertyType { .boolean }
    public var fieldValue: FieldValue { .integer(self ? 1 : 0) }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        guard case .integer(let value) = fieldValue else { throw .typeMismatch(expected: "a truth value") }
        self = value != 0
    }
}

extension Double: StoredValue {
    public static var propertyType: PropertyType { .double }
    public var fieldValue: FieldValue { .real(self) }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        guard case .real(let value) = fieldValue else { throw .typeMismatch(expected: "a number") }
        self = value
    }
}

extension Float: StoredValue {
    public static var propertyType: PropertyType { .float }
    public var fieldValue: FieldValue { .real(Double(self)) }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        guard case .real(let stored) = fieldValue, let value = Float(exactly: stored) else {
            throw .typeMismatch(expected: "a number of single precision")
        }
        self = value
    }
}

extension Date: StoredValue {
    public static var propertyType: PropertyType { .date }
    /// The column value: RFC 3339 text in UTC, rounded to milliseconds. A date whose year does not have four digits
    /// cannot be stored.
    public var fieldValue: FieldValue { rfc3339.map(FieldValue.text) ?? .real(timeIntervalSince1970) }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        guard case .text(let text) = fieldValue, let value = Date(rfc3339: text) else {
            throw .typeMismatch(expected: "a date and time")
        }
        self = value
    }
}

extension CalendarDate: StoredValue {
    public static var propertyType: PropertyType { .calendarDate }
    public var fieldValue: FieldValue { .text(description) }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        guard case .text(let text) = fieldValue, let value = CalendarDate(text) else {
            throw .typeMismatch(expected: "a date")
        }
        self = value
    }
}

extension UUID: StoredValue {
    public static var propertyType: PropertyType { .uuid }
    public var fieldValue: FieldValue { .text(canonicalText) }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        guard case .text(let text) = fieldValue, let value = UUID(canonicalText: text) else {
            throw .typeMismatch(expected: "a UUID")
        }
        self = value
    }
}

extension Data: StoredValue {
    public static var propertyType: PropertyType { .data }
    /// The column value: the bytes. A value of more than ``PropertyType/longestData`` bytes cannot be stored.
    public var fieldValue: FieldValue { .blob([UInt8](self)) }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        guard case .blob(let bytes) = fieldValue else { throw .typeMismatch(expected: "bytes") }
        self.init(bytes)
    }
}

extension URL: StoredValue {
    public static var propertyType: PropertyType { .url }
    /// The column value: the absolute URL. It includes the base URL.
    public var fieldValue: FieldValue { .text(absoluteString) }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        guard case .text(let text) = fieldValue, let value = URL(string: text, encodingInvalidCharacters: false) else {
            throw .typeMismatch(expected: "an address")
        }
        self = value
    }
}

extension Reference: StoredValue {
    public static var propertyType: PropertyType { .toOne(model: M.modelName) }
    public var fieldValue: FieldValue { id.uuid.fieldValue }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        self.init(id: RecordID(try UUID(fieldValue: fieldValue)))
    }
}

extension Optional: StoredValue where Wrapped: StoredValue {
    public static var propertyType: PropertyType { Wrapped.propertyType }
    public static var isOptional: Bool { true }
    public static var traits: StoredValueTraits { Wrapped.traits }
    public static var isScaled: Bool { Wrapped.isScaled }
    public var fieldValue: FieldValue { self?.fieldValue ?? .null }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        self = fieldValue.isNull ? nil : try Wrapped(fieldValue: fieldValue)
    }

    public init(fieldValue: FieldValue, scale: Int) throws(FieldValueError) {
        self = fieldValue.isNull ? nil : try Wrapped(fieldValue: fieldValue, scale: scale)
    }

    public func fieldValue(scale: Int) -> FieldValue { self?.fieldValue(scale: scale) ?? .null }
}
