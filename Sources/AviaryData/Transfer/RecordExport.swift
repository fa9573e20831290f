import AviaryDomain

/// An export of the records of one model as text, row by row.
struct RecordExport {
    private static let flushSize = 1 << 16
    private static let progressStep = 10_000

    let model: ModelSchema
    let query: ExportQuery
    let format: ExportFormat
    let tables: ModelTables
    let aids: QueryIndexes
    let sink: any ByteSink
    /// A function that throws after the export was cancelled.
    var check: () throws -> Void = {}
    var progress: (Int) -> Void = { _ in }

    /// Writes the records, and in JSON Lines those that were deleted since the commit of the query.
    ///
    /// - Returns: The number of records.
    /// - Throws: ``ChangedRecordsError`` if the history does not know what has changed since the commit.
    func write(from connection: any Connection) throws -> Int {
        let changes = try query.sinceCommit.map { try ChangedRecords(of: model, since: $0, in: connection) }
        let properties = ExportedProperties(
            of: model, in: tables.schema, as: format, leavingOut: query.leavingOut)
        var text = RecordText(properties, as: format)
        text.writeHeader()
        var count = 0
        // A new model of the program has no table in the file yet, and so no records.
        if let table = tables[model.name], try RecordCountTable.models(in: connection).contains(model.name) {
            let links = try links(properties, in: connection)
            let (sql, values) = try statement(table, changes)
            let row = try connection.statement(sql)
            defer { row.reset() }
            try row.bind(values, from: 1)
            while try row.step() {
                guard let id = row.text(0) else { throw RecordDecodingError(model: model.name) }
                text.write(id, row.values(2..<table.columns.count + 2), links: try links.map { try $0.links(of: id) })
                count += 1
                if text.bytes.count >= Self.flushSize { try flush(&text) }
                if count.isMultiple(of: Self.progressStep) { progress(count) }
            }
            if format == .jsonl, let changes {
                try changes.forEachDeleted(from: table, in: connection) { id, commit in
                    text.writeDeleted(id, by: commit)
                    if text.bytes.count >= Self.flushSize { try flush(&text) }
                }
            }
        }
        try flush(&text)
        return count
    }

    private func statement(_ table: ModelTable, _ changes: ChangedRecords?) throws -> (
        sql: String, values: [FieldValue]
    ) {
        var condition = ConditionSQL(model, table.dialect, aids)
        var sql = "SELECT \(table.selection) FROM \(table.name)"
        var texts = try query.conditions.map { try condition.filter($0) }
        if changes != nil { texts.append("id IN (\(ChangedRecords.records))") }
        if !texts.isEmpty { sql += " WHERE " + texts.joined(separator: " AND ") }
        sql += " ORDER BY "
        if let order = query.order, let index = model.storedIndex(of: order.property),
            table.columns.indices.contains(index)
        {
            let column = table.columns[index]
            let key = model.storedProperties[index].isSortedIgnoringCase ? table.dialect.ignoringCase(column) : column
            sql += table.dialect.order(key, upwards: order.direction == .ascending) + ", "
        }
        // Records with equal values are in the order of their ids, as in a list. A descending order reverses it,
        // too.
        sql += table.dialect.orderOfKey("id", upwards: query.order?.direction != .descending)
        return (sql, condition.values + (changes?.parameters ?? []))
    }

    private func links(_ properties: ExportedProperties, in connection: any Connection) throws -> [any LinkedRecords] {
        try properties.all.compactMap { property, source in
            guard source == .links, let side = tables.linkSide(property.name, of: model.name) else { return nil }
            let isInIDOrder = query.order == nil && query.conditions.isEmpty && query.sinceCommit == nil
            return isInIDOrder ? try LinkCursor(side, in: connection) : LinkLookup(side, in: connection)
        }
    }

    private func flush(_ text: inout RecordText) throws {
        try check()
        try sink.write(text.bytes)
        text.removeAll()
    }
}

/// The ids of a record's linked records, in their order.
protocol LinkedRecords {
    func links(of record: String) throws -> [String]
}

extension LinkCursor: LinkedRecords {}

/// A look-up of the links of each record separately, for records in any order.
struct LinkLookup: LinkedRecords {
    private let connection: any Connection
    private let sql: String

