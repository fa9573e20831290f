import Synchronization

/// A ledger of every attempted write and its outcome, by record.
///
/// The ledger enters a write before the request is sent, so a record that was never entered was requested by no
/// client.
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

    /// Creates an empty ledger.
    ///
    /// - Parameter keepsTimes: Pass true when the run compares a backup with the ledger, so that the ledger keeps
    ///   the state of each record over time.
    init(keepsTimes: Bool = false) {
        book = Book()
        self.keepsTimes = keepsTimes
    }

    private init(sharing other: Ledger) {
        book = other.book
        keepsTimes = other.keepsTimes
    }

    /// A ledger with the same entries and separate counts, for the writes of the warm-up.
    var warmUp: Ledger { Ledger(sharing: self) }

    /// The records that several users edit.
    var shared: SharedRecords { book.shared }

    func begin(_ write: Write) {
        tally.withLock { $0.attempted += 1 }
        book.state.withLock { $0.histories[write.record, default: RecordHistory()].begin(write.change, at: time) }
    }

    /// Enters the outcome of a write, which follows from all answers to it.
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

    /// The current time, read while the lock is held, so that the times of a record are in the order of its events.
    private var time: ContinuousClock.Instant? { keepsTimes ? .now : nil }

    /// Sets an action that runs once, at the moment at which the next write is acknowledged.
    ///
    /// The harness kills a process then: a store that acknowledges a write before it commits loses it.
    func arm(_ action: @escaping @Sendable () -> Void) {
        book.state.withLock { $0.armed = action }
    }

    /// Removes the action.
    ///
    /// - Returns: True if the action had not run yet.
    func disarm() -> Bool {
        book.state.withLock { $0.armed.take() != nil }
    }

    /// Counts a request whose answer, or missing answer, leaves the outcome unknown.
    func recordUnknownOutcome() {
        tally.withLock { $0.unknown += 1 }
    }

    /// Counts a request that was sent again.
    func noteRetry() {
        tally.withLock { $0.retried += 1 }
    }

    /// Counts a conflict that the server reported to a user.
    func noteConflict() {
        tally.withLock { $0.conflicts += 1 }
    }

    /// Enters a record that existed before the run and that the run does not change.
    func noteExisting(_ row: ListRow) {
        book.state.withLock { $0.histories[row.id] = RecordHistory(existing: row.title) }
    }

    /// Returns the title of a record; nil when it is uncertain.
    func title(of record: String) -> String? {
        book.state.withLock { state in
            guard let possible = state.histories[record]?.possible, possible.count == 1 else { return nil }
            return possible.first?.title
        }
    }

    /// Adds the entries of another process.
    func add(_ other: LedgerEntries) {
        shared.add(other.shared)
        book.state.withLock { $0.histories.merge(other.histories) { _, new in new } }
        tally.withLock { $0.add(other.counts) }
    }

    var histories: [String: RecordHistory] { book.state.withLock { $0.histories } }
    var counts: WriteCounts { tally.withLock { $0 } }
    var entries: LedgerEntries { LedgerEntries(histories: histories, counts: counts, shared: shared.all) }
}

/// The entries of a process, in a form that another process can decode.
struct LedgerEntries: Sendable, Codable {
    let histories: [String: RecordHistory]
    let counts: WriteCounts
    let shared: [SharedEdit]
}

extension Ledger.State {
    /// Returns the action to run after a write was acknowledged.
    fileprivate mutating func action(after outcome: WriteOutcome) -> (@Sendable () -> Void)? {
        outcome == .acknowledged ? armed.take() : nil
    }
}

/// The states that a backup may contain which was taken during writes.
///
/// For each record it holds every state that the record may have had from the start of the backup to its end. The
/// backup must contain each write that was acknowledged before, and must not contain a write that began after.
///
/// The snapshot is computed when the entries of all client processes are in one ledger. Each write has its times,
/// and the processes share the clock of the machine.
struct LedgerSnapshot: Sendable {
    /// The expected records after the restore of the backup.
    let histories: [String: RecordHistory]
    /// The newest base version of the edits that the backup certainly contains, by the id of a record with
    /// concurrent edits.
    let floor: [String: Int64]
    /// The titles that these records may have in the backup.
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
