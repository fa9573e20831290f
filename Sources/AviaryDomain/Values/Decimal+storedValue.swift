public import Foundation

extension Decimal: StoredValue {
    public static var propertyType: PropertyType { .decimal(scale: PropertyType.defaultScale) }
    public static var isScaled: Bool { true }

    /// With ``PropertyType/defaultScale`` digits after the point.
    public var fieldValue: FieldValue { fieldValue(scale: PropertyType.defaultScale) }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        try self.init(fieldValue: fieldValue, scale: PropertyType.defaultScale)
    }

    /// A number with more digits than the scale, or too large for 64 bits, is given as its digits, and is refused.
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
