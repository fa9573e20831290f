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

/// An edit of the record that all users edit.
struct SharedEdit: Sendable, Hashable, Codable {
    let record: String
    let title: String
    /// The version that the edit is based on: the newest that its author saw.
    let base: Int64
    let begun: ContinuousClock.Instant
    /// The outcome of the edit; nil while the request is in progress.
    private(set) var outcome: WriteOutcome?
    private(set) var settled: ContinuousClock.Instant?

    init(record: String, title: String, base: Int64) {
        self.record = record
        self.title = title
        self.base = base
        begun = .now
    }

    mutating func settle(as outcome: WriteOutcome) {
        self.outcome = outcome
        settled = .now
    }
}

/// The records that several users edit concurrently.
///
/// The times of the answers do not show which edit the store committed last. The base versions show it: each save
/// names the version that it is based on. The store must acknowledge at most one edit of each version, because a
/// second one would overwrite a change that its author never saw. The last acknowledged edit is the one with the
/// newest base version.
final class SharedRecords: Sendable {
    private let edits = Mutex<[SharedEdit]>([])

    func begin(_ edit: SharedEdit) {
        edits.withLock { $0.append(edit) }
    }

    func settle(_ edit: SharedEdit, as outcome: WriteOutcome) {
        edits.withLock { edits in
            if let index = edits.lastIndex(where: { $0.title == edit.title && $0.record == edit.record }) {
                edits[index].settle(as: outcome)
            }
        }
    }

    func add(_ others: [SharedEdit]) {
        edits.withLock { $0 += others }
    }

    var all: [SharedEdit] { edits.withLock { $0 } }
}

extension [SharedEdit] {
    /// The titles that each record may have now, apart from the title that it had before the first edit.
    var possibleTitles: [String: Set<String>] {
        let last = acknowledgedBases
        return titles { edit in
            guard let base = last[edit.record] else { return true }
            // The store cannot have committed another edit with the base version of the last acknowledged one.
            return edit.base > base || edit.base == base && edit.outcome == .acknowledged
        }
    }

    /// Returns the titles that each record may have had at some moment after the edits with these base versions
    /// were acknowledged.
    func possibleTitles(since floor: [String: Int64]) -> [String: Set<String>] {
        titles { $0.base >= floor[$0.record] ?? .min }
    }

    private func titles(where mayCount: (SharedEdit) -> Bool) -> [String: Set<String>] {
        reduce(into: [:]) { titles, edit in
            if edit.outcome != .refused, mayCount(edit) { titles[edit.record, default: []].insert(edit.title) }
        }
    }

    /// The newest base version of an acknowledged edit, by the id of the record.
    var acknowledgedBases: [String: Int64] {
        reduce(into: [:]) { bases, edit in
            if edit.outcome == .acknowledged { bases[edit.record] = Swift.max(bases[edit.record] ?? .min, edit.base) }
        }
    }

    /// The edits that were acknowledged although another edit with the same base version was acknowledged before.
    var overwriting: [SharedEdit] {
        var taken: [String: Set<Int64>] = [:]
        return filter { $0.outcome == .acknowledged && !taken[$0.record, default: []].insert($0.base).inserted }
    }
}
