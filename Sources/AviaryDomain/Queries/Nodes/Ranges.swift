import Foundation

extension PredicateExpressions.RangeExpressionContains: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        try translation.checkOrder(of: Element.Output.self)
        let range = try translation.range(of: range)
        let element = try translation.expression(of: element)
        let lower = range.lower.map { QueryExpression.ordered(.greaterOrEqual, element, $0) }
        let upper = range.upper.map { QueryExpression.ordered(range.includesUpper ? .lessOrEqual : .less, element, $0) }
        guard let lower else { return .expression(upper ?? .true) }
        return .expression(upper.map { .and(lower, $0) } ?? lower)
    }
}

extension PredicateExpressions.Range: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        .range(QueryRange(lower: try translation.expression(of: lower), upper: try translation.expression(of: upper)))
    }
}

extension PredicateExpressions.ClosedRange: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        .range(QueryRange(
            lower: try translation.expression(of: lower), upper: try translation.expression(of: upper), includesUpper: true
        ))
    }
}

extension QueryTranslation {
    fileprivate mutating func range(of part: any PredicateExpression) throws(QueryError) -> QueryRange {
        switch try term(of: part) {
        case .range(let range): return range
        case .captured(let value as any CapturedRange):
            let bounds = value.bounds
            return QueryRange(
                lower: try bounds.lower.map { (bound) throws(QueryError) in .constant(try constant(bound)) },
                upper: try bounds.upper.map { (bound) throws(QueryError) in .constant(try constant(bound)) },
                includesUpper: bounds.includesUpper
            )
        default: throw error("A range of this kind", "is not known to the store. Write its bounds: `$0.age >= 1 && $0.age < 9`.")
        }
    }
}

/// A range of the program.
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
