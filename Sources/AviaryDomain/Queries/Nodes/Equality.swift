import Foundation

extension PredicateExpressions.Equal: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let left = try translation.expression(of: lhs), right = try translation.expression(of: rhs)
        return .expression(try translation.equality(left, right, of: LHS.Output.self))
    }
}

extension PredicateExpressions.NotEqual: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let left = try translation.expression(of: lhs), right = try translation.expression(of: rhs)
        return .expression(.not(try translation.equality(left, right, of: LHS.Output.self)))
    }
}
