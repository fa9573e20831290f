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
