import AviaryDomain
import Foundation
import Synchronization

/// How far a store is with the care of its file. Used by the store alone.
final class StoreCare {
    static let pauseBetweenAnalyses: Duration = .seconds(86_400)
    static let pauseBetweenExpirations: Duration = .seconds(600)

    let checker: FileChecker
    let timer = CareTimer()
    var nextExpiration: ContinuousClock.Instant?
    var nextAnalysis: ContinuousClock.Instant?
    var dueAnalyses: [String] = []
    /// Those whose indexes were made anew, or could not be.
    var rebuiltTables: Set<String> = []
    /// Whether the words of texts are being made anew for a batch that is done again.
    var isRebuildingWords = false
    /// Whether one of them cannot be read itself.
    var hasUnreadableTable = false
    /// Begun when many pages are free, and done until few are.
    var isGivingBack = false

    /// - Parameters:
    ///   - connection: The store's, which finds out here whether the store before it was closed.
    ///   - onFileCheck: Called when a check begins and with what it found.
    init(
        _ directory: DataDirectory, engine: any StoreEngine, connection: any Connection,
        onFileCheck: @escaping @Sendable (FileCheck) -> Void
    ) throws {
        checker = FileChecker(directory, engine: engine, onResult: onFileCheck)
        let wasClosed = try !OpenMark.isSet(in: connection)
        if wasClosed { try OpenMark.set(in: connection) } else { checker.start() }
    }
}

/// One small piece of work that a store did for its file.
enum CareStep: Sendable, Hashable {
    /// Removed entries of the history that are kept no longer.
    case trimmed
    /// Removed records that nobody needs any more, of the models that every application has.
    case removedExpired(Int)
    /// Renewed what SQLite knows of a table's sizes.
    case analyzed
    /// Gave back free pages.
    case gaveBackPages(Int)
    /// Made the indexes of a table anew, which were damaged.
    case rebuilt(String)
    /// Copied the log into the file.
    case checkpointed
}

/// Lets a store look after its file from time to time, until it is cancelled or gone.
final class CareTimer: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter step: Returns how long to pause; nil for ever.
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

// What is done for the file while nobody waits for a commit: between batches, on the store's own thread, in steps that
// take a few milliseconds each.
extension Store {
    private static let pauseBetweenSteps: Duration = .milliseconds(20)
    private static let pauseWhenDone: Duration = .seconds(5)
    /// 256 KiB. Measured 7 ms when most of a file of 450 MB is free, which is when finding a place takes longest.
    private static let pagesPerStep = 64
    /// Some milliseconds.
    private static let expiredPerStep = 200
    /// 4 MiB stay free in any case: they are used again by the next records.
    private static let keptPages = 1000

    nonisolated func beginCare(with timer: CareTimer) {
        timer.start(after: Self.pauseWhenDone) { [weak self] in await self?.pauseAfterCare() }
    }

    private func pauseAfterCare() -> Duration? {
        guard refusal == nil else { return nil }
        return careStep() == nil ? Self.pauseWhenDone : Self.pauseBetweenSteps
    }

    /// Does the next step; nil when there is none, or the store has better things to do.
    func careStep(at time: ContinuousClock.Instant = .now) -> CareStep? {
        guard refusal == nil, batch == nil, hold == nil, statistics.waiting == 0 else { return nil }
        lookAtClocks()
        do {
            if try checkpointLargeLog() { return .checkpointed }
            if let step = try rebuildDamaged() { return step }
            guard !isDamaged else { return nil }
            if try trimBetweenBatches() { return .trimmed }
            if let count = try removeExpired(at: time) { return .removedExpired(count) }
            if try analyze(at: time) { return .analyzed }
            return try giveBackPages()
        } catch {
            // A full disk, or a reader in the way: a later step tries again.
            guard let error = error as? EngineError else { return nil }
            if error.kind == .damage, error.operation != Self.checkpointing {
                meet(error)
            } else if error.isFatalInFlush {
                fail(error)
            }
            return nil
        }
    }

    private static let checkpointing = "checkpoint"

    /// Nil when there are none, or they were looked for not long ago.
    private func removeExpired(at time: ContinuousClock.Instant) throws -> Int? {
        guard care.nextExpiration.map({ $0 <= time }) ?? true else { return nil }
        let count = try connection.transaction {
            if clock.isDue { try clock.write(to: connection) }
            return try ExpiredRecords(tables: tables).remove(atMost: Self.expiredPerStep, by: clock, in: connection)
        }
        guard count == 0 else { return count }
        care.nextExpiration = time + StoreCare.pauseBetweenExpirations
        return nil
    }

