import Synchronization

/// Every write that was attempted, by record, and what became of it.
///
/// A write is entered before it is sent: whatever turns up later that was never entered is nobody's.
final class Ledger: Sendable {
    fileprivate struct State {
        var histories: [String: RecordHistory] = [:]
        var counts = WriteCounts()
        var armed: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    /// The records that several edit.
    let shared = SharedRecords()
    private let keepsTimes: Bool

    /// - Parameter keepsTimes: a backup will be held against it, so what each record was like when is to be known.
    init(keepsTimes: Bool = false) {
        self.keepsTimes = keepsTimes
    }

    func begin(_ write: Write) {
        state.withLock { state in
            state.counts.attempted += 1
            state.histories[write.record, default: RecordHistory()].begin(write.change, at: time)
        }
    }

    /// What all the answers to one write say together.
    func settle(_ write: Write, as outcome: WriteOutcome) {
        let action = state.withLock { state in
            state.histories[write.record]?.settle(write.change, as: outcome, at: time)
            return state.count(outcome)
        }
        action?()
    }

    func settle(_ edit: SharedEdit, as outcome: WriteOutcome) {
        shared.settle(edit, as: outcome)
        let action = state.withLock { state in
            state.counts.attempted += 1
            return state.count(outcome)
        }
        action?()
    }

    /// Taken under the lock: so a record's times are in the order of what happened to it.
    private var time: ContinuousClock.Instant? { keepsTimes ? .now : nil }

    /// Does this once, in the moment in which the next write is acknowledged: a store that acknowledges before it commits has
    /// something to lose then.
    func arm(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.armed = action }
    }

    /// - Returns: whether it was still to be done.
    func disarm() -> Bool {
        state.withLock { $0.armed.take() != nil }
    }

    /// One answer, or its absence, did not tell the outcome.
    func noteUnknown() {
        state.withLock { $0.counts.unknown += 1 }
    }

    /// The same form was sent again.
    func noteRetry() {
        state.withLock { $0.counts.retried += 1 }
    }

    /// Somebody was told that another had been quicker.
    func noteConflict() {
        state.withLock { $0.counts.conflicts += 1 }
    }

    /// A record that was there before the run and that the run leaves alone.
    func noteExisting(_ row: ListRow) {
        state.withLock { $0.histories[row.id] = RecordHistory(existing: row.title) }
    }

    /// The title that a record has for sure; nil where that is not known.
    func title(of record: String) -> String? {
        state.withLock { state in
            guard let possible = state.histories[record]?.possible, possible.count == 1 else { return nil }
            return possible.first?.title
        }
    }

    /// Takes in what another process entered.
    func add(_ other: LedgerEntries) {
        shared.add(other.shared)
        state.withLock { state in
            state.histories.merge(other.histories) { _, new in new }
            state.counts.add(other.counts)
        }
    }

    var histories: [String: RecordHistory] { state.withLock { $0.histories } }
    var counts: WriteCounts { state.withLock { $0.counts } }
    var entries: LedgerEntries { LedgerEntries(histories: histories, counts: counts, shared: shared.all) }
}

/// What a process entered, on its way to another.
struct LedgerEntries: Sendable, Codable {
    let histories: [String: RecordHistory]
    let counts: WriteCounts
    let shared: [SharedEdit]
}

extension Ledger.State {
    /// - Returns: what is to be done now that a write was acknowledged.
    fileprivate mutating func count(_ outcome: WriteOutcome) -> (@Sendable () -> Void)? {
        counts.count(outcome)
        return outcome == .acknowledged ? armed.take() : nil
    }
}
