import AviaryDomain
import CSQLite
import Foundation

/// A finished store file that is about to take the place of the live one.
struct StoreReplacement {
    let connection: Connection
    let commit: Int64

    /// Makes the file what the live store is to be: its models and indexes, its receipts, the next commit number.
    ///
    /// - Throws: ``StoreOpenError`` when the file has other models, ``SQLiteError``.
    init(fileAt path: String, for live: Connection, tables: ModelTables, currentCommit: Int64) throws {
        connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE, busyTimeoutInMilliseconds: 0)
        try StoreLayout.checkIdentity(of: connection)
        // The file is thrown away if the process ends now.
        try connection.set("journal_mode", to: "MEMORY")
        try connection.set("synchronous", to: "OFF", readingBack: "0")
        try StoreLayout(tables: tables, sortIndexes: try SortIndex.all(in: live)).install(in: connection)
        guard case .integer(let restored) = try MetaTable.value(.commit, in: connection) else {
            throw StoreOpenError.notAStore(path: path)
        }
        // Above both, so that a number that was given out is never given out again.
        commit = max(currentCommit, restored) + 1
        try connection.run("BEGIN IMMEDIATE")
        do {
            try Self.copyReceipts(from: live, to: connection)
            try MetaTable.set(.commit, to: .integer(commit), in: connection)
            try MetaTable.set(.restoreEpoch, to: .text(UUID().canonicalText), in: connection)
            try connection.run("COMMIT")
        } catch {
            connection.abandonTransaction()
            throw error
        }
    }

    // A form that was saved before the restore and is sent again must not be stored twice.
    private static func copyReceipts(from live: Connection, to connection: Connection) throws {
        let columns = #"id, fingerprint, "commit", time"#
        let row = try live.statement("SELECT \(columns) FROM aviary_receipt")
        defer { row.reset() }
        let insert = try connection.statement("INSERT OR REPLACE INTO aviary_receipt (\(columns)) VALUES (?, ?, ?, ?)")
        while try row.step() {
            defer { insert.reset() }
            try insert.bind((0..<4).map { row.value($0) })
            _ = try insert.step()
        }
    }
}
