import AviaryDomain
import Foundation

/// The reason why a change is not made at once: it is made in steps.
struct LongWorkError: Error {}

/// The limits of a step of the store, for which commits wait.
package struct StepLimits: Sendable {
    /// The maximum number of rows that a delete changes at once. A larger one is made in steps.
    package var rowsAtOnce = 2000
    /// The maximum number of changes that are undone at once.
    package var changesAtOnce = 2000
    /// The time after which a step of a long change ends, in addition to its flush.
    package var duration: Duration = .milliseconds(12)

    package init() {}
}

// A long change is made in steps, between which the store serves others. Each step is a transaction of its own.
extension Store {
    /// The pause after a step that failed, because the disk is full or a page is damaged.
    private static let pauseAfterFailure: Duration = .seconds(1)
    /// Returns the maximum number of rows that the steps may delete at once; nil if there is none, because they do
    /// not only delete, or because numbers of related records must be checked for the change as a whole.
    func rowLimit(of steps: [PreparedChange]) -> Int? {
        guard steps.allSatisfy(\.isDelete) else { return nil }
        var models: Set<String> = []
        for case .delete(let roots) in steps { models.formUnion(roots.map(\.table.model.name)) }
        return tables.cascade(from: models).contains(where: \.affectsCounts) ? nil : stepLimits.rowsAtOnce
    }

    /// Continues a long change that a previous process has left.
    nonisolated func continueLongChange() {
        executor.run { self.assumeIsolated { $0.scheduleLongChange() } }
    }

    func scheduleLongChange() {
        guard !longChanges.isScheduled, longChanges.hasWork, refusal == nil, lease == nil, shared.outage == nil,
            !checkpoints.isCopying, stepAllowance > 0
        else { return }
        longChanges.isScheduled = true
        stepAllowance -= 1
        // The step comes after all waiting jobs.
        executor.run { self.assumeIsolated { $0.stepLongChange() } }
    }

    /// Adds a job that requests a long change, or that waits for rows of the one under way.
    func postpone(_ job: Job, for reason: any Error) {
        var job = job
        job.postpone(from: uptime())
        if let collision = reason as? PendingCollision {
            longChanges.held.append((job, collision.end))
        } else {
            longChanges.waiting.append(job)
        }
        scheduleLongChange()
    }

    private func stepLongChange() {
        longChanges.isScheduled = false
        guard refusal == nil, lease == nil else { return }
        commitBatch()
        // The change continues after the copy of the log.
        guard refusal == nil, shared.outage == nil, !checkpoints.isCopying else { return }
        refuseLateJobs()
        let began = ContinuousClock.now
        defer { meter.worked(.bulk, for: .now - began) }
        do {
            if try !mergeTextIndex(fromSegments: SearchIndexes.manySegments) {
                try runStep()
                // The steps merge what they write.
                mergeDebts = [:]
            }
        } catch {
            position = durablePosition
            connection.abandonTransaction()
            let engineError = error as? EngineError
            if let engineError { noteOutage(engineError) }
            // The step follows the end of the outage.
            if shared.outage != nil { return }
            if error is ChangedByOtherHost { return scheduleLongChange() }
            if let engineError, engineError.endsStore { return fail(engineError) }
            if let engineError, engineError.kind == .damage { meet(engineError) }
            return scheduleLongChange(after: Self.pauseAfterFailure)
        }
        checkpointIfDue()
        scheduleLongChange()
    }

    func scheduleLongChange(after pause: Duration) {
        longChanges.isScheduled = true
        Task {
            // A store that is closed meanwhile takes no step.
            try? await Task.sleep(for: pause)
            self.longChanges.isScheduled = false
            self.scheduleLongChange()
        }
    }

    private func refuseLateJobs() {
        let time = uptime()
        for (job, error) in longChanges.removeLateJobs({ time }) { job.answer(.failure(error)) }
    }

    private func runStep() throws {
        guard let change = longChanges.change else {
            releaseHeld()
            guard !longChanges.waiting.isEmpty else { return }
            return try begin(longChanges.waiting.removeFirst())
        }
        guard longChanges.seen == nil else { return try watch(change) }
        joinRequests()
        switch change.phase {
        case .preparing, .checking: try prepare(change)
        case .completing, .abandoning: try complete(change)
        }
    }

    /// Adds repetitions of the request to the jobs that are answered by it.
    private func joinRequests() {
        guard let change = longChanges.change, change.phase == .preparing || change.phase == .checking else { return }
        let same = longChanges.waiting.filter { $0.work.changeSet == change.id }
        longChanges.waiting.removeAll { $0.work.changeSet == change.id }
        longChanges.requests += same
    }

