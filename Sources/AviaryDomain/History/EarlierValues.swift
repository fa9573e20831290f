/// What of a record was different at an earlier point of its history.
package struct EarlierValues: Sendable, Hashable {
    /// What the properties that were changed since then held at that point, by name. The others hold what they did.
    package let values: [String: FieldValue]
    /// Those that were changed since then and whose values the history does not keep.
    package let secrets: Set<String>
    /// What made the record as it was; nil when only its change is kept.
    package let commit: CommitSummary?
    /// The last that changed it since; nil when none did.
    package let last: CommitSummary?

    package init(values: [String: FieldValue], secrets: Set<String>, commit: CommitSummary?, last: CommitSummary?) {
        self.values = values
        self.secrets = secrets
        self.commit = commit
        self.last = last
    }
}

/// A point in the history: right behind a commit, or behind one change of it.
package enum HistoryPoint: Sendable, Hashable {
    case commit(Int64)
    case change(Int64)

    /// Whether the change was done by then.
    package func includes(_ change: RecordChange) -> Bool {
        switch self {
        case .commit(let number): change.commit <= number
        case .change(let number): change.number <= number
        }
    }
}
