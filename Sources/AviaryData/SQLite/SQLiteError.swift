import CSQLite

/// A failed call of SQLite: which, and how. The operation is SQL with placeholders, so values never appear.
package struct SQLiteError: Error, Sendable, Hashable {
    package let extendedCode: Int32
    package let operation: String

    package init(extendedCode: Int32, operation: String) {
        self.extendedCode = extendedCode
        self.operation = operation
    }

    package var code: Int32 { extendedCode & 0xFF }
}

extension SQLiteError {
    /// After these the file or the disk cannot be relied upon: going on could acknowledge what is not stored.
    var isFatal: Bool {
        switch extendedCode {
        // fsync may report an error once and then claim success for pages that it dropped.
        case SQLITE_IOERR | (4 << 8), SQLITE_IOERR | (5 << 8): true
        default: code == SQLITE_CORRUPT || code == SQLITE_NOTADB
        }
    }

    /// As ``isFatal``, for an error of COMMIT or of a checkpoint, where every I/O error concerns a flush.
    var isFatalInFlush: Bool {
        // A full disk shows as a shared-memory file that cannot grow; it recovers when there is room again.
        let sharedMemoryErrors = [SQLITE_IOERR | (19 << 8), SQLITE_IOERR | (21 << 8)]
        return isFatal || (code == SQLITE_IOERR && !sharedMemoryErrors.contains(extendedCode))
    }
}

extension SQLiteError {
    /// ``WorkBounds`` or a ``ConnectionInterrupter`` ended it.
    var isInterruption: Bool { code == SQLITE_INTERRUPT }

    /// Somebody else held the file for longer than the connection waits.
    var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }

    /// The file is not as SQLite writes it.
    var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
}

extension SQLiteError: CustomStringConvertible {
    package var description: String {
        "\(reason) (SQLite code \(extendedCode), in: \(operation))"
    }

    /// What happened and what to do, for the person who runs the server.
    var reason: String {
        switch code {
        case SQLITE_FULL: "the disk is full. Free some space; nothing has to be restarted."
        case SQLITE_INTERRUPT: "the work took too long and was interrupted. Ask for less at once."
        case SQLITE_BUSY, SQLITE_LOCKED: "another process holds the store's file. Try again in a moment."
        case SQLITE_NOMEM: "memory ran out. Try again, or give the process more memory."
        case SQLITE_IOERR: "the disk reported an error. Check the system's log and the disk."
        case SQLITE_CORRUPT, SQLITE_NOTADB: "the store's file is damaged. Restore the last backup."
        default: String(cString: sqlite3_errstr(code)) + "."
        }
    }
}
