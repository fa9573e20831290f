import Foundation

extension PredicateExpressions.Comparison: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let ordering: QueryExpression.Ordering
        switch op {
        case .lessThan: ordering = .less
        case .lessThanOrEqual: ordering = .lessOrEqual
        case .greaterThan: ordering = .greater
        case .greaterThanOrEqual: ordering = .greaterOrEqual
        @unknown default: throw translation.error("A comparison", "of a new kind is not known to the store.")
        }
        let left = try translation.expression(of: lhs), right = try translation.expression(of: rhs)
        return .expression(try translation.order(ordering, left, right, of: LHS.Output.self))
    }
}
