import Synchronization

/// Every write that was attempted, by record, and what became of it.
///
/// A write is entered before it is sent: whatever turns up later that was never entered is nobody's.
final class Ledger: Sendable {
    private struct State {
        var histories: [String: RecordHistory] = [:]
        var counts = WriteCounts()
    }

    private let state = Mutex(State())

    func begin(_ write: Write) {
        state.withLock { state in
            state.counts.attempted += 1
            state.histories[write.record, default: RecordHistory()].begin(write.change)
        }
    }

    /// What all the answers to one write say together.
    func settle(_ write: Write, as outcome: WriteOutcome) {
        state.withLock { state in
            switch outcome {
            case .acknowledged: state.counts.acknowledged += 1
            case .refused: state.counts.refused += 1
            case .unknown: state.counts.unresolved += 1
            }
            state.histories[write.record]?.settle(write.change, as: outcome)
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

    /// A record that was there before the run and that the run leaves alone.
    func noteExisting(_ row: ListRow) {
        state.withLock { $0.histories[row.id] = RecordHistory(existing: row.title) }
    }

    var histories: [String: RecordHistory] { state.withLock { $0.histories } }
    var counts: WriteCounts { state.withLock { $0.counts } }
}

/// Of writes, not of requests: a write that is sent three times and acknowledged once is one acknowledged.
struct WriteCounts: Sendable, Hashable {
    var attempted = 0
    var acknowledged = 0
    var refused = 0
    /// Requests that were left without an answer that tells the outcome.
    var unknown = 0
    var retried = 0
    /// Writes whose outcome stayed unknown to the end.
    var unresolved = 0
}
