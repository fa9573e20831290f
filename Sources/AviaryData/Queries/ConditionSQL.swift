import AviaryDomain

/// A condition as SQL text with the values of its parameters.
///
/// An expression is NULL if its Swift value is nil, and a condition is 1 or 0.
struct ConditionSQL {
    let model: ModelSchema
    let dialect: any SQLDialect
    let aids: QueryIndexes
    var values: [FieldValue] = []
    /// Indicates whether the text contains a calculation, which can fail for a record.
    var calculates = false
    /// Indicates whether the columns are written so that no index of them is used, because another index finds the
    /// records.
    var avoidsIndexes = false
    /// Indicates whether parts that are too short for a text index are found in the list of its parts.
    ///
    /// The records of a short part are often many, and all are listed before the first is returned. A statement that
    /// may end after a few records tests one record after the other instead.
    var findsShortParts = false

    init(_ model: ModelSchema, _ dialect: any SQLDialect, _ aids: QueryIndexes) {
        self.model = model
        self.dialect = dialect
        self.aids = aids
    }

    /// Returns the SQL text of an expression.
    ///
    /// - Throws: ``QueryError`` if it names a property that the model does not store.
    mutating func text(_ expression: QueryExpression) throws(QueryError) -> String {
        let text = try untyped(expression)
        return expression.isCondition ? dialect.value(ofCondition: text) : text
    }

    /// Returns the SQL text of an expression as a condition.
    mutating func condition(_ expression: QueryExpression) throws(QueryError) -> String {
        let text = try untyped(expression)
        return expression.isCondition ? text : dialect.truth(text)
    }

    /// Returns a condition for an expression that is one, and a value for any other. In some engines they are of different
    /// types.
    private mutating func untyped(_ expression: QueryExpression) throws(QueryError) -> String {
        switch expression {
        case .id: idColumn
        case .property(let name): try column(name)
        case .constant(let value): parameter(value)
        case .coalesced(let value, let other): "coalesce(\(try text(value)), \(try text(other)))"
        case .ifPresent(let value, let result): "CASE WHEN \(try text(value)) IS NOT NULL THEN \(try text(result)) END"
        case .conditional(let test, let yes, let no):
            "CASE WHEN \(try condition(test)) THEN \(try text(yes)) ELSE \(try text(no)) END"
        case .mapped(let value, let table): try mapping(value, table)
        case .arithmetic, .negative: try checkedCalculation(expression)
        case .folded(let value): dialect.folded(try text(value))
        case .json(let value, let keys, let storage):
            dialect.part(of: try text(value), under: parameter(dialect.path(keys)), as: storage)
        case .elementCount(let list): dialect.elementCount(try text(list))
        case .hasElement(let list, let element): try hasElement(list, element)
        case .decimal:
            throw QueryError(
                model: model.name, expression: "A decimal", advice: "can only be compared with stored decimals.")
        case .equal(.property(let name), .constant(.text(let value))),
            .equal(.constant(.text(let value)), .property(let name)):
            try equality(of: name, value)
        case .equal(.property(let name), .constant(let value)) where !value.isNull:
            dialect.equals(try column(name), parameter(value))
        case .equal(let left, let right): dialect.same(try text(left), try text(right))
        case .ordered(let ordering, let left, let right): "(\(try text(left)) \(ordering.sql) \(try text(right)))"
        case .contains(let whole, let part): try containment(expression, whole, part)
        case .starts(let whole, let prefix): try start(whole, prefix)
        case .startsIgnoringCase(let name, let prefix): try start(of: name, prefix)
        case .isMember(let value, let list): try membership(value, list)
        case .related(let path, let condition): try related(path, condition)
        case .checked(let value, let condition): try checked(value, condition)
        case .and:
            try joined(expression.conjuncts, " AND ") { (part, sql) throws(QueryError) in try sql.condition(part) }
        case .or: try joined(expression.disjuncts, " OR ") { (part, sql) throws(QueryError) in try sql.condition(part) }
        case .not(.equal(let left, let right)): dialect.different(try text(left), try text(right))
        case .not(let negated): "(NOT \(try condition(negated)))"
        }
    }

