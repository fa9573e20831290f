package import AviaryDomain
import Dispatch
package import Foundation
import Synchronization

/// The only writer of a data directory.
///
/// Change sets that arrive together share one transaction and one flush (group commit). Each is applied
/// immediately, so that it fails alone, and is answered after the COMMIT of its transaction.
package actor Store: ChangeWriter {
    nonisolated let tables: ModelTables
    nonisolated let executor: SerialQueueExecutor
    nonisolated let backlog = WriteQueueLimit()
    let historyPolicy: HistoryPolicy
    let engine: any StoreEngine
    let connection: any WriterConnection
    let now: @Sendable () -> Date
    let uptime: @Sendable () -> MonotonicTime
    /// The number of receipts that are kept regardless of their age.
    let leastReceipts: Int64
    let maximumLeaseDuration: Duration
    let maximumRenewedLeaseDuration: Duration
    let directory: DataDirectory
    let log: LogFile
    private let onFatalError: @Sendable (String) -> Void
    let onExpiredLease: @Sendable (Duration) -> Void
    private var lock: StoreLock?

    /// The reason why the store rejects all requests; nil while it is open.
    private(set) var refusal: String?
    var batch: Batch?
    /// The write lease; nil while there is none.
    var lease: WriteLease?
    /// The holders whose leases expired, with the reason for which their requests are rejected.
    var expiredLeases: [UUID: String] = [:]
    /// The position including the change sets of the open batch.
    var position: StorePosition
    /// The position on disk.
    var durablePosition: StorePosition
    /// The newest commits of the models, including those of the open batch.
    var lastModelCommits = LastModelCommits()
    /// The clock that determines what has expired.
    var clock: StoreClock
    var trimSchedule = TrimSchedule()
    var storedChangeSets = 0
    var committedBatches = 0
    var meter = StoreMeter()
    var checkpoints = CheckpointState()
    /// The pages of the text indexes that are to be merged, by the names of the models.
    var mergeDebts: [String: MergeDebt] = [:]
    var longChanges = LongChangeQueue()
    var shared = SharedState()
    let stepLimits: StepLimits
    /// The number of steps of long changes that may still be taken. Tests limit it.
    var stepAllowance = Int.max
    let maintenance: StoreMaintenance

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens the store, creating what is missing.
    ///
    /// - Parameters:
    ///   - instructions: The instructions to migrate the file to the models, for changes that a comparison cannot
    ///     recognize.
    ///   - history: The policy that determines which changes the history contains, and for how long.
    ///   - engine: The engine that stores the data.
    ///   - inherited: The write lock, if it was already acquired.
    ///   - onFatalError: A function that is called once when the disk can no longer be relied upon. The store then
    ///     rejects all requests.
    ///   - onFileCheck: A function that is called when a file check begins and with its result. A check follows a
    ///     store that was not closed.
    ///   - onExpiredLease: A function that is called when a write lease expires, with its duration.
    ///   - maximumLeaseDuration: The maximum duration of a lease that is not renewed. Writes then continue even if it
    ///     was not released.
    ///   - maximumRenewedLeaseDuration: The maximum duration of a lease, however often it is renewed.
    ///   - now: The clock of commits.
    ///   - uptime: The clock that measures elapsed time independently of ``now``.
    ///   - leastReceipts: The number of receipts that are kept regardless of their age.
    ///   - stepLimits: The limits of what others wait for.
    /// - Throws: ``DataDirectoryError``, ``StoreOpenError``, ``MigrationError``, ``FileError`` or ``EngineError``.
    package init(
        directory: DataDirectory, schema: Schema, sortIndexes: [SortIndex],
        migration instructions: MigrationInstructions = .none, history: HistoryPolicy = HistoryPolicy(),
        engine: any StoreEngine = StoreEngines.standard, lock inherited: StoreLock? = nil,
        onFatalError: @escaping @Sendable (String) -> Void = { _ in },
        onFileCheck: @escaping @Sendable (FileCheck) -> Void = { _ in },
        onExpiredLease: @escaping @Sendable (Duration) -> Void = { _ in },
        maximumLeaseDuration: Duration = Store.maximumLeaseDuration,
        maximumRenewedLeaseDuration: Duration = Store.maximumRenewedLeaseDuration,
        now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> MonotonicTime = { .now },
        leastReceipts: Int = 10_000, stepLimits: StepLimits = StepLimits()
    ) throws {
        let lock = try inherited ?? StoreLock(directory)
        directory.removeAbandonedFiles()
        let tables = ModelTables(schema, engine.dialect)
        let connection = try engine.openWriter(directory)
        try StoreLayout(tables: tables, sortIndexes: Set(sortIndexes)).install(instructions, in: connection) {
            // An engine that keeps its files itself has nothing to copy.
            try connection.file == nil ? nil : SafetyCopy(of: directory, by: engine, at: now())
        }
        guard let position = try StorePosition.read(from: connection) else {
            throw StoreOpenError.notAStore(path: directory.storePath)
        }
        try connection.transaction {
            try HistoryGaps.note(
                excluded: history.excludingTransientModels.excludedModels, at: position.commit, in: connection)
        }
        self.lock = lock
        self.tables = tables
        self.engine = engine
        self.connection = connection
        self.directory = directory
        log = LogFile(of: directory, bound: LogBound())
        self.onFatalError = onFatalError
        self.onExpiredLease = onExpiredLease
        self.now = now
        self.uptime = uptime
        self.leastReceipts = Int64(leastReceipts)
        self.stepLimits = stepLimits
        clock = try StoreClock.read(from: connection, at: now(), uptime: uptime())
        self.maximumLeaseDuration = maximumLeaseDuration
        self.maximumRenewedLeaseDuration = maximumRenewedLeaseDuration
        self.position = position
        durablePosition = position
        historyPolicy = history.excludingTransientModels
        connection.file?.disableAutoCheckpoint()
        executor = SerialQueueExecutor(label: "aviary.store")
        if connection.database != nil {
            shared.schema = try MetaTable.text(.schema, in: connection)
            shared.restoreEpoch = try MetaTable.text(.restoreEpoch, in: connection)
            // Other hosts continue meanwhile.
            shared.isOutdated = true
        }
        longChanges.change = try LongChange.read(from: connection)
        let host = Self.host(of: directory, connection)
        longChanges.seen = longChanges.change.flatMap { $0.host == host ? nil : .now }
        try connection.hideRows(ofMask: RowMask.text(in: connection))
        maintenance = try StoreMaintenance(directory, engine: engine, connection: connection, onFileCheck: onFileCheck)
        startMaintenance(with: maintenance.timer)
        continueLongChange()
    }

    package nonisolated func write(_ request: WriteRequest) async throws(StoreError) -> Receipt? {
        try await result(of: Job.Work(request, tables: tables)).get()
    }

    /// Commits the open batch, checkpoints the log and releases the directory. Later submissions are rejected.
    package func close() {
        guard lock != nil else { return }
        releaseLease()
        run(checkpoints.removeHeld())
        commitBatch()
        stopMaintenance()
        if refusal == nil {
            refusal = "it is closed. Try again when it has started."
            // The truncation is optional: a reader may prevent it, and the log is complete without it.
            _ = try? connection.file?.truncateLog()
        }
        longChanges.refuseJobs(because: refusal ?? "", isUncertain: shared.outage != nil)
        refuseSharedJobs()
        connection.close()
        lock = nil
    }

    /// The durability of acknowledged commits, as text for measurements.
    package static var durability: String { StoreEngines.standard.durability }

    package var statistics: StoreStatistics {
        StoreStatistics(
            commits: storedChangeSets, batches: committedBatches, waiting: backlog.jobCount,
            logPages: connection.file?.logPages ?? 0, lastCommit: durablePosition.commit,
            fileCheck: maintenance.checker.result, measures: meter.measures(historySize: durablePosition.historySize),
            longChange: longChangeStatus
        )
    }

    /// Rejects all requests from now on. The engine would continue after a failed flush, but the kernel may have
    /// dropped the pages.
    func fail(_ error: EngineError) {
        guard refusal == nil else { return }
        refusal = "it stopped because \(error.reason)"
        releaseLease()
        longChanges.refuseJobs(because: refusal ?? "", isUncertain: shared.outage != nil)
        refuseSharedJobs()
        releaseBulkJobs()
        onFatalError(error.description)
    }
}

