/// One record's writes, boiled down to the states that it may rightly be in.
struct RecordHistory: Sendable, Codable {
    /// What it may be like from some moment on.
    private struct Moment: Sendable, Codable {
        let time: ContinuousClock.Instant
        let possible: Set<RecordState>
    }

    /// More than one while an outcome is not known.
    private(set) var possible: Set<RecordState>
    /// All titles that it was ever meant to have, oldest first.
    private(set) var titles: [String]
    /// The last change that was acknowledged.
    private(set) var lastAcknowledged: Write.Change?
    private(set) var wasRefused = false
    /// The states before the writes that are under way.
    private var before: Set<RecordState>
    private let original: RecordState
    /// Oldest first; none where nobody asks what a record was like earlier.
    private var moments: [Moment] = []

    /// A record that nobody has asked for yet.
    init() {
        self.init(original: .absent, titles: [])
    }

    /// A record that was there before the run.
    init(existing title: String) {
        self.init(original: .present(title: title), titles: [title])
    }

    private init(original: RecordState, titles: [String]) {
        self.original = original
        self.titles = titles
        possible = [original]
        before = [original]
    }

    /// - Parameter time: when; nil where nobody will ask what the record was like at a time.
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

    /// Every state that it may have had from one moment to another.
    func possible(from begin: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> Set<RecordState> {
        var states: Set<RecordState> = [original]
        for moment in moments {
            guard moment.time <= end else { break }
            if moment.time <= begin { states = moment.possible } else { states.formUnion(moment.possible) }
        }
        return states
    }

    /// The store was set back to a time at which the record was like one of these.
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

/// What a record may be like, after everything that was asked for and answered.
enum RecordState: Sendable, Hashable, Codable {
    case absent
    case present(title: String)

    var title: String? {
        if case .present(let title) = self { title } else { nil }
    }
}

/// A change of one record that a browser asks for.
struct Write: Sendable, Hashable {
    enum Change: Sendable, Hashable, Codable {
        case add(title: String)
        case edit(title: String)
        case delete
        /// A delete that is taken back: what was there is there again.
        case restore(title: String)
        /// A draft that is cancelled: whatever happens, nothing is stored.
        case cancelDraft(title: String)
    }

    let record: String
    let change: Change
}

enum WriteOutcome: String, Sendable, Hashable, Codable {
    case acknowledged
    /// The server said that it did not do it.
    case refused
    /// No answer, or one that does not say: it was done, or not, or will not be any more.
    case unknown
}

/// Of writes, not of requests: a write that is sent three times and acknowledged once is one acknowledged.
struct WriteCounts: Sendable, Hashable, Codable {
    var attempted = 0
    var acknowledged = 0
    var refused = 0
    /// Requests that were left without an answer that tells the outcome.
    var unknown = 0
    var retried = 0
    /// Writes whose outcome stayed unknown to the end.
    var unresolved = 0
    /// How often somebody was told that another had been quicker, and was shown both versions.
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
