// Checkpoints run here, between batches and after the answers, so that they delay no acknowledgement by themselves, and
// so that their errors are seen: SQLite's automatic ones ignore them.
extension Store {
    /// 16 MiB. Larger logs gain up to a third in throughput and cost stalls of 30 to 50 ms, measured.
    private static let pagesBetweenCheckpoints = 4000
    /// 64 MiB: as large as the log grows only while a long read holds it.
    private static let truncationThreshold = 16_000

    func checkpointIfDue() {
        let pages = connection.logPages
        // A smaller log than last time has begun anew.
        if pages < logPagesAtCheckpoint { logPagesAtCheckpoint = 0 }
        guard pages - logPagesAtCheckpoint >= Self.pagesBetweenCheckpoints else { return }
        do {
            try checkpoint()
        } catch {
            // Anything else, such as a reader in the way, only leaves the work to a later checkpoint.
            if error.isFatalInFlush { fail(error) }
        }
    }

    /// A long read that held the log may end when no commit follows that would look after it.
    ///
    /// - Returns: Whether the log is empty now, and was not before.
    func checkpointLargeLog() throws(EngineError) -> Bool {
        guard isLogLarge else { return false }
        try checkpoint()
        return connection.logPages == 0
    }

    /// Also of a log that is used again from its start: its file keeps its size until it is emptied, and large ones keep long reads
    /// from beginning.
    private var isLogLarge: Bool { max(connection.logPages, log.pages) >= Self.truncationThreshold }

    private func checkpoint() throws(EngineError) {
        let pages = connection.logPages
        logPagesAtCheckpoint = pages
        let progress = try connection.checkpoint()
        guard progress.isComplete, isLogLarge else { return }
        try connection.truncateLog()
        logPagesAtCheckpoint = 0
    }
}
