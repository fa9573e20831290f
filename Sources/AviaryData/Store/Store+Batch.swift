import AviaryDomain

// No function here suspends: nothing comes between a check and the commit that relies on it.
extension Store {
    /// A batch that loses its transaction more often than this is given up; its jobs can be sent again.
    private static let lossLimit = 3

    private static let begin = Query { $0.beginWriting }
    private static let commit = Query("COMMIT")
    private static let savepoint = Query("SAVEPOINT change_set")
    private static let release = Query("RELEASE change_set")
    private static let rollback = Query("ROLLBACK TO change_set")

    func accept(_ job: Job) {
        if let refusal {
            job.answer(.failure(.unavailable(refusal)))
            return
        }
        guard hold == nil else {
            hold?.jobs.append(job)
            return
        }
        run([job])
        guard let open = batch else { return }
        if open.isFull {
            commitBatch()
        } else if !open.isScheduled {
            batch?.isScheduled = true
            scheduleCommit()
        }
    }

    /// Behind everything that waits now, which so joins the batch.
    private func scheduleCommit() {
        let joined = batch?.jobs.count ?? 0
        Task { self.commitUnlessMoreJoined(than: joined) }
    }

    /// While others join, the commit goes to the back again: callers that were answered by the last commit come back at
    /// about the same time, and one flush serves all of them. A full batch does not wait.
    private func commitUnlessMoreJoined(than count: Int) {
        if let batch, batch.jobs.count > count {
            scheduleCommit()
        } else {
            commitBatch()
        }
    }

    /// Runs the jobs in the open transaction. When SQLite gives the transaction up, the job in hand fails and all
    /// others of the batch are run again.
    func run(_ jobs: [Job]) {
        var pending = jobs[...]
        var losses = 0
        while let job = pending.popFirst() {
            // It waited here, or for its turn to be run again: whoever sent it has given it up.
            guard !job.isExpired else {
                job.answer(.failure(.expired))
                continue
            }
            do {
                try beginIfNeeded()
                let before = position
                let result = try attempt(job.work)
                batch?.append(job, result, entries: Int(position.nextChange - before.nextChange))
                // One at a time: damage costs the whole transaction.
                if isDamaged { commitBatch() }
            } catch {
                let others = (batch?.jobs ?? []) + pending
                forgetBatch()
                if error.isFatal { fail(error) } else if error.kind == .damage { meet(error) }
                job.answer(.failure(refusal.map(StoreError.unavailable) ?? StoreError(error)))
                if error.kind != .damage { losses += 1 }
                guard refusal == nil, losses <= Self.lossLimit else {
                    // Whatever it was, it was not theirs.
                    let failure = StoreError.unavailable(refusal ?? error.reason)
                    for other in others { other.answer(.failure(failure)) }
                    return
                }
                pending = others[...]
            }
        }
    }

    private func beginIfNeeded() throws(EngineError) {
        guard batch == nil else { return }
        try connection.run(Self.begin)
        batch = Batch()
    }

    /// - Throws: When the whole transaction is lost.
    private func attempt(_ work: Job.Work) throws(EngineError) -> Result<Receipt?, StoreError> {
        let before = position
        var hasSavepoint = false
        let failure: any Error
        switch outcome(of: work, &hasSavepoint) {
        case .success(let receipt):
            // Should this fail, all of the transaction is given up: the sums of the batch have the job already.
            if hasSavepoint { try connection.run(Self.release) }
            return .success(receipt)
        case .failure(let error): failure = error
        }
        position = before
        let lost = failure as? EngineError
        // FULL, IOERR, NOMEM and INTERRUPT can roll back everyone's work, and then there is no savepoint to go back to.
        guard connection.isInTransaction else { throw lost ?? connection.transactionLost }
        // Going back to a savepoint is not enough: the engine refuses what comes after it, the COMMIT too.
        if let lost, lost.kind == .damage { throw lost }
        guard hasSavepoint else {
            // How far it came is not known. What the store itself refused had not begun.
            if let lost { throw lost }
            return .failure(StoreError(failure))
        }
        try connection.run(Self.rollback)
        try connection.run(Self.release)
        if let lost, lost.isFatal { throw lost }
        return .failure(StoreError(failure))
    }

    /// - Parameter hasSavepoint: True when the work began behind a savepoint.
    private func outcome(of work: Job.Work, _ hasSavepoint: inout Bool) -> Result<Receipt?, any Error> {
        do {
            if try !failsWhole(work) {
                try connection.run(Self.savepoint)
                hasSavepoint = true
            }
            return .success(try perform(work))
        } catch {
            return .failure(error)
        }
    }

    /// - Returns: The receipt; nil for a draft that was discarded.
    private func perform(_ work: Job.Work) throws -> Receipt? {
        switch work {
        case .prepared(let submission): return try apply(submission)
        case .request(.submit(let changeSet)): return try apply(Submission(changeSet, tables: tables))
        case .request(.undo(let undo)): return try self.undo(undo)
        case .request(.discard(let draft)):
            try discard(draft.canonicalText)
            return nil
        }
    }

    func commitBatch() {
        guard let batch else { return }
        do {
            try writeSums(of: batch)
        } catch let error as DamagedWords {
            forgetBatch()
            rebuildWords(after: error.cause, then: batch.jobs)
            return
        } catch let error as DamagedPast {
            // Once it is known nothing is removed any more.
            forgetBatch()
            meet(error.cause)
            run(batch.jobs)
            commitBatch()
            return
        } catch {
            giveUp(batch, for: error, isFatal: { $0.isFatal || $0.kind == .disk })
            return
        }
        do {
            let began = ContinuousClock.now
            try connection.run(Self.commit)
            meter.committed(batch.storedChangeSets, from: began)
        } catch {
            giveUp(batch, for: error, isFatal: \.isFatalInFlush)
            return
        }
        self.batch = nil
        durablePosition = position
        clock.note(position.commit)
        committedBatches += 1
        storedChangeSets += batch.storedChangeSets
        batch.answerAll()
        checkpointIfDue()
    }

    private func giveUp(_ batch: Batch, for error: any Error, isFatal: (EngineError) -> Bool) {
        forgetBatch()
        if let error = error as? EngineError {
            if isFatal(error) { fail(error) } else if error.kind == .damage { meet(error) }
        }
        batch.answerAll(failingWith: refusal.map(StoreError.unavailable) ?? StoreError(failedCommit: error))
    }

    /// What is written once for all change sets of the batch.
    private func writeSums(of batch: Batch) throws {
        for (model, change) in batch.totals where change != 0 {
            try TotalTable.add(change, to: model, in: connection)
        }
        try updateWords()
        do {
            try trim(atMost: 2 * (batch.jobs.count + Int(position.nextChange - durablePosition.nextChange)))
        } catch let error as EngineError where error.kind == .damage {
            throw DamagedPast(cause: error)
        }
        if position != durablePosition { try position.write(to: connection) }
    }

    func forgetBatch() {
        connection.abandonTransaction()
        batch = nil
        position = durablePosition
    }
}

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
