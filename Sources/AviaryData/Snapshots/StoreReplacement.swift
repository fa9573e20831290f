import AviaryDomain
import CSQLite
import Foundation

/// A finished store file that is about to take the place of the live one.
struct StoreReplacement {
    let connection: Connection
    let position: StorePosition

    /// Makes the file what the live store is to be: its models and indexes, its receipts, the next commit number.
    ///
    /// - Throws: ``StoreOpenError`` when the file has other models, ``SQLiteError``.
    init(fileAt path: String, for live: Connection, tables: ModelTables, current: StorePosition) throws {
        connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE, busyTimeoutInMilliseconds: 0)
        try StoreLayout.checkIdentity(of: connection)
        // The file is thrown away if the process ends now.
        try connection.set("journal_mode", to: "MEMORY")
        try connection.set("synchronous", to: "OFF", readingBack: "0")
        try StoreLayout(tables: tables, sortIndexes: try SortIndex.all(in: live)).install(in: connection)
        guard let restored = try StorePosition.read(from: connection) else {
            throw StoreOpenError.notAStore(path: path)
        }
        // Above both, so that a number that was given out is never given out again.
        position = StorePosition(
            commit: max(current.commit, restored.commit) + 1, nextChange: max(current.nextChange, restored.nextChange),
            historySize: 0
        )
        try connection.run("BEGIN IMMEDIATE")
        do {
            try Self.copyReceipts(from: live, to: connection)
            try position.write(to: connection)
            try MetaTable.set(.restoreEpoch, to: .text(UUID().canonicalText), in: connection)
            try OpenMark.set(in: connection)
            try connection.run("COMMIT")
        } catch {
            connection.abandonTransaction()
            throw error
        }
    }

    // A form that was saved before the restore and is sent again must not be stored twice. The history ends here: what
    // it tells is not how the restored records came about.
    private static func copyReceipts(from live: Connection, to connection: Connection) throws {
        try copy("aviary_commit", columns: CommitTable.columns, from: live, to: connection)
        try copy("aviary_discard", columns: DiscardTable.columns, from: live, to: connection)
    }

    private static func copy(_ table: String, columns: String, from live: Connection, to connection: Connection) throws {
        let count = columns.split(separator: ",").count
        let row = try live.statement("SELECT \(columns) FROM \(table)")
        defer { row.reset() }
        let insert = try connection.statement(
            "INSERT OR REPLACE INTO \(table) (\(columns)) VALUES (\(SQL.placeholders(count)))"
        )
        while try row.step() {
            defer { insert.reset() }
            try insert.bind((0..<count).map { row.value(Int32($0)) })
            _ = try insert.step()
        }
    }
}
