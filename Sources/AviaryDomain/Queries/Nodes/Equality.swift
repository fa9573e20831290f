import Foundation

extension PredicateExpressions.Equal: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        .expression(.equal(try translation.expression(of: lhs), try translation.expression(of: rhs)))
    }
}

extension PredicateExpressions.NotEqual: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        .expression(.not(.equal(try translation.expression(of: lhs), try translation.expression(of: rhs))))
    }
}
