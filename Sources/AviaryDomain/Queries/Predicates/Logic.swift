import Foundation

extension PredicateExpressions.Conjunction: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let left = try translation.expression(of: lhs)
        return .expression(.and(left, try translation.expression(of: rhs, where: left.present(when: true))))
    }
}

extension PredicateExpressions.Disjunction: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let left = try translation.expression(of: lhs)
        return .expression(.or(left, try translation.expression(of: rhs, where: left.present(when: false))))
    }
}

extension PredicateExpressions.Negation: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        .expression(.not(try translation.expression(of: wrapped)))
    }
}

extension PredicateExpressions.Conditional: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let condition = try translation.expression(of: test)
        return .expression(
            .conditional(
                condition,
                then: try translation.expression(of: trueBranch, where: condition.present(when: true)),
                else: try translation.expression(of: falseBranch, where: condition.present(when: false))
            ))
    }
}
