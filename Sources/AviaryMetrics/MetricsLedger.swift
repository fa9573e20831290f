import Synchronization

/// The sums of the metrics of several processes, including processes that have ended.
///
/// Each process reports its own totals, so a lost or repeated report does no harm.
package final class MetricsLedger: Sendable {
    private struct Entry {
        var revision: UInt64
        var snapshot: MetricSnapshot
        var heard: ContinuousClock.Instant
        var isComplete: Bool
        /// Indicates whether the process has ended, so that at most a report that is still under way can follow.
        var hasEnded = false
    }

    private struct State {
        var entries: [MetricsReporter.Identity: Entry] = [:]
        /// The sums of processes that are no longer among the entries.
        var ended = MetricSnapshot()
        /// The revision of the sums of ended processes that reporters receive.
        ///
        /// It begins at a random number, so that it equals a revision of another ledger only with a probability of 1
        /// in 2⁶⁴.
        var endedRevision = UInt64.random(in: 1...UInt64.max)
        var lastLook: ContinuousClock.Instant?
    }

    /// The interval between two checks for processes that have ended.
    ///
    /// It is short, so that the other processes know the numbers of an ended process if the store's process ends
    /// next.
    private static let pauseBetweenLooks: Duration = .milliseconds(200)

    /// The time without a report after which the gauges of a process no longer count, because they may be outdated.
    package static let silence: Duration = .seconds(3)
    /// The time for which the numbers of an ended process stay separate, because its last report may be under way.
    package static let grace: Duration = .seconds(60)

    private let isAlive: @Sendable (MetricsReporter.Identity) -> Bool
    private let state = Mutex(State())

    /// Creates an empty ledger.
    ///
    /// - Parameter isAlive: A closure that indicates whether a process that has reported is still running.
    package init(isAlive: @escaping @Sendable (MetricsReporter.Identity) -> Bool) {
        self.isAlive = isAlive
    }

    package func answer(_ report: MetricsReport, at now: ContinuousClock.Instant = .now) -> MetricsResponse {
        checkForEnded(at: now)
        return state.withLock { state in
            let isKnown = Self.note(report, in: &state, at: now)
            return MetricsResponse(
                wantsEverything: !isKnown, endedRevision: state.endedRevision,
                ended: isKnown && report.endedRevision != state.endedRevision ? Self.ended(of: state) : nil,
                whole: report.wantsWhole ? Self.whole(of: state, at: now) : nil,
                processes: state.entries.keys.map(\.process).sorted()
            )
        }
    }

    /// Records a report.
    ///
    /// - Returns: A Boolean value that indicates whether the ledger has all numbers of the reporter.
    private static func note(_ report: MetricsReport, in state: inout State, at now: ContinuousClock.Instant) -> Bool {
        let known = state.entries[report.reporter]
        let snapshot: MetricSnapshot
        var isComplete = known?.isComplete ?? false
        switch report.content {
        case .unchanged:
            guard var known, known.revision >= report.revision else { return false }
            known.heard = now
            state.entries[report.reporter] = known
            return known.isComplete
        case .changed(let new):
            snapshot = new
        case .everything(let new, let ended):
            snapshot = new
            // Only the report of a process that is new to this ledger counts: the ended sums of all others come from
            // this ledger.
            if !isComplete, !ended.families.isEmpty {
                state.ended.raise(to: ended)
                state.endedRevision &+= 1
            }
            isComplete = true
        }
        if known?.hasEnded == true { state.endedRevision &+= 1 }
        let isNews = known.map { report.revision >= $0.revision } ?? true
        state.entries[report.reporter] = Entry(
            revision: isNews ? report.revision : known?.revision ?? report.revision,
            snapshot: isNews ? snapshot : known?.snapshot ?? snapshot, heard: now, isComplete: isComplete,
            hasEnded: known?.hasEnded ?? false
        )
        return isComplete
    }

    private static func whole(of state: State, at now: ContinuousClock.Instant) -> MetricSnapshot {
        var whole = state.ended
        for entry in state.entries.values {
            let isOver = entry.hasEnded || now - entry.heard > silence
            whole.add(isOver ? entry.snapshot.withoutGauges : entry.snapshot)
        }
        return whole
    }

    /// Returns the sums of ended processes, which reporters carry to the next ledger.
    private static func ended(of state: State) -> MetricSnapshot {
        state.entries.values.reduce(into: state.ended) { sum, entry in
            if entry.hasEnded { sum.add(entry.snapshot.withoutGauges) }
        }
    }

    private func checkForEnded(at now: ContinuousClock.Instant) {
        let known = state.withLock { state -> [(reporter: MetricsReporter.Identity, hasEnded: Bool)] in
            if let last = state.lastLook, now - last < Self.pauseBetweenLooks { return [] }
            state.lastLook = now
            return state.entries.map { (reporter: $0.key, hasEnded: $0.value.hasEnded) }
        }
        // `isAlive` may read files, so call it outside the lock.
        let ended = known.filter { $0.hasEnded || !isAlive($0.reporter) }.map(\.reporter)
        guard !ended.isEmpty else { return }
        state.withLock { state in
            for reporter in ended {
                guard let entry = state.entries[reporter] else { continue }
                if !entry.hasEnded {
                    state.entries[reporter]?.hasEnded = true
                    state.endedRevision &+= 1
                } else if now - entry.heard > Self.grace {
                    state.entries[reporter] = nil
                    state.ended.add(entry.snapshot.withoutGauges)
                }
            }
        }
    }
}
