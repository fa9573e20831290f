import AviaryDomain

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
