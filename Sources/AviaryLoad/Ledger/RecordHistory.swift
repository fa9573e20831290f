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
