import CSQLite

extension SQLiteConnection {
    /// Renaming the other file over this one would leave the write-ahead log of the old one beside it, which SQLite
    /// then replays.
    func replaceContents(byThoseOf source: any WriterConnection) throws(EngineError) {
        guard let source = source as? SQLiteConnection else {
            throw EngineError(sqliteCode: SQLITE_MISUSE, operation: "replace by another engine's store")
        }
        // Each page is written once: keeping them would only take memory.
        let cache = try? pragma("cache_size")  // where it cannot be asked for it stays
        if cache != nil { try run("PRAGMA cache_size=-8192") }
        defer { if let cache { _ = try? run("PRAGMA cache_size=\(cache)") } }  // a smaller cache is only slower
        guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw EngineError(
                sqliteCode: handle.map { sqlite3_extended_errcode($0) } ?? SQLITE_MISUSE, operation: "replace")
        }
        let status = sqlite3_backup_step(backup, -1)
        let finished = sqlite3_backup_finish(backup)
        guard status == SQLITE_DONE, finished == SQLITE_OK else {
            throw EngineError(sqliteCode: finished == SQLITE_OK ? status : finished, operation: "replace")
        }
    }
}
