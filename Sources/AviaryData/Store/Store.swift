package import AviaryDomain
import Dispatch
package import Foundation
import Synchronization

/// The only writer of a data directory.
///
/// Change sets that arrive together share one transaction and one flush (group commit): each is applied at once, so that
/// it fails alone, and is answered after the COMMIT that holds it.
package actor Store: ChangeWriter {
    nonisolated let tables: ModelTables
    nonisolated let executor: SerialQueueExecutor
    nonisolated let backlog = Backlog()
    let historyPolicy: HistoryPolicy
    let engine: any StoreEngine
    let connection: any WriterConnection
    let now: @Sendable () -> Date
    let uptime: @Sendable () -> MonotonicTime
    /// How many receipts are kept whatever their age.
    let leastReceipts: Int64
    let longestHold: Duration
    let longestRenewedHold: Duration
    let directory: DataDirectory
    let log: LogFile
    private let onFatalError: @Sendable (String) -> Void
    let onLapsedHold: @Sendable (Duration) -> Void
    private var lock: StoreLock?

    /// Why no more is accepted; nil while the store is open.
    private(set) var refusal: String?
    var batch: Batch?
    /// Nil while writes go on.
    var hold: WriteHold?
    /// The holders whose holds ended by themselves, with what each is answered from then on.
    var lapsedHolders: [UUID: String] = [:]
    /// With the change sets of the open batch.
    var position: StorePosition
    /// What is on disk.
    var durablePosition: StorePosition
    /// By which it forgets.
    var clock: StoreClock
    /// Behind which commit the next look for old receipts begins.
    var lastSwept: Int64 = 0
    var storedChangeSets = 0
    var committedBatches = 0
    var meter = StoreMeter()
    var logPagesAtCheckpoint = 0
    let care: StoreCare

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens the store, creating what is missing.
    ///
    /// - Parameters:
    ///   - instructions: How the file gets to these models, where comparing does not tell.
    ///   - history: What is remembered of changes, and for how long.
    ///   - engine: What holds the data.
    ///   - lock: the right to write, when it was acquired already.
    ///   - onFatalError: Called once when the disk can no longer be relied upon; the store takes nothing after that.
    ///   - onFileCheck: Called when the file is checked, which follows a store that was not closed, and with what was found.
    ///   - onLapsedHold: Called when whoever held writes was not heard of any more, with how long they were held.
    ///   - longestHold: After that writes go on, also when nobody released them.
    ///   - longestRenewedHold: After that writes go on, however often the holder renews its hold.
    ///   - now: The clock of commits.
    ///   - uptime: The clock by which time passes, whatever ``now`` says.
    ///   - leastReceipts: How many receipts are kept whatever their age.
    /// - Throws: ``DataDirectoryError``, ``StoreOpenError``, ``MigrationError``, ``FileError`` or ``EngineError``.
    package init(
        directory: DataDirectory, schema: Schema, sortIndexes: [SortIndex],
        migration instructions: MigrationInstructions = .none, history: HistoryPolicy = HistoryPolicy(),
        engine: any StoreEngine = StoreEngines.standard, lock inherited: StoreLock? = nil,
        onFatalError: @escaping @Sendable (String) -> Void = { _ in },
        onFileCheck: @escaping @Sendable (FileCheck) -> Void = { _ in },
        onLapsedHold: @escaping @Sendable (Duration) -> Void = { _ in },
        longestHold: Duration = Store.longestHold,
        longestRenewedHold: Duration = Store.longestRenewedHold,
        now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> MonotonicTime = { .now },
        leastReceipts: Int = 10_000
    ) throws {
        let lock = try inherited ?? StoreLock(directory)
        directory.removeAbandonedFiles()
        let tables = ModelTables(schema, engine.dialect)
        let connection = try engine.openWriter(directory)
        try StoreLayout(tables: tables, sortIndexes: Set(sortIndexes)).install(instructions, in: connection) {
            try SafetyCopy(of: directory, by: engine, at: now())
        }
        guard let position = try StorePosition.read(from: connection) else {
            throw StoreOpenError.notAStore(path: directory.storePath)
        }
        try HistoryGaps.note(
            excluded: history.withoutPassingModels.excludedModels, at: position.commit, in: connection)
        self.lock = lock
        self.tables = tables
        self.engine = engine
        self.connection = connection
        self.directory = directory
        log = LogFile(of: directory, bound: LogBound())
        self.onFatalError = onFatalError
        self.onLapsedHold = onLapsedHold
        self.now = now
        self.uptime = uptime
        self.leastReceipts = Int64(leastReceipts)
        clock = try StoreClock.read(from: connection, at: now(), uptime: uptime())
        self.longestHold = longestHold
        self.longestRenewedHold = longestRenewedHold
        self.position = position
        durablePosition = position
        historyPolicy = history.withoutPassingModels
        connection.takeOverCheckpoints()
        executor = SerialQueueExecutor(label: "aviary.store")
        care = try StoreCare(directory, engine: engine, connection: connection, onFileCheck: onFileCheck)
        beginCare(with: care.timer)
    }

    package nonisolated func write(_ request: WriteRequest) async throws(StoreError) -> Receipt? {
        try await result(of: Job.Work(request, tables: tables)).get()
    }

    /// Commits what is open, copies the log into the file and lets go of the directory. Later submissions are refused.
    package func close() {
        guard lock != nil else { return }
        endHold()
        commitBatch()
        endCare()
        if refusal == nil {
            refusal = "it is closed. Try again when it has started."
            // Best effort: a reader may be in the way, and the log is complete without it.
            _ = try? connection.truncateLog()
        }
        connection.close()
        lock = nil
    }

    /// How durable what it acknowledges is, in words for those who measure.
    package static var durability: String { StoreEngines.standard.durability }

    package var statistics: StoreStatistics {
        StoreStatistics(
            commits: storedChangeSets, batches: committedBatches, waiting: backlog.jobCount,
            logPages: connection.logPages, lastCommit: durablePosition.commit,
            fileCheck: care.checker.result, measures: meter.measures(historySize: durablePosition.historySize)
        )
    }

    /// Refuses everything from now on: the engine would go on after a failed flush, but the kernel may have dropped the pages.
    func fail(_ error: EngineError) {
        guard refusal == nil else { return }
        refusal = "it stopped because \(error.reason)"
        endHold()
        onFatalError(error.description)
    }
}

