import CSQLite

extension SQLiteConnection {
    var isInTransaction: Bool {
        handle.map { sqlite3_get_autocommit($0) == 0 } ?? false
    }

    func rollBack() throws(EngineError) {
        // It is work like any other to SQLite, and the end of a read may be just what it takes back.
        bounds.isSuspended = true
        defer { bounds.isSuspended = false }
        try run("ROLLBACK")
    }

    var hasDanglingReferences: Bool {
        handle.map { aviary_has_dangling_references($0) != 0 } ?? false
    }

    /// FULL, IOERR, NOMEM and INTERRUPT can roll back everyone's work.
    var transactionLost: EngineError {
        EngineError(sqliteCode: SQLITE_ABORT, operation: "transaction")
    }

    func withoutReferenceChecks<T>(_ body: () throws -> T) throws -> T {
        let before = try pragma("foreign_keys")
        // Ignored inside of a transaction; with it on, dropping a table deletes its rows one by one, and what refers to them.
        try set("foreign_keys", to: "OFF", readingBack: "0")
        do {
            let result = try body()
            try set("foreign_keys", to: before)
            return result
        } catch {
            // The body's error says more; a connection without checks is not used after an opening that failed.
            try? set("foreign_keys", to: before)
            throw error
        }
    }
}
