import CSQLite

extension SQLiteConnection: WriterConnection {
    var logPages: Int { logCounter.current }

    func takeOverCheckpoints() {
        logCounter.follow(handle)
    }

    func checkpoint() throws(EngineError) -> CheckpointProgress {
        try checkpoint(SQLITE_CHECKPOINT_PASSIVE)
    }

    @discardableResult
    func truncateLog() throws(EngineError) -> CheckpointProgress {
        // With the usual timeout a long read would stall every write.
        sqlite3_busy_timeout(handle, 0)
        defer { sqlite3_busy_timeout(handle, SQLiteEngine.writerTimeoutInMilliseconds) }
        let progress = try checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
        logCounter.reset()
        return progress
    }

    private func checkpoint(_ mode: Int32) throws(EngineError) -> CheckpointProgress {
        var logFrames: Int32 = 0
        var copiedFrames: Int32 = 0
        let status = sqlite3_wal_checkpoint_v2(handle, "main", mode, &logFrames, &copiedFrames)
        guard status == SQLITE_OK else {
            let code = handle.map { sqlite3_extended_errcode($0) } ?? status
            throw EngineError(sqliteCode: code, operation: "checkpoint")
        }
        return CheckpointProgress(logPages: Int(logFrames), copiedPages: Int(copiedFrames))
    }
}
