import AviaryDomain
import Foundation
import Synchronization

/// The state of the maintenance of a store's file. Only the store uses it.
final class StoreMaintenance {
    static let pauseBetweenAnalyses: Duration = .seconds(86_400)
    static let pauseBetweenExpirations: Duration = .seconds(600)

    let checker: FileChecker
    let timer = MaintenanceTimer()
    var nextExpiration: ContinuousClock.Instant?
    var nextAnalysis: ContinuousClock.Instant?
    var dueAnalyses: [String] = []
    /// The tables whose indexes were rebuilt, or could not be.
    var rebuiltTables: Set<String> = []
    /// Indicates whether the text indexes are being rebuilt for a batch that is retried.
    var isRebuildingSearchIndex = false
    /// The models whose text indexes are not merged, because that made no progress or found damage.
    var modelsWithoutMerging: Set<String> = []
    /// Indicates whether a damaged table is itself unreadable.
    var hasUnreadableTable = false
    /// Indicates whether free pages are being removed. It begins when many pages are free and ends when few are.
    var isGivingBack = false

    /// Creates the state.
    ///
    /// - Parameters:
    ///   - connection: The store's connection, which is used to find out whether the previous store was closed.
    ///   - onFileCheck: A function that is called when a check begins and with its result.
    init(
        _ directory: DataDirectory, engine: any StoreEngine, connection: any WriterConnection,
        onFileCheck: @escaping @Sendable (FileCheck) -> Void
    ) throws {
        checker = FileChecker(directory, engine: engine, onResult: onFileCheck)
        // Only a file can be damaged by the end of its process.
        guard connection.file != nil else { return }
        let wasClosed = try !UncleanShutdownFlag.isSet(in: connection)
        if wasClosed { try UncleanShutdownFlag.set(in: connection) } else { checker.start() }
    }
}

/// A small piece of maintenance work.
enum MaintenanceStep: Sendable, Hashable {
    /// The removal of expired entries of the history.
    case trimmed
    /// The removal of expired records of the built-in models.
    case removedExpired(Int)
    /// The update of SQLite's statistics of a table.
    case analyzed
    /// The removal of free pages from the file.
    case gaveBackPages(Int)
    /// The rebuild of a table's damaged indexes.
    case rebuilt(String)
    /// The merging of a part of a text index.
    case mergedTextIndex
    /// A checkpoint, which copied the log into the file.
    case checkpointed
}

/// A timer that runs a store's maintenance at intervals, until it is cancelled or deallocated.
final class MaintenanceTimer: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Starts the timer.
    ///
    /// - Parameter step: A function that does a step and returns the pause until the next one; nil to stop.
    func start(after pause: Duration, _ step: @escaping @Sendable () async -> Duration?) {
        let new = Task {
            var pause: Duration? = pause
            while let length = pause {
                do { try await Task.sleep(for: length) } catch { return }
                pause = await step()
            }
        }
        task.withLock { $0 = new }
    }

    func cancel() {
        task.withLock { $0 }?.cancel()
    }

    deinit {
        cancel()
    }
}

// Maintenance runs while no commit waits: between batches, on the store's own thread, in steps of a few
// milliseconds each.
extension Store {
    private static let pauseBetweenSteps: Duration = .milliseconds(20)
    private static let pauseWhenDone: Duration = .seconds(5)
    /// The number of pages that a step removes, 256 KiB.
    ///
    /// It took 7 ms in a file of 450 MB that is mostly free, which is when finding a place takes longest.
    private static let pagesPerStep = 64
    /// The number of expired records that a step removes, which takes some milliseconds.
    private static let expiredPerStep = 200
    /// The number of pages, 4 MiB, that always stay free because the next records use them.
    private static let keptPages = 1000

    nonisolated func startMaintenance(with timer: MaintenanceTimer) {
        timer.start(after: Self.pauseWhenDone) { [weak self] in await self?.maintenanceInterval() }
    }

