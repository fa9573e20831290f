import Foundation

extension PredicateExpressions.SequenceContains: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let element = try translation.expression(of: element)
        switch try translation.term(of: sequence) {
        case .captured(let values):
            return .expression(try translation.membership(element, in: values, of: RHS.Output.self))
        case .expression(let list):
            return .expression(try translation.search(for: element, of: RHS.Output.self, in: list, of: LHS.Output.self))
        case .record, .range:
            throw translation.error("A search for an element", "has no list to look at. Search in an array or a set.")
        }
    }
}

extension PredicateExpressions.SequenceContainsWhere: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let conditions = try translation.conditions(sequence, test, variable.key)
        return .expression(.any(conditions))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let conditions = try translation.conditions(sequence, test, variable.key)
        return .expression(.all(conditions))
    }
}

extension QueryTranslation {
    /// Each becomes a condition of its own, one inside the other.
    private static let mostConditions = 200

    /// The test for each element of a list of the program.
    fileprivate mutating func conditions(
        _ sequence: any PredicateExpression, _ test: any PredicateExpression,
        _ variable: PredicateExpressions.VariableID
    ) throws(QueryError) -> [QueryExpression] {
        guard case .captured(let values) = try term(of: sequence) else {
            throw error(
                "A test of the elements of a stored value",
                "is not known to the store. Ask for an element, `$0.tags.contains(\"a\")`, or test elements of an array of the program."
            )
        }
        let elements = try elements(values)
        guard elements.count <= Self.mostConditions else {
            throw error(
                "A test of \(elements.count) elements",
                "is too much to be asked at once. Test at most \(Self.mostConditions), or write `list.contains($0.name)`."
            )
        }
        var conditions: [QueryExpression] = []
        for element in elements {
            conditions.append(try expression(of: test, binding: variable, to: .captured(element)))
        }
        return conditions
    }
}
