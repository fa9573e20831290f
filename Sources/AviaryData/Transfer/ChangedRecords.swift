import AviaryDomain

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
