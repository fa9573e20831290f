import AviaryDomain

// No function here suspends, so that nothing happens between a check and the commit that relies on it.
extension Store {
    /// The maximum number of times that a batch may lose its transaction. Beyond it the batch fails, and its jobs
    /// can be retried.
    private static let lossLimit = 3

    private static let savepoint = Query("SAVEPOINT change_set")
    private static let release = Query("RELEASE change_set")
    private static let rollback = Query("ROLLBACK TO change_set")

    func accept(_ job: Job) {
        if let refusal {
            job.answer(.failure(.unavailable(refusal)))
            return
        }
        guard lease == nil else {
            lease?.jobs.append(job)
            return
        }
        guard connection.database == nil else { return collect(job) }
        // The log begins again soon, and the flushes of the copy and of a large commit do not wait for each other.
        guard !checkpoints.isCopying || !needsTransaction(job.work) else {
            checkpoints.hold(job)
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

    /// Adds a job to the next batch, which runs when it is closed.
    ///
    /// A file's only writer runs each job at once instead: callers that were answered by the last commit return meanwhile,
    /// and join the batch.
    private func collect(_ job: Job) {
        shared.collected.append(job)
        shared.changes += job.work.size
        guard shared.outage == nil else { return }
        if shared.collected.count >= Batch.jobLimit || shared.changes >= Batch.changeLimit {
            commitBatch()
        } else if shared.collected.count == 1 {
            scheduleCommit()
        }
    }

    /// Runs the collected jobs in one transaction, or in several if they change many records.
    private func runCollected() {
        var jobs = shared.collected[...]
        (shared.collected, shared.changes) = ([], 0)
        while let job = jobs.popFirst() {
            if let refusal {
                job.answer(.failure(.unavailable(refusal)))
                continue
            }
            guard shared.outage == nil else {
                shared.collected += [job] + jobs
                return
            }
            run([job], before: jobs)
            if batch?.isFull == true { commitOpenBatch() }
        }
    }

    /// Schedules the commit after all waiting jobs, which thereby join the batch.
    private func scheduleCommit() {
        let joined = joinedJobs
        Task { self.commitUnlessMoreJoined(than: joined) }
    }

    private var joinedJobs: Int { (batch?.jobs.count ?? 0) + shared.collected.count }

    /// Commits the batch unless other jobs joined it, which reschedules the commit.
    ///
    /// Callers that were answered by the last commit return at about the same time, and one flush serves all of
    /// them. A full batch does not wait.
    private func commitUnlessMoreJoined(than count: Int) {
        if joinedJobs > count {
            scheduleCommit()
        } else {
            commitBatch()
        }
    }

    /// Runs the jobs in the open transaction.
    ///
    /// If SQLite loses the transaction, the current job fails and all other jobs of the batch run again.
    ///
    /// - Parameter following: The jobs that the caller runs afterwards.
    func run(_ jobs: [Job], before following: ArraySlice<Job> = []) {
        var pending = jobs[...]
        var losses = 0
        while let job = pending.popFirst() {
            // The job waited here, or to be repeated, until its caller had given up.
            if let error = job.lateness(uptime) {
                job.answer(.failure(error))
                continue
            }
            do {
                if needsTransaction(job.work), batch?.jobs.isEmpty == false { commitBatch() }
                try beginIfNeeded(for: [job] + pending + following)
                // Work of another kind may use an id that a later change set has, and a delete may remove a record to which
                // it refers.
                if job.work.changeSetID == nil { batch?.unusedIDs = [] }
                if job.work.stepsWithoutDeletes == nil { batch?.existingRecords = TouchedReferences() }
                let before = position, began = ContinuousClock.now
                meter.began(job.work.kind, after: began - job.arrival)
                let attempt = try attempt(job.work)
                meter.worked(job.work.kind, for: .now - began)
                let result: Result<Receipt?, StoreError>
                switch attempt {
                case .done(let outcome): result = outcome
                case .postponed(let reason):
                    postpone(job, for: reason)
                    continue
                }
                batch?.append(job, result, entries: Int(position.nextChange - before.nextChange))
                // With known damage each job is committed alone, because more damage costs the whole transaction.
                if isDamaged { commitBatch() }
            } catch {
                let earlier = batch?.jobs ?? []
                forgetBatch()
                if error.kind == .collision {
                    pending = (earlier + [job] + pending)[...]
                    continue
                }
                if keep(earlier, job, after: error, pending) { return }
                let others = earlier + pending
                if error.isFatal { fail(error) } else if error.kind == .damage { meet(error) }
                job.answer(.failure(refusal.map(StoreError.unavailable) ?? StoreError(error)))
                if error.kind != .damage { losses += 1 }
                guard refusal == nil, losses <= Self.lossLimit else {
                    // The other jobs did not cause the failure.
                    let failure = StoreError.unavailable(refusal ?? error.reason)
                    for other in others { other.answer(.failure(failure)) }
                    return
                }
                pending = others[...]
            }
        }
    }

    /// Lets the jobs of a lost transaction wait for the next one, if the error is one that passes.
    ///
    /// A job with which connections are lost again and again is answered.
    private func keep(_ earlier: [Job], _ job: Job, after error: EngineError, _ pending: ArraySlice<Job>) -> Bool {
        var job = job
        if error.kind == .connectionLost { job.lostConnections += 1 }
        let isLost = job.lostConnections > Self.lossLimit
        guard keep(earlier + (isLost ? [] : [job]) + pending, after: error) else { return false }
        if isLost { job.answer(.failure(.unavailable(error.reason))) }
        return true
    }

    /// Begins a transaction unless one is open.
    ///
    /// - Parameter jobs: The jobs that are known to run in it.
    private func beginIfNeeded(for jobs: @autoclosure () -> [Job]) throws(EngineError) {
        guard batch == nil else { return }
        let jobs = connection.database == nil ? [] : jobs().prefix(Batch.jobLimit)
        let ids = jobs.compactMap(\.work.changeSetID), usedIDs = try begin(for: ids)
        var new = Batch(after: trimSchedule)
        if let database = connection.database {
            if let usedIDs { new.unusedIDs = Set(ids).subtracting(usedIDs) }
            if longChanges.change == nil {
                let steps = jobs.compactMap(\.work.stepsWithoutDeletes).joined().prefix(Batch.changeLimit)
                new.existingRecords = try TouchedReferences(of: steps, in: tables).existing(in: tables, connection)
            }
            database.assumeInsertions()
        }
        batch = new
    }

    private enum Attempt {
        case done(Result<Receipt?, StoreError>)
        /// A job that the store makes in steps, or that waits for rows of a long change.
        case postponed(any Error)
    }

    /// The part of the work that a failed job undoes.
    private enum Undone {
        /// One statement, which the engine itself undoes.
        case statement
        /// Everything since the savepoint before the job.
        case savepoint
        /// The transaction, which contains no other job.
        case transaction
    }

    /// Runs a job so that it changes nothing if it fails.
    ///
    /// - Throws: ``EngineError`` if the whole transaction is lost.
    private func attempt(_ work: Job.Work) throws(EngineError) -> Attempt {
        let before = position
        var undone = Undone.statement
        let failure: any Error
        switch outcome(of: work, &undone) {
        case .success(let receipt):
            // If this fails, the whole transaction is abandoned: the totals of the batch already include the job.
            if undone == .savepoint { try connection.run(Self.release) }
            return .done(.success(receipt))
        case .failure(let error): failure = error
        }
        position = before
        let lost = failure as? EngineError
        // FULL, IOERR, NOMEM and INTERRUPT can roll back the whole transaction, and then there is no savepoint to
        // return to.
        guard connection.isInTransaction else { throw lost ?? connection.transactionLost }
        // Rolling back to the savepoint is not enough: after damage the engine rejects all later statements,
        // including COMMIT.
        if let lost, lost.kind == .damage || lost.kind == .collision { throw lost }
        switch undone {
        case .statement:
            // The progress of a job that the engine interrupted is unknown. A job that the store itself rejected
            // had not begun.
            if let lost { throw lost }
        case .savepoint:
            try connection.run(Self.rollback)
            try connection.run(Self.release)
        case .transaction:
            if let lost { throw lost }
            connection.abandonTransaction()
            try begin()
        }
        if let lost, lost.isFatal { throw lost }
        if failure is LongWorkError || failure is RowLimitError || failure is PendingCollision {
            return .postponed(failure)
        }
        return .done(.failure(StoreError(failure)))
    }

    /// - Parameter undone: The part that is to be undone if the work fails.
    private func outcome(of work: Job.Work, _ undone: inout Undone) -> Result<Receipt?, any Error> {
        do {
            if isTransaction(work) {
                undone = .transaction
            } else if try !isAtomicWithoutSavepoint(work) {
                try connection.run(Self.savepoint)
                undone = .savepoint
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
        case .request(.submit(let changeSet)): return try apply(PreparedChangeSet(changeSet, tables: tables))
        case .request(.undo(let undo)): return try self.undo(undo)
        case .request(.discard(let draft)):
            try discard(draft.canonicalText)
            return nil
        }
    }

    /// Commits all jobs that have arrived.
    func commitBatch() {
        runCollected()
        commitOpenBatch()
    }

    private func commitOpenBatch() {
        guard let batch else { return }
        do {
            try writeSums(of: batch)
        } catch let error as DamagedSearchIndex {
            forgetBatch()
            rebuildSearchIndex(after: error.cause, then: batch.jobs)
            return
        } catch let error as DamagedHistory {
            // When the damage is known, nothing is trimmed any more.
            forgetBatch()
            meet(error.cause)
            run(batch.jobs)
            commitBatch()
            return
        } catch let error as EngineError where error.kind == .collision {
            return repeatBatch(batch)
        } catch {
            forgetBatch()
            if let error = error as? EngineError, keep(batch.jobs, after: error) { return }
            abandon(batch, for: error, isFatal: { $0.isFatal || $0.kind == .disk })
            return
        }
        do {
            let began = ContinuousClock.now
            try connection.commit()
            meter.committed(batch.storedChangeSets, from: began)
        } catch {
            if error.kind == .collision { return repeatBatch(batch) }
            forgetBatch()
            // It is unknown whether the batch was committed. Its receipts tell, on the next connection.
            if noteOutage(error, unsettled: batch) { return }
            abandon(batch, for: error, isFatal: \.isFatalInFlush)
            return
        }
        self.batch = nil
        durablePosition = position
        clock.note(position.commit)
        committedBatches += 1
        storedChangeSets += batch.storedChangeSets
        batch.completeAll()
        checkpointIfDue()
    }

    /// Runs the jobs of a batch again. Nothing of it was committed, because one of its insertions has failed.
    private func repeatBatch(_ batch: Batch) {
        forgetBatch()
        run(batch.jobs)
        commitBatch()
    }

    private func abandon(_ batch: Batch, for error: any Error, isFatal: (EngineError) -> Bool) {
        if let error = error as? EngineError {
            if isFatal(error) { fail(error) } else if error.kind == .damage { meet(error) }
        }
        batch.completeAll(failingWith: refusal.map(StoreError.unavailable) ?? StoreError(failedCommit: error))
    }

    /// Writes the totals and the position, once for all change sets of the batch.
    private func writeSums(of batch: Batch) throws {
        for (model, change) in batch.totals where change != 0 {
            try RecordCountTable.add(change, to: model, in: connection)
        }
        try updateSearchIndex()
        do {
            try trimIfDue(adding: batch.jobs.count + Int(position.nextChange - durablePosition.nextChange))
        } catch let error as EngineError where error.kind == .damage {
            throw DamagedHistory(cause: error)
        }
        if position != durablePosition { try position.write(to: connection) }
    }

    func forgetBatch() {
        connection.abandonTransaction()
        if let batch { trimSchedule = batch.earlierTrims }
        batch = nil
        position = durablePosition
        lastModelCommits.forget()
    }
}