    /// Runs a part of a long change in a transaction without checks of references, which are in order at the end.
    private func inStep<T>(_ body: () throws -> T) throws -> T {
        let known = longChanges.change
        return try connection.withoutReferenceChecks {
            try transaction {
                guard longChanges.change == known else { throw ChangedByOtherHost() }
                let result = try body()
                try tables.search.update(in: connection)
                return result
            }
        }
    }

    private func begin(_ job: Job) throws {
        do {
            let (submission, leaving) = job.work.request(tables)
            if let receipt = try previousReceipt(of: submission) { return job.answer(.success(receipt)) }
            var change = LongChange(submission, leaving: leaving, at: now(), version: max(1, position.commit))
            change.host = host
            var roots: ArraySlice<DeleteRoot> = []
            let end = ContinuousClock.now + stepLimits.duration
            try inStep {
                try PendingRowTable.create(in: connection)
                if let commit = submission.undoes {
                    var undo = LongUndo(
                        change, of: commit, try UndoPlanner.entries(of: commit, in: connection), tables: tables,
                        connection: connection)
                    undo.begin()
                    change = undo.change
                } else {
                    var delete = LongDelete(change, tables: tables, connection: connection)
                    roots = try delete.list(submission.roots[...], until: end)
                    change = delete.change
                }
                try (roots.isEmpty ? change : change.givenUp).write(to: connection)
            }
            longChanges.change = change
            longChanges.roots = roots
            longChanges.requests = [job]
        } catch {
            if let error = error as? EngineError { noteOutage(error) }
            // After an outage the database tells whether the change has begun.
            guard shared.outage == nil, !(error is ChangedByOtherHost) else {
                longChanges.waiting.insert(job, at: 0)
                throw error
            }
            // A flush that failed may have stored the change, which the next store then continues.
            let isUnknown = (error as? EngineError)?.endsStore == true
            job.answer(.failure(isUnknown ? .unanswered : StoreError(error)))
            if error is EngineError { throw error }
        }
    }

    private func prepare(_ old: LongChange) throws {
        var change = old
        let end = ContinuousClock.now + stepLimits.duration
        do {
            guard longChanges.stopped != old.id else { throw StoreError.stopped }
            guard longChanges.roots.isEmpty else { return try list(old, until: end) }
            let isReady = try inStep {
                // It was stopped by another host, or before this store began.
                let isStopped = try DiscardedDraftTable.contains(change.id.canonicalText, in: connection)
                guard !isStopped else { throw StoreError.stopped }
                let isReady: Bool
                if let commit = change.undoes {
                    let entries = try UndoPlanner.entries(of: commit, in: connection)
                    var undo = LongUndo(change, of: commit, entries, tables: tables, connection: connection)
                    isReady = try undo.step(until: end)
                    change = undo.change
                } else {
                    var delete = LongDelete(change, tables: tables, connection: connection)
                    isReady = try delete.step(until: end)
                    change = delete.change
                }
                if isReady { try commit(&change) }
                try change.write(to: connection)
                try change.writeMask(tables, to: connection)
                return isReady
            }
            longChanges.change = change
            guard isReady, let number = change.commit else { return try adoptMask() }
            durablePosition = position
            clock.note(number)
            storedChangeSets += 1
            committedBatches += 1
            let receipt = Receipt(changeSet: change.id, commit: number, isRepeat: false)
            answerRequests(.success(receipt))
            try adoptMask()
            releaseHeld()
        } catch let error as StoreError {
            try abandon(old, because: error)
        }
    }

    /// Notes further records whose delete was requested.
    private func list(_ old: LongChange, until end: ContinuousClock.Instant) throws {
        var delete = LongDelete(old, tables: tables, connection: connection)
        let rest = try inStep {
            let rest = try delete.list(longChanges.roots, until: end)
            try (rest.isEmpty ? delete.change : delete.change.givenUp).write(to: connection)
            return rest
        }
        longChanges.change = delete.change
        longChanges.roots = rest
    }

