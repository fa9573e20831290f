public import Foundation

extension Decimal: StoredValue {
    public static var propertyType: PropertyType { .decimal(scale: PropertyType.defaultScale) }
    public static var isScaled: Bool { true }

    /// The column value, with ``PropertyType/defaultScale`` digits after the decimal point.
    public var fieldValue: FieldValue { fieldValue(scale: PropertyType.defaultScale) }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        try self.init(fieldValue: fieldValue, scale: PropertyType.defaultScale)
    }

    /// Returns the value of a column with a scale.
    ///
    /// For a number with more digits than the scale, or too large for 64 bits, the value is the number as text, which
    /// the store rejects.
    ///
    /// - Parameter scale: The number of digits after the decimal point that the property declares.
    public func fieldValue(scale: Int) -> FieldValue {
        let digits = description
        do {
            return .integer(try ScaledDecimal.count(digits, scale: scale))
        } catch {
            return .text(digits)
        }
    }

    public init(fieldValue: FieldValue, scale: Int) throws(FieldValueError) {
        guard case .integer(let count) = fieldValue else { throw .typeMismatch(expected: "a decimal number") }
        self = PropertyType.decimal(scale: scale).decimal(count)
    }
}