    private func maintenanceInterval() -> Duration? {
        guard refusal == nil else { return nil }
        let began = ContinuousClock.now
        if checkpoints.isCopying { return Self.pauseBetweenSteps }
        guard maintenanceStep(at: began) != nil else { return Self.pauseWhenDone }
        meter.worked(.maintenance, for: .now - began)
        return Self.pauseBetweenSteps
    }

    /// Runs the next step; nil if there is none or the store is busy.
    func maintenanceStep(at time: ContinuousClock.Instant = .now) -> MaintenanceStep? {
        guard refusal == nil, batch == nil, lease == nil, shared.outage == nil, !checkpoints.isCopying,
            statistics.waiting == 0
        else { return nil }
        checkClocks()
        do {
            if try checkpointLargeLog() { return .checkpointed }
            if let step = try rebuildDamaged() { return step }
            guard !isDamaged else { return nil }
            if try trimBetweenBatches() { return .trimmed }
            if let count = try removeExpired(at: time) { return .removedExpired(count) }
            if try analyze(at: time) { return .analyzed }
            if try mergeTextIndex() { return .mergedTextIndex }
            return try shrinkFile()
        } catch {
            // The disk is full, or a reader prevents the step. A later step retries.
            guard let error = error as? EngineError, !noteOutage(error) else { return nil }
            if error.kind == .damage, error.operation != Self.checkpointing {
                meet(error)
            } else if error.isFatalInFlush {
                fail(error)
            }
            return nil
        }
    }

    /// The operation that errors of a checkpoint name.
    static let checkpointing = "checkpoint"

    /// Removes expired records; nil if there are none or the last search was recent.
    private func removeExpired(at time: ContinuousClock.Instant) throws -> Int? {
        guard maintenance.nextExpiration.map({ $0 <= time }) ?? true else { return nil }
        let count = try transaction {
            if clock.isDue { try clock.write(to: connection) }
            return try ExpiredRecords(tables: tables).remove(atMost: Self.expiredPerStep, by: clock, in: connection)
        }
        guard count == 0 else { return count }
        maintenance.nextExpiration = time + StoreMaintenance.pauseBetweenExpirations
        return nil
    }

    private func analyze(at time: ContinuousClock.Instant) throws -> Bool {
        guard let file = connection.file else { return false }
        if maintenance.dueAnalyses.isEmpty, maintenance.nextAnalysis.map({ $0 <= time }) ?? true {
            maintenance.dueAnalyses = try file.dueAnalyses(all: true)
            maintenance.nextAnalysis = time + StoreMaintenance.pauseBetweenAnalyses
        }
        guard let analysis = maintenance.dueAnalyses.popLast() else { return false }
        try file.analyze(analysis)
        return true
    }

    private func shrinkFile() throws -> MaintenanceStep? {
        guard let file = connection.file else { return nil }
        let pages = try file.pageCounts()
        let kept = max(Self.keptPages, pages.all / 20)
        if pages.free > 2 * kept { maintenance.isGivingBack = true }
        guard maintenance.isGivingBack else { return nil }
        guard pages.free > kept else {
            maintenance.isGivingBack = false
            // Only a complete checkpoint shortens the file.
            _ = try file.checkpoint()
            return .checkpointed
        }
        let count = min(Self.pagesPerStep, pages.free - kept)
        try file.incrementalVacuum(atMost: count)
        checkpointIfDue()
        return .gaveBackPages(count)
    }

    /// Starts a check of the file after a read of this or another process found damage.
    ///
    /// Does nothing while a check is running or when damage is known.
    package func checkFile() {
        guard refusal == nil, !isDamaged, !maintenance.checker.isUnderWay else { return }
        maintenance.checker.start()
    }

    /// Ends the maintenance. A store that failed leaves the mark, so that the next one checks its file.
    func stopMaintenance() {
        maintenance.timer.cancel()
        maintenance.checker.stop()
        guard refusal == nil else { return }
        do {
            checkClocks()
            try clock.write(to: connection)
            guard let file = connection.file else { return }
            for analysis in try file.dueAnalyses(all: false) { try file.analyze(analysis) }
            switch maintenance.checker.result {
            case .notNeeded, .ok: try UncleanShutdownFlag.clear(in: connection)
            case .running, .damaged, .unfinished: break
            }
        } catch {
            // The mark stays, so that the next store checks the file.
            if let error = error as? EngineError, error.isFatalInFlush, error.kind != .damage { fail(error) }
        }
    }
}

