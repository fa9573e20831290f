import CSQLite

/// How far the write-ahead log was copied into the database file, in frames (pages).
struct CheckpointProgress: Sendable {
    let logFrames: Int
    let copiedFrames: Int

    var isComplete: Bool { copiedFrames == logFrames }
}

extension Connection {
    /// Copies what readers allow, without waiting for them.
    func checkpoint() throws(SQLiteError) -> CheckpointProgress {
        try checkpoint(SQLITE_CHECKPOINT_PASSIVE)
    }

    /// Copies everything and empties the log; a reader in the way is an error of code `SQLITE_BUSY`.
    @discardableResult
    func truncateLog() throws(SQLiteError) -> CheckpointProgress {
        // With the usual timeout a long read would stall every write.
        sqlite3_busy_timeout(handle, 0)
        defer { sqlite3_busy_timeout(handle, StoreConnection.busyTimeoutInMilliseconds) }
        return try checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
    }

    private func checkpoint(_ mode: Int32) throws(SQLiteError) -> CheckpointProgress {
        var logFrames: Int32 = 0
        var copiedFrames: Int32 = 0
        let status = sqlite3_wal_checkpoint_v2(handle, "main", mode, &logFrames, &copiedFrames)
        guard status == SQLITE_OK else {
            let code = handle.map { sqlite3_extended_errcode($0) } ?? status
            throw SQLiteError(extendedCode: code, operation: "checkpoint")
        }
        return CheckpointProgress(logFrames: Int(logFrames), copiedFrames: Int(copiedFrames))
    }
}
