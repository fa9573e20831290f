import CSQLite

extension SQLiteConnection {
    var isInTransaction: Bool {
        handle.map { sqlite3_get_autocommit($0) == 0 } ?? false
    }

    var hasDanglingReferences: Bool {
        handle.map { aviary_has_dangling_references($0) != 0 } ?? false
    }

    /// FULL, IOERR, NOMEM and INTERRUPT can roll back everyone's work.
    var transactionLost: EngineError {
        EngineError(sqliteCode: SQLITE_ABORT, operation: "transaction")
    }
}
