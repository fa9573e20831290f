public import Foundation

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