/// Runs an actor on a dispatch queue of its own, so that a flush never blocks a thread of the cooperative pool. First
/// in, first out: what is enqueued while a job runs comes after everything that waits already.
final class SerialQueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }

    /// Runs the body on the queue, in the same order.
    func run(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}

extension Store {
    /// The delay before a retry, in seconds. A full queue is processed in less, unless the disk hangs.
    private static let retryDelay = 2

    /// Accepts requests that arrived together, in their order, and answers each when its commit is on disk.
    package nonisolated func enqueue(_ writes: [QueuedWrite]) {
        var jobs: [Job] = []
        jobs.reserveCapacity(writes.count)
        for write in writes {
            let work = Job.Work(write.request, tables: tables)
            if let job = job(work, before: write.deadline, answer: write.answer) { jobs.append(job) }
        }
        guard !jobs.isEmpty else { return }
        executor.run { [jobs] in
            self.assumeIsolated { store in for job in jobs { store.accept(job) } }
        }
    }

    private nonisolated func result(of work: Job.Work) async -> Result<Receipt?, StoreError> {
        await withCheckedContinuation { continuation in
            guard let job = job(work, before: nil, answer: { continuation.resume(returning: $0) }) else { return }
            executor.run { self.assumeIsolated { $0.accept(job) } }
        }
    }

    /// A job that is counted until it is answered; nil when there is no room for it, which is an answer too.
    private nonisolated func job(
        _ work: Job.Work, before deadline: MonotonicTime?,
        answer: @escaping @Sendable (Result<Receipt?, StoreError>) -> Void
    ) -> Job? {
        guard backlog.enter(work) else {
            answer(.failure(.busy(retryAfter: Self.retryDelay)))
            return nil
        }
        return Job(work: work, deadline: deadline) { [backlog] result in
            backlog.leave(work)
            answer(result)
        }
    }
}

extension Store {
    func apply(_ submission: Submission) throws -> Receipt {
        if let receipt = try earlierReceipt(of: submission) { return receipt }
        return try commit(submission)
    }

    func undo(_ undo: Undo) throws -> Receipt {
        let request = Submission(undo, inverse: [])
        if let receipt = try earlierReceipt(of: request) { return receipt }
        let planner = try UndoPlanner(
            undo.commit, leaving: undo.leaving ?? [:], tables: tables, connection: connection)
        return try commit(Submission(undo, inverse: planner.inverse()))
    }

    /// Once saved or discarded, a draft stays so.
    func discard(_ draft: String) throws {
        lookAtClocks()
        if try CommitTable.receipt(draft, in: connection) == nil {
            try DiscardTable.add(draft, at: clock.runningDate, in: connection)
        }
    }

    /// The first answer to a change set that is there again.
    private func earlierReceipt(of submission: Submission) throws -> Receipt? {
        guard let receipt = try CommitTable.receipt(submission.idText, in: connection) else {
            if try DiscardTable.contains(submission.idText, in: connection) { throw StoreError.alreadyDiscarded }
            return nil
        }
        guard receipt.fingerprint == submission.fingerprint else {
            throw StoreError.alreadySaved(commit: receipt.commit)
        }
        return Receipt(changeSet: submission.id, commit: receipt.commit, isRepeat: true)
    }

    private func commit(_ submission: Submission) throws -> Receipt {
        let number = position.commit + 1
        let firstChange = position.nextChange
        let history = HistoryWriter(
            connection: connection, commit: number, nextChange: firstChange,
            excludedModels: historyPolicy.excludedModels
        )
        var application = ChangeApplication(tables: tables, history: history, cascadeLimit: submission.cascadeLimit)
        try application.apply(submission.steps.get())
        let nextChange = application.history.nextChange
        try CommitTable.add(
            number, submission, at: now(), changes: firstChange..<nextChange,
            unrecorded: application.history.unrecorded,
            in: connection
        )
        position = StorePosition(
            commit: number, nextChange: nextChange, historySize: position.historySize + application.history.size
        )
        batch?.storedChangeSets += 1
        batch?.add(application.totals)
        return Receipt(changeSet: submission.id, commit: number, isRepeat: false)
    }

    /// Whether the work fails whole or not at all without a savepoint around it, which costs a copy of each page that it
    /// touches: one statement, which SQLite undoes itself, is the only one that anything can stand against.
    func failsWhole(_ work: Job.Work) throws -> Bool {
        guard case .prepared(let submission) = work, case .success(let steps) = submission.steps,
            steps.count == 1,
            let step = steps.first
        else { return false }
        switch step {
        // How many are related is looked at behind the statement.
        case .insert(let table, _, _), .update(let table, _, _, _, _): guard !table.isCounted else { return false }
        case .delete, .remove, .link, .unlink: return false
        }
        return try tables.missingReference(in: step, connection) == nil
    }
}
