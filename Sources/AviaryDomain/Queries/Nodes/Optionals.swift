import Foundation

extension PredicateExpressions.NilCoalesce: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        .expression(.coalesced(try translation.expression(of: lhs), try translation.expression(of: rhs)))
    }
}

/// `$0.nickname?.isEmpty`, `if let`, `flatMap`.
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
        // Swift would stop at the first nil; the store would have to go on with something.
        guard translation.isPresent(value) else {
            throw translation.error(
                "A forced unwrap",
                "meets a value that may be nil. Test it first, `$0.age != nil && $0.age! > 3`, or write `($0.age ?? 0) > 3`."
            )
        }
        return .expression(value)
    }
}