/// An executor that runs an actor on a dispatch queue of its own, so that a flush never blocks a thread of the
/// cooperative pool.
///
/// The order is first in, first out: a job that is enqueued while another runs comes after all waiting jobs.
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
    /// The delay before a retry, in seconds. A full queue is processed in less time, unless the disk hangs.
    private static let retryDelay = 2

    /// Accepts requests that arrived together, in their order, except that one can wait for a long change or for a copy of the
    /// log. Each is answered after its commit is on disk.
    package nonisolated func enqueue(_ writes: [QueuedWrite]) {
        var jobs: [Job] = []
        jobs.reserveCapacity(writes.count)
        for write in writes {
            let work = Job.Work(write.request, tables: tables)
            if let job = job(work, before: write.deadline, postponed: write.postponed, answer: write.answer) {
                jobs.append(job)
            }
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

    /// Returns a job that counts against the backlog until it is answered; nil if there is no room, after a
    /// rejection.
    private nonisolated func job(
        _ work: Job.Work, before deadline: MonotonicTime?, postponed: @escaping @Sendable () -> Void = {},
        answer: @escaping @Sendable (Result<Receipt?, StoreError>) -> Void
    ) -> Job? {
        guard backlog.enter(work) else {
            answer(.failure(.busy(retryAfter: Self.retryDelay)))
            return nil
        }
        return Job(work: work, deadline: deadline, postponed: postponed) { [backlog] result in
            backlog.leave(work)
            answer(result)
        }
    }
}

extension Store {
    func apply(_ submission: PreparedChangeSet) throws -> Receipt {
        if let receipt = try previousReceipt(of: submission) { return receipt }
        return try commit(submission)
    }

    func undo(_ undo: Undo) throws -> Receipt {
        let request = PreparedChangeSet(undo, inverse: [])
        if let receipt = try previousReceipt(of: request) { return receipt }
        // The entries of the long change under way are not complete yet.
        if let change = longChanges.change, change.commit == undo.commit { throw PendingCollision(end: .end) }
        if try UndoPlanner.entries(of: undo.commit, in: connection).count > stepLimits.changesAtOnce {
            throw LongWorkError()
        }
        let planner = try UndoPlanner(
            undo.commit, leaving: undo.leaving ?? [:], tables: tables, connection: connection)
        return try commit(PreparedChangeSet(undo, inverse: planner.inverse()))
    }

    /// Discards a draft. A draft that was saved or discarded remains so.
    func discard(_ draft: String) throws {
        checkClocks()
        if try CommitTable.receipt(draft, in: connection) == nil {
            try DiscardedDraftTable.add(draft, at: clock.runningDate, in: connection)
        }
    }

    /// Returns the first receipt of a change set that was submitted again.
    func previousReceipt(of submission: PreparedChangeSet) throws -> Receipt? {
        // Another job with this id looks for the receipt of the first.
        if batch?.unusedIDs.remove(submission.idText) != nil { return nil }
        guard let receipt = try CommitTable.receipt(submission.idText, in: connection) else {
            if try DiscardedDraftTable.contains(submission.idText, in: connection) { throw StoreError.alreadyDiscarded }
            return nil
        }
        guard receipt.fingerprint == submission.fingerprint else {
            throw StoreError.alreadySaved(commit: receipt.commit)
        }
        return Receipt(changeSet: submission.id, commit: receipt.commit, isRepeat: true)
    }

    private func commit(_ submission: PreparedChangeSet) throws -> Receipt {
        if let basis = submission.basis, !lastModelCommits.isCurrent(basis, at: position.commit) {
            throw StoreError.overtaken
        }
        let number = position.commit + 1
        let firstChange = position.nextChange
        let history = HistoryWriter(
            connection: connection, commit: number, nextChange: firstChange,
            excludedModels: historyPolicy.excludedModels
        )
        var application = ChangeApplication(tables: tables, history: history, cascadeLimit: submission.cascadeLimit)
        let steps = try submission.steps.get()
        if longChanges.change?.id == submission.id { throw LongWorkError() }
        application.rowLimit = rowLimit(of: steps)
        // Looking for very many records takes longer than others wait.
        if let limit = application.rowLimit, submission.roots.count > limit { throw LongWorkError() }
        application.pending = longChanges.change.map {
            PendingCheck(change: $0, tables: tables, connection: connection)
        }
        if let batch { application.existing = batch.existingRecords }
        try application.apply(steps)
        let nextChange = application.history.nextChange
        try CommitTable.add(
            number, submission, at: now(), changes: firstChange..<nextChange,
            unrecorded: application.history.unrecorded,
            in: connection
        )
        position = StorePosition(
            commit: number, nextChange: nextChange, historySize: position.historySize + application.history.size
        )
        lastModelCommits.note(application.history.models, changedBy: number)
        batch?.storedChangeSets += 1
        batch?.add(application.totals)
        return Receipt(changeSet: submission.id, commit: number, isRepeat: false)
    }

    /// Indicates whether the work begins a transaction. In a file, a savepoint would cost a copy of each page that bulk work
    /// changes.
    func needsTransaction(_ work: Job.Work) -> Bool { connection.database == nil && work.kind == .bulk }

    /// Indicates whether the work is the first of its transaction, and needs no savepoint therefore.
    func isTransaction(_ work: Job.Work) -> Bool { needsTransaction(work) && batch?.jobs.isEmpty == true }

    /// Indicates whether the work is atomic without a savepoint, which would cost a copy of each page that it
    /// changes.
    ///
    /// This is true if only one statement can fail, because SQLite rolls back a failed statement itself.
    func isAtomicWithoutSavepoint(_ work: Job.Work) throws -> Bool {
        guard longChanges.change == nil, case .prepared(let submission) = work,
            case .success(let steps) = submission.steps, steps.count == 1,
            let step = steps.first
        else { return false }
        switch step {
        // The number of related records is checked after the statement.
        case .insert(let table, _, _), .update(let table, _, _, _, _): guard !table.isCounted else { return false }
        case .delete, .remove, .link, .unlink: return false
        }
        var references = TouchedReferences(of: [step], in: tables)
        if let batch { references.remove(batch.existingRecords) }
        return try references.isEmpty || tables.missingReference(in: step, connection) == nil
    }
}
