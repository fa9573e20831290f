import Foundation

/// Walks a predicate and makes a ``QueryExpression`` of it, or says what stands against that.
struct QueryTranslation {
    let model: ModelSchema
    private var variables: [PredicateExpressions.VariableID: QueryTerm] = [:]
    /// The expressions that earlier conditions have tested for a value.
    private var present: Set<QueryExpression> = []

    /// - Throws: ``QueryError``.
    static func expression<M: Model>(of predicate: Predicate<M>) throws(QueryError) -> QueryExpression {
        var translation = QueryTranslation(model: M.schema)
        translation.variables[predicate.variable.key] = .record
        return try translation.expression(of: predicate.expression)
    }

    private init(model: ModelSchema) {
        self.model = model
    }

    mutating func term(of part: any PredicateExpression) throws(QueryError) -> QueryTerm {
        guard let node = part as? any QueryNode else { throw unsupported(part) }
        return try node.term(in: &self)
    }

    mutating func expression(of part: any PredicateExpression) throws(QueryError) -> QueryExpression {
        switch try term(of: part) {
        case .expression(let expression): return expression
        case .captured(let value): return try expression(ofConstant: value)
        case .record:
            throw error("The record itself", "is no value to compare. Compare its id: `$0.id == other.id`.")
        case .range:
            throw error("A range", "is no value to compare. Ask whether it contains one: `(1...9).contains($0.age)`.")
        }
    }

    func term(of variable: PredicateExpressions.VariableID) throws(QueryError) -> QueryTerm {
        guard let term = variables[variable] else {
            throw error("A variable", "belongs to another predicate. Use the predicate's own parameter.")
        }
        return term
    }

    mutating func expression(
        of part: any PredicateExpression, binding variable: PredicateExpressions.VariableID, to term: QueryTerm
    ) throws(QueryError) -> QueryExpression {
        let outer = variables[variable]
        variables[variable] = term
        defer { variables[variable] = outer }
        return try expression(of: part)
    }

    /// The part, read where all these cannot be nil.
    mutating func expression(
        of part: any PredicateExpression, where present: Set<QueryExpression>
    ) throws(QueryError) -> QueryExpression {
        let outer = self.present
        self.present.formUnion(present)
        defer { self.present = outer }
        return try expression(of: part)
    }

    func isPresent(_ expression: QueryExpression) -> Bool {
        if case .constant(let value) = expression { return !value.isNull }
        return present.contains(expression)
    }

    func error(_ expression: String, _ advice: String) -> QueryError {
        QueryError(model: model.name, expression: expression, advice: advice)
    }

    private func unsupported(_ part: any PredicateExpression) -> QueryError {
        // Without the types of its own parts, which would fill the screen.
        let name = String(describing: type(of: part)).prefix { $0 != "<" }
        return error(
            "The expression \(name)",
            "is not known to the store. Fetch by what can be asked, and filter the result in memory with `evaluate(_:)`."
        )
    }
}
