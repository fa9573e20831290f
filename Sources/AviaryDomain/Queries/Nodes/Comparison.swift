import Foundation

extension PredicateExpressions.Comparison: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        try translation.checkOrder(of: LHS.Output.self)
        let ordering: QueryExpression.Ordering
        switch op {
        case .lessThan: ordering = .less
        case .lessThanOrEqual: ordering = .lessOrEqual
        case .greaterThan: ordering = .greater
        case .greaterThanOrEqual: ordering = .greaterOrEqual
        @unknown default: throw translation.error("A comparison", "of a new kind is not known to the store.")
        }
        return .expression(.ordered(ordering, try translation.expression(of: lhs), try translation.expression(of: rhs)))
    }
}
