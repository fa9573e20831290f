import Foundation

extension PredicateExpressions.RangeExpressionContains: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let type: Any.Type = Element.Output.self
        let range = try translation.range(of: range)
        let element = try translation.expression(of: element)
        let lower = try range.lower.map { (bound) throws(QueryError) in
            try translation.order(.greaterOrEqual, element, bound, of: type)
        }
        let upper = try range.upper.map { (bound) throws(QueryError) in
            try translation.order(range.includesUpper ? .lessOrEqual : .less, element, bound, of: type)
        }
        guard let lower else { return .expression(upper ?? .true) }
        let contains = upper.map { .and(lower, $0) } ?? lower
        guard let first = range.lower, let last = range.upper, range.isMade else { return .expression(contains) }
        return .expression(try translation.checked(contains, from: first, to: last, of: type))
    }
}

extension PredicateExpressions.Range: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        .range(
            QueryRange(
                lower: try translation.expression(of: lower), upper: try translation.expression(of: upper), isMade: true
            ))
    }
}

extension PredicateExpressions.ClosedRange: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        .range(
            QueryRange(
                lower: try translation.expression(of: lower), upper: try translation.expression(of: upper),
                includesUpper: true,
                isMade: true
            ))
    }
}

extension QueryTranslation {
    /// Adds the check that the bounds are in order, because Swift traps when a range ends before it begins.
    fileprivate func checked(
        _ condition: QueryExpression, from lower: QueryExpression, to upper: QueryExpression, of type: Any.Type
    ) throws(QueryError) -> QueryExpression {
        let isRange = try order(.lessOrEqual, lower, upper, of: type)
        switch isRange.knownOutcome {
        case true?: return condition
        case false?: throw error("A range", "ends before it begins. Swap its bounds.")
        case nil: return .checked(condition, where: isRange)
        }
    }

    fileprivate mutating func range(of part: any PredicateExpression) throws(QueryError) -> QueryRange {
        switch try term(of: part) {
        case .range(let range): return range
        case .captured(let value as any CapturedRange):
            let bounds = value.bounds
            return QueryRange(
                lower: try bounds.lower.map { (bound) throws(QueryError) in try expression(ofConstant: bound) },
                upper: try bounds.upper.map { (bound) throws(QueryError) in try expression(ofConstant: bound) },
                includesUpper: bounds.includesUpper
            )
        default:
            throw error(
                "A range of this kind", "is not known to the store. Write its bounds: `$0.age >= 1 && $0.age < 9`.")
        }
    }
}

/// A range that the predicate captured.
private protocol CapturedRange {
    var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { get }
}

extension Range: CapturedRange {
    fileprivate var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, upperBound, false) }
}

extension ClosedRange: CapturedRange {
    fileprivate var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, upperBound, true) }
}

extension PartialRangeFrom: CapturedRange {
    fileprivate var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, nil, false) }
}

extension PartialRangeUpTo: CapturedRange {
    fileprivate var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (nil, upperBound, false) }
}

extension PartialRangeThrough: CapturedRange {
    fileprivate var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (nil, upperBound, true) }
}

extension QueryExpression {
    /// The result of a comparison of two constants; nil when it is unknown.
    fileprivate var knownOutcome: Bool? {
        guard case .ordered(.lessOrEqual, .constant(let left), .constant(let right)) = self else {
            return self == .true ? true : self == .false ? false : nil
        }
        return switch (left, right) {
        case (.integer(let left), .integer(let right)): left <= right
        case (.real(let left), .real(let right)): left <= right
        case (.text(let left), .text(let right)): !right.utf8.lexicographicallyPrecedes(left.utf8)
        default: nil
        }
    }
}
