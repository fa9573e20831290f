import AviaryDomain
import Foundation
import Synchronization

/// The jobs of the open transaction.
///
/// All jobs are answered after the COMMIT, including the rejected ones: the reason for their rejection may be a
/// change in the same transaction.
struct Batch {
    /// The maximum number of jobs.
    ///
    /// It bounds the wait of the first job and the work that is repeated if the transaction is lost.
    static let jobLimit = 512
    static let changeLimit = 10_000

    private(set) var jobs: [Job] = []
    private(set) var results: [Result<Receipt?, StoreError>] = []
    private(set) var totals: [String: Int] = [:]
    private(set) var changes = 0
    var storedChangeSets = 0
    var isScheduled = false
    /// The ids of change sets that had no receipt when the transaction began, and that no job of the batch has used since.
    ///
    /// They are looked for together, because each look costs a round trip to a server.
    var unusedIDs: Set<String> = []
    /// The records to which jobs of the batch refer, and which exist. They are looked for together, too.
    var existingRecords = TouchedReferences()
    /// The schedule before the batch, which applies again if the batch and what it trimmed are undone.
    let earlierTrims: TrimSchedule

    init(after earlierTrims: TrimSchedule) { self.earlierTrims = earlierTrims }

    var isFull: Bool { jobs.count >= Self.jobLimit || changes >= Self.changeLimit }

    /// Adds a job with its result.
    ///
    /// - Parameter entries: The number of records that the job changed, including cascades.
    mutating func append(_ job: Job, _ result: Result<Receipt?, StoreError>, entries: Int) {
        jobs.append(job)
        results.append(result)
        changes += max(job.work.size, entries)
    }

    mutating func add(_ totals: [String: Int]) {
        self.totals.merge(totals, uniquingKeysWith: +)
    }

    /// The receipts of the change sets that the batch itself stores.
    var receipts: [Receipt] {
        results.compactMap { result in
            guard case .success(let receipt?) = result, !receipt.isRepeat else { return nil }
            return receipt
        }
    }

    /// Removes and returns the jobs for which a condition holds.
    mutating func removeJobs(where condition: (Job) -> Bool) -> [Job] {
        let kept = jobs.indices.filter { !condition(jobs[$0]) }
        guard kept.count < jobs.count else { return [] }
        let removed = jobs.filter(condition)
        (jobs, results) = (kept.map { jobs[$0] }, kept.map { results[$0] })
        return removed
    }

    /// Answers every job with its result, or all jobs with the same error.
    func completeAll(failingWith error: StoreError? = nil) {
        for (job, result) in zip(jobs, results) {
            job.answer(error.map(Result.failure) ?? result)
        }
    }
}

/// A request that waits for a commit. It is plain data, so that it can be repeated if SQLite loses the transaction.
struct Job: Sendable {
    enum Work: Sendable {
        /// A change set whose values were converted and checked before it reached the store's queue.
        case prepared(PreparedChangeSet)
        case request(WriteRequest)

        init(_ request: WriteRequest, tables: ModelTables) {
            if case .submit(let changeSet) = request {
                self = .prepared(PreparedChangeSet(changeSet, tables: tables))
            } else {
                self = .request(request)
            }
        }

        /// The number of its changes, as a measure of the work.
        var size: Int { if case .prepared(let submission) = self { submission.size } else { 1 } }
        /// The number of changes above which the work counts as bulk work, which is more than a form has.
        private static let largestSave = 100

        /// The id of its change set, as the store keeps it; nil for a request of another kind.
        var changeSetID: String? { if case .prepared(let submission) = self { submission.idText } else { nil } }

        /// The steps that it makes; nil for work that can remove a record.
        var stepsWithoutDeletes: [PreparedChange]? {
            switch self {
            case .prepared(let submission):
                // A refused submission makes no steps.
                guard case .success(let steps) = submission.steps else { return [] }
                let deletes = steps.contains { step in
                    switch step {
                    case .insert, .update, .link, .unlink: false
                    case .delete, .remove: true
                    }
                }
                return deletes ? nil : steps
            case .request(.discard): return []
            case .request(.submit), .request(.undo): return nil
            }
        }

        /// Its kind, for monitoring.
        var kind: StoreWork {
            if case .request(.undo) = self { return .undo }
            return size > Self.largestSave ? .bulk : .save
        }

        /// The approximate number of bytes that it occupies in memory while it waits.
        var bytes: Int { if case .prepared(let submission) = self { submission.bytes } else { 100 } }
    }

    let work: Work
    /// The time after which the store does not begin or repeat the job, unless a long change has postponed it.
    let deadline: MonotonicTime?
    /// The function that is called when a long change postpones the job for the first time.
    let postponed: @Sendable () -> Void
    /// The function that receives the answer. It is called once.
    let answer: @Sendable (Result<Receipt?, StoreError>) -> Void
    /// The time at which it arrived in the store's queue.
    var arrival: ContinuousClock.Instant = .now

    /// The number of connections that were lost while the job ran.
    var lostConnections = 0
    /// The time, by the clock of the store, at which a postponed job is refused; nil before it was postponed.
    private(set) var end: MonotonicTime?

    init(
        work: Work, deadline: MonotonicTime?, postponed: @escaping @Sendable () -> Void,
        answer: @escaping @Sendable (Result<Receipt?, StoreError>) -> Void
    ) {
        self.work = work
        self.deadline = deadline
        self.postponed = postponed
        self.answer = answer
    }

    /// Returns the error of a job whose time has passed.
    ///
    /// - Parameter uptime: The clock of the store.
    func lateness(_ uptime: () -> MonotonicTime) -> StoreError? {
        if let end { return end <= uptime() ? .postponedTooLong : nil }
        return deadline?.isPast ?? false ? .expired : nil
    }

    /// Lets the job wait for a long change, and tells its sender so.
    mutating func postpone(from uptime: MonotonicTime) {
        guard end == nil else { return }
        end = uptime.advanced(by: QueuedWrite.longestPostponement)
        postponed()
    }
}

/// The bounded queue of the store.
///
/// It applies backpressure: a slow or stopped store must neither fill the memory nor make callers wait forever. The
/// queue rejects at once what exceeds its limits.
final class WriteQueueLimit: Sendable {
    /// The maximum number of jobs, which is eight full batches.
    private static let jobLimit = 4096
    /// The maximum number of changes, which is that of one import of a large file.
    private static let changeLimit = 1_000_000
    private static let byteLimit = 256 * 1024 * 1024

    private let jobs = Atomic<Int>(0)
    private let changes = Atomic<Int>(0)
    private let bytes = Atomic<Int>(0)

    var jobCount: Int { jobs.load(ordering: .relaxed) }

    /// Adds a job; false if there is no room. A single job always fits.
    func enter(_ work: Job.Work) -> Bool {
        let jobCount = jobs.add(1, ordering: .relaxed).newValue
        let changeCount = changes.add(work.size, ordering: .relaxed).newValue
        let byteCount = bytes.add(work.bytes, ordering: .relaxed).newValue
        let isFull = jobCount > Self.jobLimit || changeCount > Self.changeLimit || byteCount > Self.byteLimit
        guard jobCount > 1, isFull else { return true }
        leave(work)
        return false
    }

    func leave(_ work: Job.Work) {
        jobs.subtract(1, ordering: .relaxed)
        changes.subtract(work.size, ordering: .relaxed)
        bytes.subtract(work.bytes, ordering: .relaxed)
    }
}
