import AviaryDomain
import Foundation

/// A finished store file that is about to take the place of the live one.
struct StoreReplacement {
    let connection: any WriterConnection
    let position: StorePosition

    /// Makes the file what the live store is to be: its models and indexes, its receipts, the next commit number.
    ///
    /// - Throws: ``StoreOpenError`` when the file has other models, ``EngineError``.
    init(
        at path: String, for live: any Connection, engine: any StoreEngine, tables: ModelTables, current: StorePosition,
        clock: StoreClock
    ) throws {
        connection = try engine.openReplacement(at: path)
        try StoreLayout.checkIdentity(of: connection)
        try StoreLayout(tables: tables, sortIndexes: try SortIndex.all(in: live)).install(in: connection)
        guard let restored = try StorePosition.read(from: connection) else {
            throw StoreOpenError.notAStore(path: path)
        }
        // Above both, so that a number that was given out is never given out again.
        position = StorePosition(
            commit: max(current.commit, restored.commit) + 1, nextChange: max(current.nextChange, restored.nextChange),
            historySize: 0
        )
        try connection.transaction {
            try Self.copyReceipts(from: live, to: connection, at: clock)
            try Self.renewAccounts(tables, from: live, in: connection, commit: position.commit)
            try Self.carryOver(tables, from: live, to: connection)
            try KeptSecrets.carryOver(tables, from: live, to: connection)
            try position.write(to: connection)
            var clock = clock
            try clock.write(to: connection)
            try MetaTable.set(.restoreEpoch, to: .text(UUID().canonicalText), in: connection)
            try OpenMark.set(in: connection)
        }
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

    // A form that was saved before the restore and is sent again must not be stored twice. The history ends here: what
    // it tells is not how the restored records came about.
    private static func copyReceipts(
        from live: any Connection, to connection: any Connection, at clock: StoreClock
    ) throws {
        try copy(
            "aviary_commit", columns: CommitTable.columns, key: "number", where: "number",
            after: clock.lastCommit(before: CommitTable.receiptLifetime), from: live, to: connection)
        try copy(
            "aviary_discard", columns: DiscardTable.columns, key: "id", where: "time",
            after: clock.runningDate.addingTimeInterval(-CommitTable.receiptLifetime).milliseconds, from: live,
            to: connection)
    }

    private static func copy(
        _ table: String, columns: [String], key: String, where column: String, after last: Int64,
        from live: any Connection, to connection: any Connection
    ) throws {
        let row = try live.statement("SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE \(column) > ?")
        defer { row.reset() }
        try row.bind([.integer(last)])
        let insert = try connection.statement(connection.dialect.replacement(into: table, columns, key: key))
        while try row.step() {
            defer { insert.reset() }
            try insert.bind(row.values(columns.indices))
            _ = try insert.step()
        }
    }
}
