/// The history of a record's writes, reduced to the states that the record may have.
struct RecordHistory: Sendable, Codable {
    /// The states that the record may have from a moment on.
    private struct Moment: Sendable, Codable {
        let time: ContinuousClock.Instant
        let possible: Set<RecordState>
    }

    /// The states that the record may have; more than one while an outcome is unknown.
    private(set) var possible: Set<RecordState>
    /// All titles that were requested for the record, oldest first.
    private(set) var titles: [String]
    /// The last change that was acknowledged.
    private(set) var lastAcknowledged: Write.Change?
    private(set) var wasRefused = false
    /// The states before the writes in progress.
    private var before: Set<RecordState>
    private let original: RecordState
    /// The states over time, oldest first; empty when the ledger keeps no times.
    private var moments: [Moment] = []

    /// Creates the history of a record that no client has requested yet.
    init() {
        self.init(original: .absent, titles: [])
    }

    /// Creates the history of a record that existed before the run.
    init(existing title: String) {
        self.init(original: .present(title: title), titles: [title])
    }

    private init(original: RecordState, titles: [String]) {
        self.original = original
        self.titles = titles
        possible = [original]
        before = [original]
    }

    /// Enters a change that is about to be requested.
    ///
    /// - Parameter time: The current time; nil when the ledger keeps no times.
    mutating func begin(_ change: Write.Change, at time: ContinuousClock.Instant? = nil) {
        before = possible
        possible.insert(result(of: change))
        if let title = change.title { titles.append(title) }
        note(time)
    }

    mutating func settle(_ change: Write.Change, as outcome: WriteOutcome, at time: ContinuousClock.Instant? = nil) {
        switch outcome {
        case .acknowledged:
            possible = [result(of: change)]
            lastAcknowledged = change
        case .refused:
            possible = before
            wasRefused = true
        case .unknown:
            break
        }
        note(time)
    }

    private mutating func note(_ time: ContinuousClock.Instant?) {
        if let time { moments.append(Moment(time: time, possible: possible)) }
    }

    /// Returns every state that the record may have had between two moments.
    func possible(from begin: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> Set<RecordState> {
        var states: Set<RecordState> = [original]
        for moment in moments {
            guard moment.time <= end else { break }
            if moment.time <= begin { states = moment.possible } else { states.formUnion(moment.possible) }
        }
        return states
    }

    /// Sets the states after the restore of a backup in which the record had one of these states.
    mutating func restore(to states: Set<RecordState>) {
        possible = states
        before = states
    }

    private func result(of change: Write.Change) -> RecordState {
        switch change {
        case .add(let title), .edit(let title), .restore(let title): .present(title: title)
        case .delete, .cancelDraft: .absent
        }
    }
}

extension Write.Change {
    var title: String? {
        switch self {
        case .add(let title), .edit(let title), .cancelDraft(let title), .restore(let title): title
        case .delete: nil
        }
    }
}

/// A state that a record may have after all requests and answers.
enum RecordState: Sendable, Hashable, Codable {
    case absent
    case present(title: String)

    var title: String? {
        if case .present(let title) = self { title } else { nil }
    }
}

/// A change of one record that a browser requests.
struct Write: Sendable, Hashable {
    enum Change: Sendable, Hashable, Codable {
        case add(title: String)
        case edit(title: String)
        case delete
        /// A delete that is undone: the previous record exists again.
        case restore(title: String)
        /// A draft that is cancelled: nothing may be stored.
        case cancelDraft(title: String)
    }

    let record: String
    let change: Change
}

enum WriteOutcome: String, Sendable, Hashable, Codable {
    case acknowledged
    /// A write that the server rejected.
    case refused
    /// A missing or ambiguous answer: the write may have been executed or not.
    case unknown
}

/// The number of writes by outcome.
///
/// The counts are of writes, not of requests: a write that is sent three times and acknowledged once counts as one.
struct WriteCounts: Sendable, Hashable, Codable {
    var attempted = 0
    var acknowledged = 0
    var refused = 0
    /// The number of requests whose answer, or missing answer, leaves the outcome unknown.
    var unknown = 0
    var retried = 0
    /// The number of writes whose outcome was never resolved.
    var unresolved = 0
    /// The number of conflicts in which the server showed both versions to a user.
    var conflicts = 0

    mutating func count(_ outcome: WriteOutcome) {
        switch outcome {
        case .acknowledged: acknowledged += 1
        case .refused: refused += 1
        case .unknown: unresolved += 1
        }
    }

    mutating func add(_ other: WriteCounts) {
        attempted += other.attempted
        acknowledged += other.acknowledged
        refused += other.refused
        unknown += other.unknown
        retried += other.retried
        unresolved += other.unresolved
        conflicts += other.conflicts
    }
}