    private func analyze(at time: ContinuousClock.Instant) throws -> Bool {
        if care.dueAnalyses.isEmpty, care.nextAnalysis.map({ $0 <= time }) ?? true {
            care.dueAnalyses = try connection.dueAnalyses(all: true)
            care.nextAnalysis = time + StoreCare.pauseBetweenAnalyses
        }
        guard let analysis = care.dueAnalyses.popLast() else { return false }
        try connection.analyze(analysis)
        return true
    }

    private func giveBackPages() throws -> CareStep? {
        let pages = try connection.pageCounts()
        let kept = max(Self.keptPages, pages.all / 20)
        if pages.free > 2 * kept { care.isGivingBack = true }
        guard care.isGivingBack else { return nil }
        guard pages.free > kept else {
            care.isGivingBack = false
            // Only a complete checkpoint shortens the file.
            _ = try connection.checkpoint()
            return .checkpointed
        }
        let count = min(Self.pagesPerStep, pages.free - kept)
        try connection.giveBackPages(atMost: count)
        checkpointIfDue()
        return .gaveBackPages(count)
    }

    /// Begins a check of the file, in which a read of this or another process has met damage. Does nothing while a check
    /// is under way, or when damage is known.
    package func checkFile() {
        guard refusal == nil, !isDamaged, !care.checker.isUnderWay else { return }
        care.checker.start()
    }

    /// The last of it. A store that failed leaves the mark, so that its file is checked.
    func endCare() {
        care.timer.cancel()
        care.checker.stop()
        guard refusal == nil else { return }
        do {
            lookAtClocks()
            try clock.write(to: connection)
            for analysis in try connection.dueAnalyses(all: false) { try connection.analyze(analysis) }
            switch care.checker.result {
            case .notNeeded, .ok: try OpenMark.clear(in: connection)
            case .running, .damaged, .unfinished: break
            }
        } catch {
            // The mark stays: the next store checks the file.
            if let error = error as? EngineError, error.isFatalInFlush, error.kind != .damage { fail(error) }
        }
    }
}

extension Store {
    /// So that what is too old shrinks to nothing.
    private static let leastTrim = 16
    /// Some milliseconds: what a large import or cascade leaves over the bounds goes while nobody waits.
    private static let largestTrim = 4096

    /// Removes some of what is kept no longer: entries of the history, receipts, discarded drafts.
    ///
    /// - Parameter limit: Twice of what was added, so that there is less and less over the bounds.
    func trim(atMost limit: Int) throws {
        lookAtClocks()
        guard !isDamaged else { return }
        let limit = min(max(limit, Self.leastTrim), Self.largestTrim)
        try DiscardTable.trim(atMost: limit, at: clock.runningDate, in: connection)
        let (lastOld, size) = (lastCommitWithoutHistory, position.historySize)
        let freed = try ChangeTable.trim(atMost: limit, in: connection) { commit, freed in
            commit <= lastOld || size - freed > historyPolicy.maximumSize
        }
        position.historySize = max(0, size - freed)
        let historyStart = try ChangeTable.firstNumber(in: connection) ?? position.nextChange
        lastSwept = try CommitTable.trim(
            after: lastSwept, to: lastCommitWithoutReceipt, atMost: limit, historyStart: historyStart, in: connection
        )
        if clock.isDue { try clock.write(to: connection) }
    }

    func lookAtClocks() {
        clock.advance(to: now(), at: uptime())
    }

    /// As ``trim(atMost:)``, in a transaction of its own; false when the history is within its bounds.
    func trimBetweenBatches() throws -> Bool {
        guard let oldest = try ChangeTable.oldestCommit(in: connection),
            oldest <= lastCommitWithoutHistory || position.historySize > historyPolicy.maximumSize
        else { return false }
        do {
            try connection.transaction {
                try trim(atMost: Self.largestTrim)
                try position.write(to: connection)
            }
        } catch {
            position = durablePosition
            throw error
        }
        durablePosition = position
        return true
    }

    private var lastCommitWithoutHistory: Int64 { clock.lastCommit(before: historyPolicy.maximumAge.seconds) }

    /// The newest receipts stay whatever their age.
    private var lastCommitWithoutReceipt: Int64 {
        min(clock.lastCommit(before: CommitTable.receiptLifetime), durablePosition.commit - leastReceipts)
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
