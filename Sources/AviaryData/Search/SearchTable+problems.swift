import AviaryDomain

extension SearchTable {
    /// Compares the words of a slice of records with the records' texts, and looks whether the index has them.
    ///
    /// - Returns: What is wrong, and the id of the last record looked at; nil behind all.
    func problems(after id: String, atMost limit: Int, in connection: any Connection) throws -> (
        [DataProblem], last: String?
    ) {
        let tables = Set(try connection.tableNames()), plain = Self.tableName(of: model.name)
        guard tables.contains(model.name) else { return ([], nil) }
        guard tables.contains(plain) else {
            return ([.derived("The text index of \(model.name) is not there.")], nil)
        }
        let columns = properties.map(dialect.name)
        func rows(_ sql: String, _ end: String?) throws -> [String: [FieldValue]] {
            let found = try connection.rows(sql, [.text(id), end.map(FieldValue.text) ?? .text(Self.lastID)]) { row in
                (row.text(0) ?? "", row.values(1..<columns.count + 1))
            }
            return Dictionary(found, uniquingKeysWith: { first, _ in first })
        }
        let ids = try connection.rows(
            "SELECT id FROM \(dialect.name(model.name)) WHERE id > ? ORDER BY id LIMIT ?",
            [.text(id), .integer(Int64(limit))]
        ) { $0.text(0) ?? "" }
        // Behind the last record there must be none.
        let end = ids.count < limit ? nil : ids.last
        let wanted = try rows(
            "SELECT id, \(columns.map(dialect.folded).joined(separator: ", ")) FROM \(dialect.name(model.name)) "
                + "WHERE id > ? AND id <= ?", end)
        let kept = try rows(
            "SELECT id, \(columns.joined(separator: ", ")) FROM \(name) WHERE id > ? AND id <= ?", end)
        var problems: [DataProblem] = []
        for (id, values) in wanted where kept[id] != values {
            problems.append(
                .derived("The text index of \(model.name) does not have the texts of \(id) as they are stored."))
        }
        for id in kept.keys where wanted[id] == nil {
            problems.append(.derived("The text index of \(model.name) has texts of \(id), which does not exist."))
        }
        let missing = try connection.firstRow(
            "SELECT count(*) FROM \(name) WHERE id > ? AND id <= ? AND NOT "
                + dialect.isInTextIndex(Self.tableName(of: model.name) + Self.indexSuffix, Self.key),
            [.text(id), .text(end ?? Self.lastID)]
        ) { $0.integer(0) }
        if let missing, missing > 0 {
            problems.append(.derived("The text index of \(model.name) lacks the words of \(missing) records."))
        }
        return (problems, end)
    }

    /// Behind every id.
    private static let lastID = "~"
}
