import AviaryDomain

/// A query of one model as a statement and the values of its parameters.
struct FetchSQL {
    let text: String
    let values: [FieldValue]
    /// A Boolean value that indicates whether the statement can fail for the values of a record.
    let calculates: Bool

    /// - Parameter columns: What is selected, as it stands in the text.
    /// - Throws: ``QueryError`` when it names a property that the model does not store.
    init(
        _ query: RecordQuery, of table: ModelTable, _ aids: QueryAids, selecting columns: String
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
    init(counting query: RecordQuery, of table: ModelTable, _ aids: QueryAids) throws(QueryError) {
        var unordered = query
        unordered.order = []
        let records = try FetchSQL(unordered, of: table, aids, selecting: "id")
        text = "SELECT count(*) FROM (\(records.text)) AS found"
        values = records.values
        calculates = records.calculates
    }
}
