import Synchronization

/// Every write that was attempted, by record, and what became of it.
///
/// A write is entered before it is sent: whatever turns up later that was never entered is nobody's.
final class Ledger: Sendable {
    fileprivate struct State {
        var histories: [String: RecordHistory] = [:]
        var counts = WriteCounts()
        var snapshot: LedgerSnapshot?
    }

    private let state = Mutex(State())
    /// The records that several edit.
    let shared = SharedRecords()

    func begin(_ write: Write) {
        state.withLock { state in
            state.counts.attempted += 1
            state.histories[write.record, default: RecordHistory()].begin(write.change)
            state.noteForSnapshot(write.record)
        }
    }

    /// What all the answers to one write say together.
    func settle(_ write: Write, as outcome: WriteOutcome) {
        state.withLock { state in
            state.counts.count(outcome)
            state.histories[write.record]?.settle(write.change, as: outcome)
            state.noteForSnapshot(write.record)
        }
    }

    func settle(_ edit: SharedEdit, as outcome: WriteOutcome) {
        shared.settle(edit, as: outcome)
        state.withLock { state in
            state.counts.attempted += 1
            state.counts.count(outcome)
        }
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

extension Ledger {
    /// From here until ``endSnapshot()`` a backup is taken: it may hold any state that a record has meanwhile.
    func beginSnapshot() {
        let floor = shared.all.acknowledgedBases
        state.withLock { $0.snapshot = LedgerSnapshot(possible: $0.histories.mapValues(\.possible), floor: floor) }
    }

    /// - Returns: what the backup may hold; nil when none was begun.
    func endSnapshot() -> LedgerSnapshot? {
        let edits = shared.all
        return state.withLock { state in
            guard var snapshot = state.snapshot.take() else { return nil }
            snapshot.shared = edits.possibleTitles(since: snapshot.floor)
            return snapshot
        }
    }
}

extension Ledger.State {
    fileprivate mutating func noteForSnapshot(_ record: String) {
        guard snapshot != nil, let history = histories[record] else { return }
        // Before it was first begun it was not there.
        snapshot?.possible[record, default: [.absent]].formUnion(history.possible)
    }
}
