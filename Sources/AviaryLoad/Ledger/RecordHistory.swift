/// What a record may be like, after everything that was asked for and answered.
enum RecordState: Sendable, Hashable, Codable {
    case absent
    case present(title: String)

    var title: String? {
        if case .present(let title) = self { title } else { nil }
    }
}

/// One record's writes, boiled down to the states that it may rightly be in.
struct RecordHistory: Sendable, Codable {
    /// More than one while an outcome is not known.
    private(set) var possible: Set<RecordState>
    /// All titles that it was ever meant to have, oldest first.
    private(set) var titles: [String]
    /// The last change that was acknowledged.
    private(set) var lastAcknowledged: Write.Change?
    private(set) var wasRefused = false
    /// The states before the writes that are under way.
    private var before: Set<RecordState>

    /// A record that nobody has asked for yet.
    init() {
        possible = [.absent]
        before = [.absent]
        titles = []
    }

    /// A record that was there before the run.
    init(existing title: String) {
        possible = [.present(title: title)]
        before = possible
        titles = [title]
    }

    mutating func begin(_ change: Write.Change) {
        before = possible
        possible.insert(result(of: change))
        if let title = change.title { titles.append(title) }
    }

    mutating func settle(_ change: Write.Change, as outcome: WriteOutcome) {
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
