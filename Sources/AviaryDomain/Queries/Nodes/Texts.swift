import Foundation

extension PredicateExpressions.CollectionContainsCollection: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        try translation.checkText(Base.Output.self, Other.Output.self)
        return .expression(.contains(try translation.expression(of: base), part: try translation.expression(of: other)))
    }
}

extension PredicateExpressions.SequenceStartsWith: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        try translation.checkText(Base.Output.self, Prefix.Output.self)
        return .expression(.starts(try translation.expression(of: base), with: try translation.expression(of: prefix)))
    }
}

extension QueryTranslation {
    func checkText(_ types: Any.Type...) throws(QueryError) {
        for type in types where type != String.self {
            throw error(
                "A search of a sequence in a \(type)", "is not known to the store. Search for a String in a String.")
        }
    }
}
