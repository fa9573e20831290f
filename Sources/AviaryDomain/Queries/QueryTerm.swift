import Foundation

/// The meaning of a part of a predicate.
enum QueryTerm {
    /// The record itself.
    case record
    case expression(QueryExpression)
    /// A value of the program, not yet taken for a stored one: it may be a list, or have properties of its own.
    case captured(Any)
    case range(QueryRange)
}

/// A range in a predicate. A missing bound is nil.
struct QueryRange {
    var lower: QueryExpression?
    var upper: QueryExpression?
    var includesUpper = false
    /// A Boolean value that indicates whether the predicate makes the range of bounds that may be in the wrong order.
    var isMade = false
}

/// A part of a predicate that the store can be asked for. Foundation has one type for each kind; those that do not
/// conform are refused.
protocol QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm
}
