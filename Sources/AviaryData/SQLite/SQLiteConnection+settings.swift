import CSQLite

extension SQLiteConnection {
    /// Sets a pragma and reads it back.
    ///
    /// - Throws: ``StoreOpenError/setting(name:wanted:found:)`` when it did not take.
    func set(_ name: String, to value: String, readingBack wanted: String? = nil) throws {
        let wanted = wanted ?? value
        // Some pragmas answer when they are set, some do not; only a second question is certain.
        try run("PRAGMA \(name)=\(value)")
        let found = try pragma(name)
        guard found.lowercased() == wanted.lowercased() else {
            throw StoreOpenError.setting(name: name, wanted: wanted, found: found)
        }
    }

    func pragma(_ name: String) throws -> String {
        try firstRow("PRAGMA \(name)") { $0.text(0) ?? "" } ?? ""
    }

    /// Readers in other processes need the `-wal` and `-shm` files also while the store is closed.
    func keepWriteAheadLog() throws(EngineError) {
        let status = aviary_persist_wal(handle)
        guard status == SQLITE_OK else { throw EngineError(sqliteCode: status, operation: "persist WAL") }
    }
}
