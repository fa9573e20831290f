import CSQLite

extension EngineError {
    /// Creates the error for a SQLite result code.
    ///
    /// - Parameter code: The result code, extended or not.
    init(sqliteCode code: Int32, operation: String) {
        let primary = code & 0xFF
        self.init(
            kind: Kind(sqliteCode: code), code: Self.name(ofSQLiteCode: code),
            message: String(cString: sqlite3_errstr(primary)),
            operation: operation
        )
    }
}

extension EngineError.Kind {
    fileprivate init(sqliteCode code: Int32) {
        switch code & 0xFF {
        case SQLITE_CONSTRAINT: self = .constraint
        case SQLITE_TOOBIG, SQLITE_MISMATCH: self = .unfit
        case SQLITE_FULL: self = .outOfSpace
        case SQLITE_NOMEM: self = .outOfMemory
        case SQLITE_INTERRUPT: self = .interrupted
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_CANTOPEN: self = .cannotOpen
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damage
        case SQLITE_IOERR: self = Self.disk(code)
        default: self = .other
        }
    }

    private static func disk(_ code: Int32) -> EngineError.Kind {
        switch code >> 8 {
        // The flush of a file or of its directory failed. fsync may report an error once and then claim success for
        // pages that it dropped.
        case 4, 5: .flush
        // On a full disk the shared-memory file cannot grow. This error disappears when there is room again.
        case 19, 21: .transientIO
        default: .disk
        }
    }
}

extension EngineError {
    /// Indicates whether an interrupted transaction must be rolled back first, which a reader is not permitted to
    /// do.
    var isHotJournal: Bool { code == Self.name(ofSQLiteCode: SQLITE_READONLY | (3 << 8)) }

    private static func name(ofSQLiteCode code: Int32) -> String { "SQLite code \(code)" }
}
