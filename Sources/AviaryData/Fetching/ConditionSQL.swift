import AviaryDomain

/// A condition as SQL text with the values of its parameters. Every expression gives NULL where Swift's value is nil, and
/// conditions give 1 or 0.
struct ConditionSQL {
    private let table: ModelTable
    /// Of the model, by which lists are sorted.
    private let sortIndexes: Set<SortIndex>
    private(set) var values: [FieldValue] = []
    /// Whether the text calculates, which can fail for a record.
    var calculates = false

    var dialect: any SQLDialect { table.dialect }

    init(_ table: ModelTable, sortIndexes: Set<SortIndex>) {
        self.table = table
        self.sortIndexes = sortIndexes
    }

    /// - Throws: ``QueryError`` when it names a property that the model does not store.
    mutating func text(_ expression: QueryExpression) throws(QueryError) -> String {
        switch expression {
        case .id: "id"
        case .property(let name): try column(name)
        case .constant(let value): parameter(value)
        case .coalesced(let value, let other): "coalesce(\(try text(value)), \(try text(other)))"
        case .ifPresent(let value, let result): "CASE WHEN \(try text(value)) IS NOT NULL THEN \(try text(result)) END"
        case .conditional(let test, let yes, let no): "CASE WHEN \(try text(test)) THEN \(try text(yes)) ELSE \(try text(no)) END"
        case .mapped(let value, let table): try mapping(value, table)
        case .arithmetic, .negative: try checkedCalculation(expression)
        case .equal(.property(let name), .constant(.text(let value))), .equal(.constant(.text(let value)), .property(let name)):
            try equality(of: name, value)
        case .equal(let left, let right): dialect.same(try text(left), try text(right))
        case .ordered(let ordering, let left, let right): "(\(try text(left)) \(ordering.sql) \(try text(right)))"
        case .contains(let whole, let part): dialect.contains(try text(whole), part: try text(part))
        case .starts(let whole, let prefix): try start(whole, prefix)
        case .isMember(let value, let list): try membership(value, list)
        case .and: try joined(expression.conjuncts, " AND ")
        case .or: try joined(expression.disjuncts, " OR ")
        case .not(.equal(let left, let right)): dialect.different(try text(left), try text(right))
        case .not(let condition): "(NOT \(try text(condition)))"
        }
    }

    mutating func parameter(_ value: FieldValue) -> String {
        values.append(value)
        return "?"
    }

    private func column(_ name: String) throws(QueryError) -> String {
        guard let index = table.model.storedIndex(of: name), table.columns.indices.contains(index) else {
            throw QueryError(model: table.model.name, expression: "The property \(name)", advice: "is not stored. Ask for those that are.")
        }
        return table.columns[index]
    }
}

extension ConditionSQL {
    private mutating func equality(of name: String, _ value: String) throws(QueryError) -> String {
        let same = dialect.same(try column(name), parameter(.text(value)))
        let isIgnoringCase = table.model.property(name)?.isSortedIgnoringCase ?? false
        guard isIgnoringCase, sortIndexes.contains(SortIndex(model: table.model.name, property: name)) else { return same }
        // The sort index compares without case: it finds the candidates, and bytes decide.
        return "(\(same) AND \(dialect.comparisonIgnoringCase(try column(name), "=", parameter(.text(value)))))"
    }

    private mutating func mapping(
        _ value: QueryExpression, _ table: [FieldValue: FieldValue]
    ) throws(QueryError) -> String {
        var sql = "CASE \(try text(value))"
        // In an order of their own: the same query has the same text.
        for (choice, result) in table.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            sql += " WHEN \(parameter(choice)) THEN \(parameter(result))"
        }
        return sql + " END"
    }

    /// Beside each other: engines read only so many parentheses inside of each other.
    private mutating func joined(_ conditions: [QueryExpression], _ operation: String) throws(QueryError) -> String {
        var texts: [String] = []
        for condition in conditions { texts.append(try text(condition)) }
        return "(\(texts.joined(separator: operation)))"
    }

    private mutating func start(_ whole: QueryExpression, _ prefix: QueryExpression) throws(QueryError) -> String {
        let whole = try text(whole)
        let first = try text(prefix)
        // The value stands twice in the text.
        return dialect.starts(whole, with: first, again: try text(prefix))
    }

    private mutating func membership(_ value: QueryExpression, _ list: [FieldValue]) throws(QueryError) -> String {
        let present = list.filter { !$0.isNull }
        let isNil = list.count > present.count ? "(\(try text(value)) IS NULL)" : nil
        guard !present.isEmpty else { return isNil ?? parameter(.integer(0)) }
        let sql = "coalesce(\(try text(value)) IN (\(SQL.placeholders(present.count))), 0)"
        values += present
        return isNil.map { "(\($0) OR \(sql))" } ?? sql
    }
}

extension QueryExpression {
    fileprivate var conjuncts: [QueryExpression] {
        guard case .and(let left, let right) = self else { return [self] }
        return left.conjuncts + right.conjuncts
    }

    fileprivate var disjuncts: [QueryExpression] {
        guard case .or(let left, let right) = self else { return [self] }
        return left.disjuncts + right.disjuncts
    }
}

extension QueryExpression.Ordering {
    fileprivate var sql: String {
        switch self {
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}
