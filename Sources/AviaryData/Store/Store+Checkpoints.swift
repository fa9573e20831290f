import AviaryDomain

/// The state of the checkpoints of a store's log.
struct CheckpointState {
    /// The log's pages that the last checkpoint has seen.
    var seenPages = 0
    /// Indicates whether a thread of its own copies the log.
    var isCopying = false
    /// The number of times that the log was copied since it was due.
    var copies = 0
    /// The bulk jobs that wait for the end of the copy.
    private(set) var held: [Job] = []

    mutating func hold(_ job: Job) { held.append(job) }

    mutating func removeHeld() -> [Job] {
        defer { held = [] }
        return held
    }
}

// A log that is due is copied on a thread of its own, because the copying and its flush take 50 ms, for which every save
// would wait. Only the few pages that were written meanwhile are copied here, between batches and after the answers, so that the
// log begins again. Errors are seen here; SQLite's automatic checkpoints ignore them.
extension Store {
    /// The number of pages between checkpoints, 16 MiB. Measurements with larger logs showed up to a third more
    /// throughput, and stalls of 30 to 50 ms.
    private static let pagesBetweenCheckpoints = 4000
    /// The number of pages above which the log is truncated, 64 MiB. The log only becomes this large during a long
    /// read.
    private static let truncationThreshold = 16_000
    /// The number of pages that are copied here. While more are written meanwhile, the log is copied once more.
    private static let pagesCopiedHere = 500
    /// The number of times after which any number of pages is copied here, because the log would grow without end.
    private static let maximumCopies = 4

    func checkpointIfDue() {
        guard !checkpoints.isCopying, let file = connection.file else { return }
        let pages = file.logPages
        // A log that is smaller than the last time has started again from its beginning.
        if pages < checkpoints.seenPages { checkpoints.seenPages = 0 }
        let newPages = pages - checkpoints.seenPages
        switch checkpoints.copies {
        case 0 where newPages < Self.pagesBetweenCheckpoints: return
        case 0..<Self.maximumCopies where newPages > Self.pagesCopiedHere: copyLog(of: file)
        default:
            checkpoints.copies = 0
            do {
                try checkpoint(file)
            } catch {
                // Any other failure, such as a reader that prevents the checkpoint, only defers the work to a later
                // checkpoint.
                if error.isFatalInFlush { fail(error) }
            }
        }
    }

    /// Copies the log on another thread. A long change pauses meanwhile, so that the log begins again soon.
    private func copyLog(of file: any StoreFile) {
        checkpoints.seenPages = file.logPages
        checkpoints.isCopying = true
        file.checkpointConcurrently { result in
            self.executor.run { self.assumeIsolated { $0.copiedLog(result) } }
        }
    }

    private func copiedLog(_ result: Result<CheckpointProgress, EngineError>) {
        checkpoints.isCopying = false
        defer { releaseBulkJobs() }
        switch result {
        case .success(let progress) where progress.isComplete: checkpoints.copies += 1
        // A reader prevents it.
        case .success: checkpoints.copies = 0
        case .failure(let error) where error.operation == Self.checkpointing && error.isFatalInFlush: return fail(error)
        // The log is copied here, for example if no more files can be opened.
        case .failure: checkpoints.copies = Self.maximumCopies
        }
        guard refusal == nil else { return }
        // An open batch is followed by this.
        if batch == nil, checkpoints.copies > 0 { checkpointIfDue() }
        scheduleLongChange()
    }

    /// Accepts the jobs that wait for the end of a copy. They wait again if another copy has begun.
    func releaseBulkJobs() {
        for job in checkpoints.removeHeld() { accept(job) }
    }

    /// Checkpoints a large log after the long read that prevented it, even if no commit follows.
    ///
    /// - Returns: A Boolean value that indicates whether the log is empty now and was not before.
    func checkpointLargeLog() throws(EngineError) -> Bool {
        guard let file = connection.file, isLogLarge(of: file) else { return false }
        try checkpoint(file)
        return file.logPages == 0
    }

    /// Truncates the log.
    func truncateLog() throws(EngineError) {
        try connection.file?.truncateLog()
        checkpoints.seenPages = 0
    }

    /// Indicates whether the log is large.
    ///
    /// It also considers the file of a log that has started again from its beginning. The file keeps its size until
    /// it is truncated, and a large file prevents long reads from starting.
    private func isLogLarge(of file: any StoreFile) -> Bool {
        max(file.logPages, log.pages) >= Self.truncationThreshold
    }

    private func checkpoint(_ file: any StoreFile) throws(EngineError) {
        checkpoints.seenPages = file.logPages
        let progress = try file.checkpoint()
        guard progress.isComplete, isLogLarge(of: file) else { return }
        try truncateLog()
    }
}
