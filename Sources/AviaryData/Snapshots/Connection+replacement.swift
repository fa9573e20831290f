import CSQLite

extension Connection {
    /// Takes over every page of the other file, in one transaction: readers see all of it or nothing.
    ///
    /// Renaming the other file over this one would leave the write-ahead log of the old one beside it, which SQLite
    /// then replays.
    func replacePages(byThoseOf source: Connection) throws(SQLiteError) {
        guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw SQLiteError(extendedCode: handle.map { sqlite3_extended_errcode($0) } ?? SQLITE_MISUSE, operation: "replace")
        }
        let status = sqlite3_backup_step(backup, -1)
        let finished = sqlite3_backup_finish(backup)
        guard status == SQLITE_DONE, finished == SQLITE_OK else {
            throw SQLiteError(extendedCode: finished == SQLITE_OK ? status : finished, operation: "replace")
        }
    }
}
