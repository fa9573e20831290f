package import AviaryDomain
package import Foundation
import Synchronization

/// The only writer of a data directory.
///
/// Change sets that arrive together share one transaction and one flush (group commit): each is applied at once under
/// a savepoint, and answered after the COMMIT that holds it.
package actor Store: ChangeWriter {
    private static let waitingLimit = 4096

    /// A new one with every restore: ids and versions seen under another epoch mean nothing.
    package nonisolated let restoreEpoch: String

    nonisolated let tables: ModelTables
    private nonisolated let executor: SerialQueueExecutor
    nonisolated let waiting = Atomic<Int>(0)
    let connection: Connection
    let log: WriteAheadLogSize
    let now: @Sendable () -> Date
    private let onFatalError: @Sendable (String) -> Void
    private var lock: StoreLock?

    /// Why no more is accepted; nil while the store is open.
    private(set) var refusal: String?
    var batch: Batch?
    /// The number of the last change set, those of the open batch included.
    var commit: Int64
    /// The number of the last one on disk.
    var durableCommit: Int64
    var storedChangeSets = 0
    var committedBatches = 0
    var logPagesAtCheckpoint = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens the store, creating what is missing.
    ///
    /// - Parameters:
    ///   - lock: the right to write, when it was acquired already.
    ///   - onFatalError: Called once when the disk can no longer be relied upon; the store takes nothing after that.
    ///   - now: The clock of receipts.
    /// - Throws: ``DataDirectoryError``, ``StoreOpenError`` or ``SQLiteError``.
    package init(
        directory: DataDirectory, schema: Schema, sortIndexes: [SortIndex], lock inherited: StoreLock? = nil,
        onFatalError: @escaping @Sendable (String) -> Void = { _ in },
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        let lock = try inherited ?? StoreLock(directory)
        let tables = ModelTables(schema)
        let connection = try StoreConnection.open(directory)
        try StoreLayout(tables: tables, sortIndexes: Set(sortIndexes)).install(in: connection)
        guard case .text(let epoch) = try MetaTable.value(.restoreEpoch, in: connection),
              case .integer(let commit) = try MetaTable.value(.commit, in: connection)
        else { throw StoreOpenError.notAStore(path: directory.storePath) }
        self.lock = lock
        self.tables = tables
        self.connection = connection
        self.onFatalError = onFatalError
        self.now = now
        self.commit = commit
        durableCommit = commit
        restoreEpoch = epoch
        log = WriteAheadLogSize(of: connection)
        executor = SerialQueueExecutor(label: "aviary.store")
    }

    package nonisolated func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt {
        let answer = try await answer { .apply(Submission(changeSet, tables: tables)) }
        switch answer {
        case .stored(let receipt): return receipt
        case .discarded: throw .alreadyDiscarded
        }
    }

    package nonisolated func discard(draft id: UUID) async throws(StoreError) {
        _ = try await answer { .discard(draft: id.canonicalText) }
    }

    /// Commits what is open, copies the log into the file and lets go of the directory. Later submissions are refused.
    package func close() {
        guard lock != nil else { return }
        commitBatch()
        if refusal == nil {
            refusal = "it is closed. Try again when it has started."
            // Best effort: a reader may be in the way, and the log is complete without it.
            _ = try? connection.truncateLog()
        }
        connection.close()
        lock = nil
    }

    package var statistics: StoreStatistics {
        StoreStatistics(
            commits: storedChangeSets, batches: committedBatches, waiting: waiting.load(ordering: .relaxed),
            logPages: log.current, lastCommit: durableCommit
        )
    }

    /// Refuses everything from now on: SQLite would go on after a failed flush, but the kernel may have dropped the pages.
    func fail(_ error: SQLiteError) {
        guard refusal == nil else { return }
        refusal = "it stopped because \(error.reason)"
        onFatalError(error.description)
    }

    private nonisolated func answer(_ work: () -> Job.Work) async throws(StoreError) -> Job.Answer {
        defer { waiting.subtract(1, ordering: .relaxed) }
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.waitingLimit else {
            throw .unavailable("it is busy, \(Self.waitingLimit) others wait already. Try again in a moment.")
        }
        return try await perform(work()).get()
    }

    private func perform(_ work: Job.Work) async -> Result<Job.Answer, StoreError> {
        await withCheckedContinuation { continuation in
            accept(Job(work: work, answer: continuation))
        }
    }
}
