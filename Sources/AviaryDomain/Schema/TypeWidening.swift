/// A conversion without loss of every value of a narrower type to a wider type.
package enum TypeWidening: Sendable, Hashable {
    /// No change of the stored value.
    case unchanged
    /// Whole numbers become floating-point ones, which hold those up to 2^53 exactly.
    case real
    /// Whole numbers get so many more digits behind the point.
    case scaled(digits: Int)
}

extension PropertyType {
    /// Returns the conversion from a narrower type; nil when a value may be lost or change its meaning.
    package func widening(from narrower: PropertyType) -> TypeWidening? {
        if let range = integerRange, let values = narrower.integerRange ?? narrower.integers {
            return range.contains(values.lowerBound) && range.contains(values.upperBound) ? .unchanged : nil
        }
        if let element, let narrowerElement = narrower.element { return element.elementWidening(from: narrowerElement) }
        return switch (narrower, self) {
        case (.choice, .string), (.uuid, .string), (.calendarDate, .string), (.date, .string), (.url, .string):
            .unchanged
        case (.float, .double): .unchanged
        case (.integer, .double), (.sizedInteger, .double): .real
        case (.integer, .decimal(let scale)), (.sizedInteger, .decimal(let scale)): .scaled(digits: scale)
        case (.decimal(let old), .decimal(let new)) where new >= old: .scaled(digits: new - old)
        default: nil
        }
    }

    /// Returns the conversion of an array's elements, whose JSON remains unchanged.
    ///
    /// JSON writes an integer as it writes the floating-point number of the same value, but such a number exists only
    /// up to 2^53. Booleans have words of their own.
    private func elementWidening(from narrower: PropertyType) -> TypeWidening? {
        switch (narrower, self) {
        // As a number of single precision, a text such as 0.1 is another one.
        case (.boolean, _), (.float, .double): nil
        case (.sizedInteger(let width), .double) where width != .uint64: .unchanged
        case (.array, .array): widening(from: narrower)
        case (.decimal, .decimal) where widening(from: narrower) != nil: .unchanged
        default: widening(from: narrower) == .unchanged ? .unchanged : nil
        }
    }

    /// The range of the integers that represent the values in a column, where these have no other meaning.
    private var integers: ClosedRange<Int64>? {
        switch self {
        case .boolean: 0...1
        case .integerChoice(let choices):
            choices.min().flatMap { least in choices.max().map { Int64(least)...Int64($0) } }
        default: nil
        }
    }
}