    mutating func parameter(_ value: FieldValue) -> String {
        // The type of a null parameter could not be inferred everywhere.
        if value.isNull { return "NULL" }
        values.append(value)
        if case .text = value { return dialect.textParameter("?") }
        return "?"
    }

    func column(_ name: String) throws(QueryError) -> String {
        guard model.storedIndex(of: name) != nil else {
            throw QueryError(
                model: model.name, expression: "The property \(name)", advice: "is not stored. Ask for those that are.")
        }
        return indexed(dialect.name(name))
    }

    var idColumn: String { indexed("id") }

    private func indexed(_ column: String) -> String { avoidsIndexes ? dialect.withoutIndex(column) : column }
}

extension ConditionSQL {
    private mutating func equality(of name: String, _ value: String) throws(QueryError) -> String {
        let same = dialect.equals(try column(name), parameter(.text(value)))
        let isIgnoringCase = model.property(name)?.isSortedIgnoringCase ?? false
        guard isIgnoringCase, aids.sortIndexes.contains(SortIndex(model: model.name, property: name)) else {
            return same
        }
        // The sort index ignores case. It finds the candidates, and the comparison of bytes decides.
        return "(\(same) AND \(dialect.comparisonIgnoringCase(try column(name), "=", parameter(.text(value)))))"
    }

    private mutating func mapping(
        _ value: QueryExpression, _ table: [FieldValue: FieldValue]
    ) throws(QueryError) -> String {
        var sql = "CASE \(try text(value))"
        // The pairs are sorted, so that the same query always has the same text.
        for (choice, result) in table.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            sql += " WHEN \(parameter(choice)) THEN \(parameter(result))"
        }
        return sql + " END"
    }

    private mutating func checked(_ value: QueryExpression, _ condition: QueryExpression) throws(QueryError) -> String {
        calculates = true
        // The values must be in the order in which their parameters appear in the text.
        let test = try self.condition(condition)
        return dialect.checked(try text(value), where: test)
    }

    /// Returns the condition that a list has an element. The element comes first in the text.
    private mutating func hasElement(_ list: QueryExpression, _ element: QueryExpression) throws(QueryError) -> String {
        let element = try text(element)
        return dialect.elements(of: try text(list), include: element)
    }

    private mutating func start(_ whole: QueryExpression, _ prefix: QueryExpression) throws(QueryError) -> String {
        let whole = try text(whole)
        let first = try text(prefix)
        // The value appears twice in the text.
        return try dialect.starts(whole, with: first) { () throws(QueryError) in try text(prefix) }
    }

    private mutating func membership(_ value: QueryExpression, _ list: [FieldValue]) throws(QueryError) -> String {
        let present = list.filter { !$0.isNull }
        let isNil = list.count > present.count ? "(\(try text(value)) IS NULL)" : nil
        guard !present.isEmpty else { return isNil ?? dialect.false }
        let sql = "coalesce(\(try member(value, present)), \(dialect.false))"
        return isNil.map { "(\($0) OR \(sql))" } ?? sql
    }

    /// The number of parameters above which a list becomes a single parameter, if its values can be written so.
    private static let mostParameters = 100

    /// Returns the condition that a value is in a list, which must be non-empty and have no nil. It is NULL if the
    /// value is nil.
    mutating func member(_ value: QueryExpression, _ list: [FieldValue]) throws(QueryError) -> String {
        let sql = try text(value)
        guard list.count > Self.mostParameters, let parameter = dialect.value(ofList: list) else {
            values += list
            return "\(sql) IN (\(SQL.placeholders(list.count)))"
        }
        values.append(parameter)
        let isText = if case .text = list[0] { true } else { false }
        return "\(sql) IN (SELECT value FROM \(isText ? dialect.textList : dialect.list))"
    }
}

