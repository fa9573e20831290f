import AviaryDomain

/// A query of one model as a statement and the values of its parameters.
struct FetchSQL {
    let text: String
    let values: [FieldValue]
    /// Indicates whether the statement can fail for the values of a record.
    let calculates: Bool

    /// Creates the statement of a query.
    ///
    /// - Parameter columns: The selected columns as SQL text.
    /// - Throws: ``QueryError`` if it names a property that the model does not store.
    init(
        _ query: RecordQuery, of table: ModelTable, _ aids: QueryIndexes, selecting columns: String
    ) throws(QueryError) {
        var condition = ConditionSQL(table.model, table.dialect, aids)
        var text = "SELECT \(columns) FROM \(table.name)"
        if let expression = query.condition { text += " WHERE " + (try condition.filter(expression)) }
        var order: [String] = []
        for part in query.order {
            let column = try condition.text(part.expression)
            order.append(table.dialect.order(column, upwards: part.direction == .ascending))
        }
        text += " ORDER BY " + (order + ["id"]).joined(separator: ", ")
        if query.limit != nil || query.offset > 0 {
            let limit = condition.parameter(.integer(Int64(query.limit ?? .max)))
            text += " LIMIT \(limit) OFFSET \(condition.parameter(.integer(Int64(query.offset))))"
        }
        self.text = text
        values = condition.values
        calculates = condition.calculates
    }

    /// Creates the statement that counts the records of the query.
    init(counting query: RecordQuery, of table: ModelTable, _ aids: QueryIndexes) throws(QueryError) {
        var unordered = query
        unordered.order = []
        let records = try FetchSQL(unordered, of: table, aids, selecting: "id")
        text = "SELECT count(*) FROM (\(records.text)) AS found"
        values = records.values
        calculates = records.calculates
    }
}

/// The indexes of a file that make a query fast and do not change its result.
struct QueryIndexes: Sendable {
    /// The indexes by which lists can be sorted.
    var sortIndexes: Set<SortIndex> = []
    /// The properties with a text index.
    var searchColumns: Set<SearchColumn> = []

    static let none = QueryIndexes()
}

extension QueryIndexes {
    init(of connection: any Connection) throws {
        self.init(sortIndexes: try SortIndex.all(in: connection), searchColumns: try SearchColumn.all(in: connection))
    }
}

extension QueryIndexes {
    /// Indicates whether the file has an index that finds exactly the records that fulfil the condition, if short parts
    /// are found as well.
    func finds(_ condition: QueryExpression, of table: ModelTable) -> Bool {
        switch condition {
        case .isMember(.property(let name), _), .equal(.property(let name), .constant),
            .ordered(_, .property(let name), .constant):
            return isSorted(name, of: table) || table.references.contains { $0.property == name }
        case .startsIgnoringCase(let name, _): return isSorted(name, of: table)
        case .contains(.folded(.property(let name)), .constant(.text(let part))):
            return searchColumns.contains(SearchColumn(model: table.model.name, property: name))
                && !part.isEmpty
        case .related: return true
        case .and: return condition.conjuncts.contains { finds($0, of: table) }
        case .or: return condition.disjuncts.allSatisfy { finds($0, of: table) }
        default: return false
        }
    }

    /// Indicates whether testing one record after the other is fast: a comparison with stored values, without a
    /// search in texts.
    func comparesQuickly(_ condition: QueryExpression) -> Bool {
        switch condition {
        case .isMember(.property, _), .equal(.property, .constant), .ordered(_, .property, .constant), .related,
            .startsIgnoringCase:
            true
        case .not(let condition): comparesQuickly(condition)
        case .and: condition.conjuncts.allSatisfy(comparesQuickly)
        case .or: condition.disjuncts.allSatisfy(comparesQuickly)
        default: false
        }
    }

    private func isSorted(_ property: String, of table: ModelTable) -> Bool {
        sortIndexes.contains(SortIndex(model: table.model.name, property: property))
    }
}
