public import Foundation

/// Exact decimal numbers in the form of a column: an integer that counts units of the last digit.
package enum ScaledDecimal {
    package enum ConversionError: Error, Hashable {
        case noNumber
        case tooManyDigits
        case tooLarge
    }

    /// Returns a number as text: `-0.05` for -5 with scale 2.
    package static func text(_ count: Int64, scale: Int) -> String {
        guard scale > 0 else { return String(count) }
        let digits = String(count.magnitude)
        let padded = String(repeating: "0", count: max(0, scale + 1 - digits.utf8.count)) + digits
        return (count < 0 ? "-" : "") + padded.dropLast(scale) + "." + padded.suffix(scale)
    }

    /// Parses digits with an optional sign and decimal point.
    ///
    /// Trailing zeros are ignored. Any other digit beyond the scale is rejected, not rounded.
    package static func count(_ text: String, scale: Int) throws(ConversionError) -> Int64 {
        var digits = text.utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
        let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, digits.count > parts.count - 1,
            parts.allSatisfy({ $0.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } })
        else { throw .noNumber }
        var fraction = parts.count > 1 ? parts[1] : digits[digits.endIndex...]
        while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        guard fraction.count <= scale else { throw .tooManyDigits }
        let zeros = repeatElement(UInt8(ascii: "0"), count: scale - fraction.count)
        var count: Int64 = 0
        for digit in Array(whole) + Array(fraction) + Array(zeros) {
            let (tens, isTooLarge) = count.multipliedReportingOverflow(by: 10)
            // Count downwards, because the smallest integer has no positive counterpart.
            let (next, isOver) = tens.subtractingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
            guard !isTooLarge, !isOver else { throw .tooLarge }
            count = next
        }
        guard isNegative || count != .min else { throw .tooLarge }
        return isNegative ? count : -count
    }
}

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
