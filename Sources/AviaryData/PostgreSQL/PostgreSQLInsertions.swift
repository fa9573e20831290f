import AviaryDomain

/// The insertions of a transaction that have not been sent, in groups that one statement inserts.
///
/// A statement for many rows costs the server less than a statement for each.
struct PostgreSQLInsertions {
    /// Rows of one statement.
    struct Group {
        let statement: PostgreSQLStatement
        /// Indicates whether the rows may violate a constraint, which is assumed not to happen.
        let isAssumed: Bool
        fileprivate(set) var rows: [PostgreSQLParameters]
    }

    /// The number of rows, and their size in bytes, with which they are sent. The server works on them while the store
    /// prepares the next ones.
    private static let limits = (rows: 24, size: 32 << 10)

    private(set) var groups: [Group] = []
    private var rows = 0
    private var size = 0

    var isFull: Bool { rows >= Self.limits.rows || size >= Self.limits.size }

    /// Adds a row with the bound values of a statement.
    ///
    /// The order of rows in different tables may change. No constraint of the database concerns two tables.
    mutating func add(_ statement: PostgreSQLStatement, isAssumed: Bool) {
        rows += 1
        size += statement.parameters.byteCount
        if let group = groups.firstIndex(where: { $0.statement === statement }) {
            groups[group].rows.append(statement.parameters)
        } else {
            groups.append(Group(statement: statement, isAssumed: isAssumed, rows: [statement.parameters]))
        }
    }

    mutating func removeAll() {
        groups.removeAll(keepingCapacity: true)
        (rows, size) = (0, 0)
    }
}

extension PostgreSQLConnection {
    /// Sends the insertions of the transaction that have not been sent. Their answers are not awaited.
    ///
    /// If one of a record fails, the transaction is lost, see ``assumeInsertions()``.
    func sendInsertions(on link: PostgreSQLLink) throws(EngineError) {
        guard let groups = transaction?.insertions.groups, !groups.isEmpty else { return }
        transaction?.insertions.removeAll()
        for group in groups {
            if try !sendTogether(group, on: link) {
                for row in group.rows { try send(row, of: group, on: link) }
            }
        }
    }

    /// Sends the rows of a group as arrays of the values of each column.
    ///
    /// - Returns: A Boolean value that indicates whether their columns have types of arrays, which the values fit.
    private func sendTogether(_ group: PostgreSQLInsertions.Group, on link: PostgreSQLLink) throws(EngineError) -> Bool
    {
        guard group.rows.count > 1, let sql = group.statement.text.groupSQL else { return false }
        let columns = try columnTypes(of: group, on: link), types = columns.compactMap(PostgreSQLType.array(of:))
        guard types.count == columns.count, group.rows.allSatisfy({ $0.fit(columns) }) else { return false }
        var arrays = PostgreSQLParameters(count: columns.count)
        for (index, type) in columns.enumerated() {
            arrays.set(.blob(PostgreSQLParameters.array(of: group.rows, at: index, type)), at: index + 1)
        }
        let name = try prepareGroup(group, sql, types, on: link)
        try link.queueExecution(name, sql, arrays, isWanted: false, isAssumed: group.isAssumed)
        return true
    }

    /// Sends a row alone.
    private func send(
        _ row: PostgreSQLParameters, of group: PostgreSQLInsertions.Group, on link: PostgreSQLLink
    ) throws(EngineError) {
        let statement = group.statement, isAssumed = group.isAssumed
        statement.parameters = row
        defer { statement.parameters.clear() }
        let name = try prepare(statement, isAssumed: isAssumed, on: link)
        let sql = isAssumed ? statement.text.assumingSQL : statement.text.sql
        try link.queueExecution(name, sql, row, isWanted: false, isAssumed: isAssumed)
    }

    /// Returns the types of the columns of a group: those of its first row, or those that the server infers if it has nulls.
    private func columnTypes(
        of group: PostgreSQLInsertions.Group, on link: PostgreSQLLink
    ) throws(EngineError) -> [UInt32] {
        let statement = group.statement, types = group.rows[0].types
        guard types.contains(PostgreSQLType.inferred) else { return types }
        statement.parameters = group.rows[0]
        defer { statement.parameters.clear() }
        if let known = knownPreparation(of: statement, isAssumed: group.isAssumed) { return known.types }
        if let known = statement.columns, known.session == session { return known.types }
        let columns = try parameterTypes(of: statement, on: link)
        statement.columns = (session, columns)
        return columns
    }

    private func prepareGroup(
        _ group: PostgreSQLInsertions.Group, _ sql: String, _ types: [UInt32], on link: PostgreSQLLink
    ) throws(EngineError) -> String {
        let statement = group.statement
        statement.groupPreparations.removeAll { $0.session != session || $0.isLost }
        if let known = statement.groupPreparations.first(where: { $0.types == types }) { return known.name }
        let preparation = PostgreSQLPreparation(
            name: newName(), session: session, types: types, isAssumed: group.isAssumed)
        try link.queuePreparation(preparation.name, sql, types: types, of: preparation)
        statement.groupPreparations.append(preparation)
        return preparation.name
    }
}
