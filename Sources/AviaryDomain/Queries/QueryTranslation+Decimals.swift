import Foundation

// A decimal is stored as an integer that counts units of its property's last digit. Constants may have more digits.
extension QueryTranslation {
    /// Returns both values as integers of one scale; nil when they cannot be equal, because one has digits that the
    /// property of the other does not store.
    func alignedDecimals(
        _ left: QueryExpression, _ right: QueryExpression
    ) throws(QueryError) -> (left: QueryExpression, right: QueryExpression)? {
        let scale = try scale(of: [left, right])
        for case .decimal(let number) in [left, right] {
            guard try DecimalPlace(number, scale: scale, in: self).isExact else { return nil }
        }
        return (try rescaled(left, to: scale), try rescaled(right, to: scale))
    }

    func decimalOrder(
        _ ordering: QueryExpression.Ordering, _ left: QueryExpression, _ right: QueryExpression
    ) throws(QueryError) -> QueryExpression {
        if case .decimal = left {
            if case .decimal = right {} else { return try decimalOrder(ordering.reversed, right, left) }
        }
        let scale = try scale(of: [left, right])
        guard case .decimal(let number) = right else {
            return .ordered(ordering, try rescaled(left, to: scale), try rescaled(right, to: scale))
        }
        let place = try DecimalPlace(number, scale: scale, in: self)
        let value = try rescaled(left, to: scale)
        guard let floor = place.floor else {
            // The number is beyond all storable numbers.
            let isLess = ordering == .less || ordering == .lessOrEqual
            return isLess == place.isPositive ? .true : .false
        }
        let bound = QueryExpression.constant(.integer(floor))
        if place.isExact { return .ordered(ordering, value, bound) }
        // The number is between two storable numbers: a smaller value is at most the lower of them.
        return .ordered(ordering == .less || ordering == .lessOrEqual ? .lessOrEqual : .greater, value, bound)
    }

    func decimalMembership(_ value: QueryExpression, in list: Any) throws(QueryError) -> QueryExpression {
        let scale = try scale(of: [value])
        var members: [FieldValue] = []
        for element in try elements(list) {
            guard let number = (element as? any DecimalValue)?.exactNumber else {
                members.append(.null)
                continue
            }
            let place = try DecimalPlace(number, scale: scale, in: self)
            if place.isExact, let count = place.floor { members.append(.integer(count)) }
        }
        return .isMember(try rescaled(value, to: scale), of: members)
    }

    /// Returns the largest scale of the properties.
    private func scale(of expressions: [QueryExpression]) throws(QueryError) -> Int {
        let scales = expressions.flatMap { $0.results }.compactMap { result in
            if case .property(let name) = result { model.property(name)?.type.scale } else { nil }
        }
        // All expressions are constants.
        return scales.max() ?? PropertyType.scales.upperBound
    }

    private func rescaled(_ expression: QueryExpression, to scale: Int) throws(QueryError) -> QueryExpression {
        switch expression {
        case .constant(.null): return expression
        case .decimal(let number):
            let place = try DecimalPlace(number, scale: scale, in: self)
            guard place.isExact, let count = place.floor else {
                throw error(
                    "A decimal",
                    "has more digits than the property that it stands in for. Round it first, or compare the property by itself."
                )
            }
            return .constant(.integer(count))
        case .property(let name):
            let missing = scale - (model.property(name)?.type.scale ?? scale)
            guard missing > 0 else { return expression }
            let factor = (0..<missing).reduce(Int64(1)) { factor, _ in factor * 10 }
            return .arithmetic(.multiply, .integer, expression, .constant(.integer(factor)))
        case .coalesced(let value, let other):
            return .coalesced(try rescaled(value, to: scale), try rescaled(other, to: scale))
        case .ifPresent(let value, let result): return .ifPresent(value, try rescaled(result, to: scale))
        case .conditional(let test, let yes, let no):
            return .conditional(test, then: try rescaled(yes, to: scale), else: try rescaled(no, to: scale))
        default:
            throw error(
                "A calculation with decimals",
                "is not known to the store. Compare stored decimals with constants or with each other.")
        }
    }
}

extension QueryExpression {
    /// The expressions that can be the value of this one.
    fileprivate var results: [QueryExpression] {
        switch self {
        case .coalesced(let value, let other): value.results + other.results
        case .ifPresent(_, let result): result.results
        case .conditional(_, let yes, let no): yes.results + no.results
        default: [self]
        }
    }
}

extension QueryExpression.Ordering {
    fileprivate var reversed: Self {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

/// The position of a number among those that a column with a scale can hold.
private struct DecimalPlace {
    /// The greatest storable number that is not above this one; nil when the number is beyond all storable ones.
    let floor: Int64?
    let isExact: Bool
    let isPositive: Bool

    init(_ number: Decimal, scale: Int, in translation: QueryTranslation) throws(QueryError) {
        guard number.isFinite else {
            throw translation.error(
                "A number that is not a number", "equals nothing. Check the value before it is asked for.")
        }
        isPositive = number.sign == .plus
        let parts = number.description.split(separator: ".", maxSplits: 1)
        let fraction = parts.count > 1 ? parts[1] : ""
        isExact = fraction.dropFirst(scale).allSatisfy { $0 == "0" }
        let digits = "\(parts.first ?? "0").\(fraction.prefix(scale))0"
        // The conversion fails only when the number is too large, because the digits are valid.
        let count = try? ScaledDecimal.count(digits, scale: scale)
        floor = isExact || isPositive ? count : count.flatMap { $0 > .min ? $0 - 1 : nil }
    }
}

protocol DecimalValue {
    var exactNumber: Decimal? { get }
}

extension Decimal: DecimalValue {
    var exactNumber: Decimal? { self }
}

extension Optional: DecimalValue where Wrapped: DecimalValue {
    var exactNumber: Decimal? { self?.exactNumber }
}
