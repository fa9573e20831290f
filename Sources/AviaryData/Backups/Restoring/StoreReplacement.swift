import AviaryDomain
import Foundation

/// A finished store file that is about to take the place of the live one.
struct StoreReplacement {
    let connection: any WriterConnection
    let position: StorePosition
    /// The live store's clock with the marks of the commits that the file has.
    let clock: StoreClock

    /// Makes the file what the live store is to be: its models and indexes, its receipts, the next commit number.
    ///
    /// - Throws: ``StoreOpenError`` when the file has other models, ``EngineError``.
    init(
        at path: String, for live: any Connection, engine: any StoreEngine, tables: ModelTables, current: StorePosition,
        history: HistoryPolicy, clock: StoreClock, time: Date
    ) throws {
        let connection = try engine.openReplacement(at: path)
        self.connection = connection
        try StoreLayout.checkIdentity(of: connection)
        try StoreLayout(tables: tables, sortIndexes: try SortIndex.all(in: live)).install(in: connection)
        guard let restored = try StorePosition.read(from: connection) else {
            throw StoreOpenError.notAStore(path: path)
        }
        // Above both, so that a number that was given out is never given out again.
        var next = StorePosition(
            commit: max(current.commit, restored.commit), nextChange: max(current.nextChange, restored.nextChange),
            historySize: restored.historySize
        )
        var renumbered = clock
        try connection.transaction {
            try Self.copyReceipts(from: live, to: connection, at: clock, &next)
            next.commit += 1
            try Self.renewAccounts(tables, from: live, in: connection, at: time, history, &next)
            try Self.carryOver(tables, from: live, to: connection)
            try KeptSecrets.carryOver(tables, from: live, to: connection)
            try HistoryGaps.note(excluded: history.excludedModels, at: next.commit, in: connection)
            try next.write(to: connection)
            // The numbers of the snapshot's commits can be those of other commits in the live store.
            renumbered = try clock.remarked(byCommitsIn: connection)
            try renumbered.write(to: connection)
            try MetaTable.set(.restoreEpoch, to: .text(UUID().canonicalText), in: connection)
            try OpenMark.set(in: connection)
        }
        position = next
        self.clock = renumbered
    }

    /// Makes the file the first store of a directory, where there is nothing to take over.
    ///
    /// - Returns: The commit that it is then at.
    static func complete(storeAt path: String, engine: any StoreEngine) throws -> Int64 {
        let connection = try engine.openReplacement(at: path)
        defer { connection.close() }
        guard var position = try StorePosition.read(from: connection) else {
            throw StoreOpenError.notAStore(path: path)
        }
        position.commit += 1
        try connection.transaction {
            try position.write(to: connection)
            try KeptSecrets.forget(in: connection)
        }
        return position.commit
    }

    // A form that was saved before the restore and is sent again must not be stored twice. The live store's history
    // ends here: what it tells is not how the restored records came about.
    private static func copyReceipts(
        from live: any Connection, to connection: any Connection, at clock: StoreClock, _ position: inout StorePosition
    ) throws {
        try copyCommits(
            from: live, to: connection, after: clock.lastCommit(before: CommitTable.receiptLifetime), &position)
        let columns = DiscardTable.columns
        let row = try live.statement("SELECT \(columns.joined(separator: ", ")) FROM aviary_discard WHERE time > ?")
        defer { row.reset() }
        try row.bind([
            .integer(clock.runningDate.addingTimeInterval(-CommitTable.receiptLifetime).milliseconds)
        ])
        let insert = try connection.statement(
            connection.dialect.replacement(into: "aviary_discard", columns, key: "id"))
        while try row.step() {
            defer { insert.reset() }
            try insert.bind(row.values(columns.indices))
            _ = try insert.step()
        }
    }

    /// The snapshot's own commits stay, with their entries if it has any. A commit of the live store whose number
    /// another has in the snapshot, which is then of another store, gets a number of its own.
    private static func copyCommits(
        from live: any Connection, to connection: any Connection, after last: Int64, _ position: inout StorePosition
    ) throws {
        let row = try live.statement(
            "SELECT \(CommitTable.columns.joined(separator: ", ")) FROM aviary_commit WHERE number > ? ORDER BY number")
        defer { row.reset() }
        try row.bind([.integer(last)])
        let insert = try connection.statement(SnapshotLogRow.Table.commit.insert)
        while try row.step() {
            guard let changeSet = row.text(1), try CommitTable.receipt(changeSet, in: connection) == nil else {
                continue
            }
            var commit = CommitRow(row.values(CommitTable.columns.indices))
            if try CommitTable.changes(of: row.integer(0), in: connection) != nil {
                position.commit += 1
                commit.number = position.commit
            }
            commit.forgetEntries()
            defer { insert.reset() }
            try insert.bind(commit.values)
            _ = try insert.step()
        }
    }
}

/// The columns of a commit, to be changed before they are written.
private struct CommitRow {
    private(set) var values: [FieldValue]

    init(_ values: [FieldValue]) {
        self.values = values
    }

    var number: Int64 {
        get { integer("number") }
        set { set("number", newValue) }
    }

    /// Counts its entries among those that are not kept: none of them may be taken for an entry of the restored
    /// history.
    mutating func forgetEntries() {
        set("unrecorded", integer("unrecorded") + integer("changes"))
        set("first_change", 0)
        set("changes", 0)
    }

    private func integer(_ column: String) -> Int64 {
        guard let index = CommitTable.columns.firstIndex(of: column), case .integer(let number) = values[index] else {
            return 0
        }
        return number
    }

    private mutating func set(_ column: String, _ number: Int64) {
        if let index = CommitTable.columns.firstIndex(of: column) { values[index] = .integer(number) }
    }
}