    /// Commits the change: from now on it is visible as a whole.
    private func commit(_ change: inout LongChange) throws {
        let number = position.commit + 1, first = position.nextChange
        var next = StorePosition(commit: number, nextChange: first, historySize: position.historySize)
        var totals = change.inserted.merging(change.deleted.mapValues(-), uniquingKeysWith: +)
        change.firstEntry = first
        change.nextEntry = first
        if !change.deferred.isEmpty, let undone = change.undoes {
            let entries = try UndoPlanner.entries(of: undone, in: connection)
            let changes = try change.deferred.reversed().flatMap {
                try ChangeTable.changes($0, limit: $0.count, in: connection)
            }.compactMap { $0.leaving(change.leaving[$0.model] ?? []) }
            let obstacles = try UndoObstacleSearch(
                changes: changes, end: entries.upperBound, tables: tables, connection: connection
            ).found()
            guard obstacles.isEmpty else { throw StoreError.undoRefused(commit: undone, obstacles) }
            let history = HistoryWriter(
                connection: connection, commit: number, nextChange: first,
                excludedModels: historyPolicy.excludedModels)
            var application = ChangeApplication(tables: tables, history: history, cascadeLimit: nil)
            try application.apply(UndoPlanner.inverse(of: changes, tables: tables))
            change.nextEntry = application.history.nextChange
            change.unrecorded = application.history.unrecorded
            next.historySize += application.history.size
            totals.merge(application.totals, uniquingKeysWith: +)
        }
        next.nextChange = max(first + change.entryLimit, change.nextEntry)
        for (model, count) in totals where count != 0 {
            try RecordCountTable.add(count, to: model, in: connection)
        }
        try CommitTable.add(
            number, changeSet: change.id.canonicalText, fingerprint: [UInt8](change.fingerprint), by: change.author,
            undoes: change.undoes, at: now(), changes: first..<change.nextEntry, unrecorded: change.unrecorded,
            in: connection)
        try next.write(to: connection)
        position = next
        change.commit = number
        change.phase = .completing
        change.cursor = 0
        change.total = try Int(PendingRowTable.lastSequence(in: connection))
        change.done = 0
    }

    private func abandon(_ old: LongChange, because error: StoreError) throws {
        let change = old.givenUp
        try inStep { try change.write(to: connection) }
        longChanges.change = change
        longChanges.roots = []
        longChanges.stopped = nil
        answerRequests(.failure(error))
    }

    private func complete(_ old: LongChange) throws {
        var completion = LongChangeCompletion(
            old, excludedModels: historyPolicy.excludedModels, tables: tables, connection: connection)
        var urgent: [PendingRow] = []
        for case (_, .rows(let rows)) in longChanges.held { urgent += rows }
        let (next, isDone) = try inStep {
            var next = position
            // Others wait for these rows. Some of them may be completed already.
            for row in urgent {
                guard let row = try PendingRowTable.row(row.row, of: row.model, in: connection) else { continue }
                try completion.complete([row])
            }
            let isDone = try completion.step(until: .now + stepLimits.duration)
            next.historySize += completion.historySize
            try next.write(to: connection)
            if isDone {
                try PendingRowTable.drop(in: connection)
                try MetaTable.set(.longChange, to: .null, in: connection)
                try MetaTable.set(.rowMask, to: .null, in: connection)
            } else {
                try completion.change.write(to: connection)
            }
            return (next, isDone)
        }
        position = next
        durablePosition = next
        longChanges.change = isDone ? nil : completion.change
        if isDone {
            try adoptMask()
            releaseHeld()
        } else if !urgent.isEmpty {
            releaseHeld { if case .rows = $0 { true } else { false } }
        }
    }

    /// Hides the rows of the mask in effect from this connection, too.
    func adoptMask() throws {
        let text = try RowMask.text(in: connection)
        if text != connection.maskText { try connection.hideRows(ofMask: text) }
    }

    private func answerRequests(_ result: Result<Receipt?, StoreError>) {
        let requests = longChanges.requests
        longChanges.requests = []
        for job in requests { job.answer(result) }
    }

    /// Runs the jobs that waited for rows of the change.
    func releaseHeld(_ isReleased: (PendingCollision.End) -> Bool = { _ in true }) {
        let held = longChanges.held
        longChanges.held = held.filter { !isReleased($0.end) }
        for (job, end) in held where isReleased(end) { accept(job) }
    }

    /// Forgets the change under way after its rows were replaced with those of another store.
    func forgetLongChange() throws {
        longChanges.change = nil
        longChanges.roots = []
        try adoptMask()
        answerRequests(.failure(.unavailable("a restore has replaced the records meanwhile.")))
        releaseHeld()
        scheduleLongChange()
    }
}

extension Job.Work {
    /// The id of the change set; nil for a draft.
    var changeSet: UUID? {
        switch self {
        case .prepared(let submission): submission.id
        case .request(.submit(let changeSet)): changeSet.id
        case .request(.undo(let undo)): undo.id
        case .request(.discard): nil
        }
    }

    /// Returns the request in the form that a long change begins with.
    fileprivate func request(_ tables: ModelTables) -> (PreparedChangeSet, leaving: [String: Set<String>]) {
        switch self {
        case .prepared(let submission): (submission, [:])
        case .request(.submit(let changeSet)): (PreparedChangeSet(changeSet, tables: tables), [:])
        case .request(.undo(let undo)): (PreparedChangeSet(undo, inverse: []), undo.leaving ?? [:])
        case .request(.discard(let draft)):
            (PreparedChangeSet(ChangeSet(id: draft, author: "", changes: []), tables: tables), [:])
        }
    }
}

extension PreparedChangeSet {
    /// The records whose delete was requested.
    var roots: [DeleteRoot] {
        guard case .success(let steps) = steps, case .delete(let roots)? = steps.first else { return [] }
        return roots
    }
}