extension Store {
    /// The minimum number of rows that a trim removes, so that the excess shrinks to zero.
    private static let leastTrim = 16
    /// The maximum number of rows that a trim removes, in some milliseconds.
    ///
    /// The rest of the excess after a large import or cascade is removed while no commit waits.
    static let largestTrim = 4096

    /// Trims at the end of a batch if it is time to.
    ///
    /// - Parameter rows: The number of rows that the batch adds.
    func trimIfDue(adding rows: Int) throws {
        checkClocks()
        trimSchedule.rows += rows
        if position.historySize > historyPolicy.maximumSize || trimSchedule.isDue(at: clock.time) {
            try trim(atMost: 2 * trimSchedule.rows)
            trimSchedule.rows = 0
            trimSchedule.lastTime = clock.time
        } else if clock.isDue, !isDamaged {
            try clock.write(to: connection)
        }
    }

    /// Removes some expired history entries, receipts and discarded drafts.
    ///
    /// - Parameter limit: The maximum number of rows, twice the number of added ones, so that the excess shrinks.
    func trim(atMost limit: Int) throws {
        checkClocks()
        guard !isDamaged else { return }
        let limit = min(max(limit, Self.leastTrim), Self.largestTrim)
        try DiscardedDraftTable.trim(atMost: limit, at: clock.runningDate, in: connection)
        let (lastOld, size) = (lastCommitWithoutHistory, position.historySize)
        let freed = try ChangeTable.trim(atMost: limit, in: connection) { commit, freed in
            commit <= lastOld || size - freed > historyPolicy.maximumSize
        }
        position.historySize = max(0, size - freed)
        let historyStart = try ChangeTable.firstNumber(in: connection) ?? position.nextChange
        trimSchedule.lastReceipt = try CommitTable.trim(
            after: trimSchedule.lastReceipt, to: lastCommitWithoutReceipt, atMost: limit, historyStart: historyStart,
            in: connection
        )
        if clock.isDue { try clock.write(to: connection) }
    }

    func checkClocks() {
        clock.advance(to: now(), at: uptime())
    }

    /// Trims like ``trim(atMost:)`` in a transaction of its own; false if the history is within its bounds.
    func trimBetweenBatches() throws -> Bool {
        guard let oldest = try ChangeTable.oldestCommit(in: connection),
            oldest <= lastCommitWithoutHistory || position.historySize > historyPolicy.maximumSize
        else { return false }
        var schedule = trimSchedule
        do {
            // The store's own transaction: it reads the position again that another host has changed.
            try transaction {
                schedule = trimSchedule
                try trim(atMost: Self.largestTrim)
                try position.write(to: connection)
            }
        } catch {
            position = durablePosition
            trimSchedule = schedule
            throw error
        }
        durablePosition = position
        return true
    }

    private var lastCommitWithoutHistory: Int64 { clock.lastCommit(before: historyPolicy.maximumAge.seconds) }

    /// The last commit whose receipt may be removed. The newest receipts stay regardless of their age.
    private var lastCommitWithoutReceipt: Int64 {
        min(clock.lastCommit(before: CommitTable.receiptLifetime), durablePosition.commit - leastReceipts)
    }
}

/// A schedule that says when the next trim is due. Looking for expired rows costs a small commit a tenth of its time.
struct TrimSchedule {
    /// The number of new rows, and the time in milliseconds, after which expired ones are looked for.
    private static let limits = (rows: 256, time: Int64(60_000))

    /// The number of rows that were added since the last trim.
    var rows = 0
    /// The time of the last trim by the store's clock; nil if there was none.
    var lastTime: Int64?
    /// The commit after which the next search for old receipts begins.
    var lastReceipt: Int64 = 0

    func isDue(at time: Int64) -> Bool {
        guard let lastTime else { return true }
        return rows >= Self.limits.rows || time - lastTime >= Self.limits.time
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
