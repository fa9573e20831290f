import Synchronization

/// Every write that was attempted, by record, and what became of it.
///
/// A write is entered before it is sent: whatever turns up later that was never entered is nobody's.
final class Ledger: Sendable {
    fileprivate struct State {
        var histories: [String: RecordHistory] = [:]
        var armed: (@Sendable () -> Void)?
    }

    private final class Book: Sendable {
        let state = Mutex(State())
        let shared = SharedRecords()
    }

    private let book: Book
    private let tally = Mutex(WriteCounts())
    private let keepsTimes: Bool

    /// - Parameter keepsTimes: a backup will be held against it, so what each record was like when is to be known.
    init(keepsTimes: Bool = false) {
        book = Book()
        self.keepsTimes = keepsTimes
    }

    private init(sharing other: Ledger) {
        book = other.book
        keepsTimes = other.keepsTimes
    }

    /// The same entries, counted apart: of those who write before it counts.
    var warmUp: Ledger { Ledger(sharing: self) }

    /// The records that several edit.
    var shared: SharedRecords { book.shared }

    func begin(_ write: Write) {
        tally.withLock { $0.attempted += 1 }
        book.state.withLock { $0.histories[write.record, default: RecordHistory()].begin(write.change, at: time) }
    }

    /// What all the answers to one write say together.
    func settle(_ write: Write, as outcome: WriteOutcome) {
        let action = book.state.withLock { state in
            state.histories[write.record]?.settle(write.change, as: outcome, at: time)
            return state.action(after: outcome)
        }
        tally.withLock { $0.count(outcome) }
        action?()
    }

    func settle(_ edit: SharedEdit, as outcome: WriteOutcome) {
        shared.settle(edit, as: outcome)
        let action = book.state.withLock { $0.action(after: outcome) }
        tally.withLock { counts in
            counts.attempted += 1
            counts.count(outcome)
        }
        action?()
    }

    /// Taken under the lock: so a record's times are in the order of what happened to it.
    private var time: ContinuousClock.Instant? { keepsTimes ? .now : nil }

    /// Does this once, in the moment in which the next write is acknowledged: a store that acknowledges before it commits has
    /// something to lose then.
    func arm(_ action: @escaping @Sendable () -> Void) {
        book.state.withLock { $0.armed = action }
    }

    /// - Returns: whether it was still to be done.
    func disarm() -> Bool {
        book.state.withLock { $0.armed.take() != nil }
    }

    /// One answer, or its absence, did not tell the outcome.
    func noteUnknown() {
        tally.withLock { $0.unknown += 1 }
    }

    /// The same form was sent again.
    func noteRetry() {
        tally.withLock { $0.retried += 1 }
    }

    /// Somebody was told that another had been quicker.
    func noteConflict() {
        tally.withLock { $0.conflicts += 1 }
    }

    /// A record that was there before the run and that the run leaves alone.
    func noteExisting(_ row: ListRow) {
        book.state.withLock { $0.histories[row.id] = RecordHistory(existing: row.title) }
    }

    /// The title that a record has for sure; nil where that is not known.
    func title(of record: String) -> String? {
        book.state.withLock { state in
            guard let possible = state.histories[record]?.possible, possible.count == 1 else { return nil }
            return possible.first?.title
        }
    }

    /// Takes in what another process entered.
    func add(_ other: LedgerEntries) {
        shared.add(other.shared)
        book.state.withLock { $0.histories.merge(other.histories) { _, new in new } }
        tally.withLock { $0.add(other.counts) }
    }

    var histories: [String: RecordHistory] { book.state.withLock { $0.histories } }
    var counts: WriteCounts { tally.withLock { $0 } }
    var entries: LedgerEntries { LedgerEntries(histories: histories, counts: counts, shared: shared.all) }
}

/// What a process entered, on its way to another.
struct LedgerEntries: Sendable, Codable {
    let histories: [String: RecordHistory]
    let counts: WriteCounts
    let shared: [SharedEdit]
}

extension Ledger.State {
    /// What is to be done now that a write was acknowledged.
    fileprivate mutating func action(after outcome: WriteOutcome) -> (@Sendable () -> Void)? {
        outcome == .acknowledged ? armed.take() : nil
    }
}

/// What a backup may hold that was taken from one moment to another while writes went on: of each record every state that it
/// may have had meanwhile. What was acknowledged before must be in it, what was begun after must not.
///
/// It is told from what all client processes entered, each write with its times, once all of that is together: they share the
/// machine's clock.
struct LedgerSnapshot: Sendable {
    /// The records as they must be once it is restored.
    let histories: [String: RecordHistory]
    /// Of the records that several edit, the newest version that an edit was made from which is in it for sure.
    let floor: [String: Int64]
    /// The titles that these may have in it.
    let shared: [String: Set<String>]

    init(of ledger: Ledger, from begin: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        histories = ledger.histories.mapValues { history in
            var history = history
            history.restore(to: history.possible(from: begin, to: end))
            return history
        }
        let edits = ledger.shared.all
        floor = edits.filter { $0.settled.map { $0 <= begin } ?? false }.acknowledgedBases
        shared = edits.filter { $0.begun <= end }.possibleTitles(since: floor)
    }
}
