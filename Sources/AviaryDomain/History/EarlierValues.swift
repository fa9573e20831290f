/// The differences of a record between an earlier point of its history and now.
package struct EarlierValues: Sendable, Hashable {
    /// The values at that point of the properties that have changed since, by name. The other properties had their
    /// current values.
    package let values: [String: FieldValue]
    /// The names of the properties that were changed since then and whose values the history does not keep.
    package let secrets: Set<String>
    /// The commit that made this version of the record; nil when the history only keeps its change.
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

    /// Returns a Boolean value that indicates whether the change was made at or before the point.
    package func includes(_ change: RecordChange) -> Bool {
        switch self {
        case .commit(let number): change.commit <= number
        case .change(let number): change.number <= number
        }
    }
}
