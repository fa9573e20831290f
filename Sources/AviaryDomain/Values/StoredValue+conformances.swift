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

extension Int: StoredValue {
    public static var propertyType: PropertyType { .integer }
    public var fieldValue: FieldValue { .integer(Int64(self)) }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        guard case .integer(let stored) = fieldValue, let value = Int(exactly: stored) else {
            throw .typeMismatch(expected: "a whole number")
        }
        self = value
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

extension Date: StoredValue {
    public static var propertyType: PropertyType { .date }
    /// Rounded to milliseconds; null when the year has more than four digits, which validation then refuses.
    public var fieldValue: FieldValue { rfc3339.map(FieldValue.text) ?? .null }

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
    public var fieldValue: FieldValue { self?.fieldValue ?? .null }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        self = fieldValue.isNull ? nil : try Wrapped(fieldValue: fieldValue)
    }
}
