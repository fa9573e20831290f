import Foundation

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