extension QueryExpression {
    /// Indicates whether SQL has a condition for the expression, as opposed to a value.
    fileprivate var isCondition: Bool {
        switch self {
        case .equal, .ordered, .contains, .starts, .startsIgnoringCase, .isMember, .hasElement, .related, .and, .or,
            .not:
            true
        case .id, .property, .constant, .decimal, .coalesced, .ifPresent, .conditional, .mapped, .arithmetic, .negative,
            .folded, .json, .elementCount, .checked:
            false
        }
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

extension ConditionSQL {
    /// Returns the condition of a statement.
    ///
    /// The statement finds no record if the condition is NULL, as if it were 0. Indexes can therefore be used for
    /// columns that ``text(_:)`` would hide in an expression.
    mutating func filter(_ condition: QueryExpression) throws(QueryError) -> String {
        if let search = indexedSearch([condition]) { return found(by: search) }
        return switch condition {
        case .and: try conjunction(condition.conjuncts)
        case .or: try joined(condition.disjuncts, " OR ") { (part, sql) throws(QueryError) in try sql.filter(part) }
        case .isMember(let value, let list) where !list.contains(.null) && !list.isEmpty: try member(value, list)
        default: try self.condition(condition)
        }
    }

    private mutating func conjunction(_ conditions: [QueryExpression]) throws(QueryError) -> String {
        let findsShort = findsShortParts
        defer { findsShortParts = findsShort }
        // The records of a long part are few enough to test each of them for the short ones.
        if conditions.contains(where: hasLongParts) { findsShortParts = false }
        var rest = conditions, texts: [String] = []
        let searches = conditions.filter { TextSearch($0, of: model, aids) != nil }
        if let search = indexedSearch(searches) {
            texts.append(found(by: search))
            rest = conditions.filter { TextSearch($0, of: model, aids) == nil }
        }
        for condition in rest { texts.append(try filter(condition)) }
        return "(\(texts.joined(separator: " AND ")))"
    }

    /// Indicates whether a text index finds the records by parts that are long enough for it, however many they are.
    private func hasLongParts(_ condition: QueryExpression) -> Bool {
        switch condition {
        case .contains(.folded(.property), .constant(.text)):
            TextSearch(condition, of: model, aids).map { $0.leadingPart >= dialect.leastIndexedPart } ?? false
        case .and: condition.conjuncts.contains(where: hasLongParts)
        case .or: condition.disjuncts.allSatisfy(hasLongParts)
        default: false
        }
    }

    /// Returns the search of the text indexes that fulfils all conditions; nil if it is none, or if reading one text after
    /// the other is better.
    private func indexedSearch(_ conditions: [QueryExpression]) -> TextSearch? {
        // If another index finds the records, reading their texts is faster than a list of all records that contain
        // the parts.
        guard !avoidsIndexes, let search = TextSearch(.all(conditions), of: model, aids),
            findsShortParts || search.leadingPart >= dialect.leastIndexedPart
        else { return nil }
        return search
    }

    private mutating func found(by search: TextSearch) -> String {
        let ids = SearchTable.ids(of: search, in: model.name, dialect)
        values += ids.values
        return "(\(idColumn) IN (\(ids.text)))"
    }

    /// Returns the condition that a text contains a part, which a text index may answer.
    private mutating func containment(
        _ condition: QueryExpression, _ whole: QueryExpression, _ part: QueryExpression
    ) throws(QueryError) -> String {
        if let search = indexedSearch([condition]) { return found(by: search) }
        return dialect.contains(try text(whole), part: try text(part))
    }
}

extension ConditionSQL {
    /// Joins conditions at one level, because engines limit the depth of nested parentheses.
    mutating func joined(
        _ conditions: [QueryExpression], _ operation: String,
        _ text: (QueryExpression, inout ConditionSQL) throws(QueryError) -> String
    ) throws(QueryError) -> String {
        var texts: [String] = []
        for condition in conditions { texts.append(try text(condition, &self)) }
        return "(\(texts.joined(separator: operation)))"
    }
}

extension QueryExpression {
    var conjuncts: [QueryExpression] {
        var parts: [QueryExpression] = [], rest = [self]
        while let next = rest.popLast() {
            if case .and(let left, let right) = next { rest += [right, left] } else { parts.append(next) }
        }
        return parts
    }

    var disjuncts: [QueryExpression] {
        var parts: [QueryExpression] = [], rest = [self]
        while let next = rest.popLast() {
            if case .or(let left, let right) = next { rest += [right, left] } else { parts.append(next) }
        }
        return parts
    }
}

extension ConditionSQL {
    /// Returns the condition that a related record fulfils a condition.
    ///
    /// The inner statement finds the related records first, so that their own indexes are used. Its names refer to
    /// the inner table only.
    mutating func related(_ path: RelationPath, _ condition: QueryExpression) throws(QueryError) -> String {
        switch path {
        case .reference(let property, let model):
            let column = try column(property)
            return "(\(column) IS NOT NULL AND \(column) IN (\(try inner("id", model, condition))))"
        case .inverse(let property, let model):
            return
                "(\(idColumn) IN (\(try inner(dialect.name(property), model, condition, " AND \(dialect.name(property)) IS NOT NULL"))))"
        case .links(let link, let model):
            // A symmetric relation has a row for each direction.
            let table = dialect.name(LinkTable.namePrefix + link.name)
            let own = link.isInverse ? "target" : "source", other = link.isInverse ? "source" : "target"
            return
                "(\(idColumn) IN (SELECT \(own) FROM \(table) WHERE \(other) IN (\(try inner("id", model, condition)))))"
        }
    }

    private mutating func inner(
        _ column: String, _ model: RelatedModel, _ condition: QueryExpression, _ addition: String = ""
    ) throws(QueryError) -> String {
        var inner = ConditionSQL(model.schema, dialect, aids)
        let text = try inner.filter(condition)
        values += inner.values
        calculates = calculates || inner.calculates
        return "SELECT \(column) FROM \(dialect.name(model.schema.name)) WHERE \(text)\(addition)"
    }
}

extension ConditionSQL {
    /// Returns the condition that a text starts with a prefix, as one range of the sort index.
    mutating func start(of property: String, _ prefix: String) throws(QueryError) -> String {
        let column = try column(property)
        let range = PrefixRange(prefix)
        let lower = dialect.comparisonIgnoringCase(column, ">=", parameter(.text(range.lower)))
        guard let upper = range.upper else { return "(\(lower))" }
        return "(\(lower) AND \(dialect.comparisonIgnoringCase(column, "<", parameter(.text(upper)))))"
    }
}

extension ConditionSQL {
    /// Returns a calculation that fails if it leaves its range.
    ///
    /// Swift traps if an integer overflows, and calculates with infinities and NaN. An engine would continue with
    /// another result, so the statement fails instead.
    mutating func checkedCalculation(_ expression: QueryExpression) throws(QueryError) -> String {
        calculates = true
        let sql = try calculation(expression)
        switch expression {
        case .arithmetic(_, .double, _, _), .negative(.double, _): return dialect.checkedDouble(sql)
        default:
            return try dialect.checkedInteger(sql) { () throws(QueryError) in try calculation(expression) }
        }
    }

    private mutating func calculation(_ expression: QueryExpression) throws(QueryError) -> String {
        switch expression {
        case .arithmetic(.remainder, _, let left, let right): "(\(try text(left)) % \(try text(right)))"
        // An overflow propagates through these operations, so a check of the final result is enough.
        case .arithmetic(let operation, _, let left, let right):
            "(\(try calculation(left)) \(operation.sql) \(try calculation(right)))"
        case .negative(_, let value): "(- \(try calculation(value)))"
        default: try text(expression)
        }
    }
}

extension QueryExpression.Arithmetic {
    fileprivate var sql: String {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .remainder: "%"
        }
    }
}