    init(_ side: LinkSide, in connection: any Connection) {
        self.connection = connection
        sql = "SELECT \(side.other) FROM \(side.table.name) WHERE \(side.own) = ? ORDER BY \(side.other)"
    }

    func links(of record: String) throws -> [String] {
        try connection.rows(sql, [.text(record)]) { $0.text(0) ?? "" }
    }
}

/// A cursor through the links of a many-to-many property, parallel to its records.
///
/// Both are in the order of the records' ids, so that only the links of one record are in memory.
final class LinkCursor {
    private let row: any PreparedStatement
    private var id: String?

    init(_ side: LinkSide, in connection: any Connection) throws {
        row = try connection.statement(
            "SELECT \(side.own), \(side.other) FROM \(side.table.name) ORDER BY \(side.own), \(side.other)")
        try advance()
    }

    deinit {
        row.reset()
    }

    /// Returns the ids of the linked records. The calls must be in the order of the records' ids.
    func links(of record: String) throws -> [String] {
        while let id, id < record { try advance() }
        var links: [String] = []
        while id == record {
            if let link = row.text(1) { links.append(link) }
            try advance()
        }
        return links
    }

    private func advance() throws {
        id = try row.step() ? row.text(0) : nil
    }
}

/// The records of a model that were changed, linked or deleted since a commit, as the history knows them.
struct ChangedRecords {
    /// The statement that finds the ids of the records, with ``parameters``.
    static let records = #"SELECT record FROM aviary_change WHERE model = ? AND "commit" > ?"#

    let parameters: [FieldValue]

    /// Creates the collection.
    ///
    /// - Throws: ``ChangedRecordsError`` if the history does not contain all changes since the commit, ``EngineError``.
    init(of model: ModelSchema, since commit: Int64, in connection: any Connection) throws {
        parameters = [.text(model.name), .integer(commit)]
        let position = try StorePosition.read(from: connection) ?? .start
        guard commit <= position.commit else {
            throw ChangedRecordsError.noSuchCommit(commit, last: position.commit)
        }
        // A restore is a gap, too.
        guard let gap = try HistoryGaps.read(from: connection).lastGap(of: model.name) else {
            throw ChangedRecordsError.noHistory(model: model.name)
        }
        guard try commit == position.commit || gap <= commit && Self.isComplete(since: commit, position, connection)
        else { throw ChangedRecordsError.notInHistory(commit) }
    }

    /// Indicates whether no entry after a commit was removed.
    private static func isComplete(
        since commit: Int64, _ position: StorePosition, _ connection: any Connection
    ) throws -> Bool {
        guard let first = try ChangeTable.firstNumber(in: connection),
            let oldest = try ChangeTable.oldestCommit(in: connection)
        else { return position.nextChange == 1 }
        // The oldest entries are removed first.
        if first == 1 || oldest <= commit { return true }
        return try oldest == commit + 1 && CommitTable.changes(of: oldest, in: connection)?.lowerBound == first
    }

    /// The statement that finds the deleted records of a table, each with its last commit.
    private static func deletions(from table: ModelTable) -> String {
        """
        SELECT entry.record, max(entry."commit") FROM aviary_change AS entry \
        WHERE entry.model = ? AND entry."commit" > ? AND entry.kind = \(RecordChange.Kind.delete.rawValue) \
        AND NOT EXISTS (SELECT 1 FROM \(table.name) AS present WHERE present.id = entry.record) \
        GROUP BY entry.record ORDER BY entry.record
        """
    }

    /// Calls the body with the id of each deleted record and the commit that deleted it.
    func forEachDeleted(
        from table: ModelTable, in connection: any Connection, _ body: (String, Int64) throws -> Void
    ) throws {
        let row = try connection.statement(Self.deletions(from: table))
        defer { row.reset() }
        try row.bind(parameters)
        while try row.step() { try body(row.text(0) ?? "", row.integer(1)) }
    }

    /// Returns the number of deleted records.
    func deletedCount(from table: ModelTable, in connection: any Connection) throws -> Int {
        let sql = "SELECT count(*) FROM (\(Self.deletions(from: table))) AS deleted"
        return try connection.firstRow(sql, parameters) { Int($0.integer(0)) } ?? 0
    }
}
