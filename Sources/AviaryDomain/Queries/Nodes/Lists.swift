import Foundation

extension PredicateExpressions.SequenceContains: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        guard case .captured(let values) = try translation.term(of: sequence) else {
            throw translation.error(
                "A search for one element of a stored value", "is not known to the store. In a text, search for a String: `$0.name.contains(\"a\")`."
            )
        }
        let constants = try translation.constants(values)
        return .expression(.isMember(try translation.expression(of: element), of: constants))
    }
}

extension PredicateExpressions.SequenceContainsWhere: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let conditions = try translation.conditions(sequence, test, variable.key)
        return .expression(conditions.reduce(nil) { all, next in all.map { .or($0, next) } ?? next } ?? .false)
    }
}

extension PredicateExpressions.SequenceAllSatisfy: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let conditions = try translation.conditions(sequence, test, variable.key)
        return .expression(conditions.reduce(nil) { all, next in all.map { .and($0, next) } ?? next } ?? .true)
    }
}

extension QueryTranslation {
    /// Each becomes a condition of its own, one inside the other.
    private static let mostConditions = 200

    /// The test for each element of a list of the program.
    fileprivate mutating func conditions(
        _ sequence: any PredicateExpression, _ test: any PredicateExpression, _ variable: PredicateExpressions.VariableID
    ) throws(QueryError) -> [QueryExpression] {
        guard case .captured(let values) = try term(of: sequence) else {
            throw error("A test of the elements of a stored value", "is not known to the store. Test elements of an array of the program.")
        }
        let elements = try elements(values)
        guard elements.count <= Self.mostConditions else {
            throw error("A test of \(elements.count) elements", "is too much to be asked at once. Test at most \(Self.mostConditions), or write `list.contains($0.name)`.")
        }
        var conditions: [QueryExpression] = []
        for element in elements {
            conditions.append(try expression(of: test, binding: variable, to: .captured(element)))
        }
        return conditions
    }
}
