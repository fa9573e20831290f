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

extension PredicateExpressions.NilCoalesce: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        .expression(.coalesced(try translation.expression(of: lhs), try translation.expression(of: rhs)))
    }
}

/// The translation of `$0.nickname?.isEmpty`, `if let` and `flatMap`.
extension PredicateExpressions.OptionalFlatMap: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let value = try translation.expression(of: wrapped)
        let result = try translation.expression(of: transform, binding: variable.key, to: .expression(value))
        return .expression(.ifPresent(value, result))
    }
}

extension PredicateExpressions.ForcedUnwrap: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let value = try translation.expression(of: inner)
        // Swift would trap at the first nil, but the store needs a result for every record.
        guard translation.isPresent(value) else {
            throw translation.error(
                "A forced unwrap",
                "meets a value that may be nil. Test it first, `$0.age != nil && $0.age! > 3`, or write `($0.age ?? 0) > 3`."
            )
        }
        return .expression(value)
    }
}

extension PredicateExpressions.Value: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm { .captured(value) }
}

extension PredicateExpressions.NilLiteral: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm { .expression(.nil) }
}

extension PredicateExpressions.Variable: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        try translation.term(of: key)
    }
}
