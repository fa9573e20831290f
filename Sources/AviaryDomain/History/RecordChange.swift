package import Foundation

/// The change of a commit to one record.
package struct RecordChange: Sendable, Hashable {
    package enum Kind: Int64, Sendable, Hashable {
        case insert, update, delete
        /// The addition or removal of a link of a many-to-many relation. Each of its two records has an entry.
        case link, unlink
    }

    /// The number of the change in the order of all changes.
    package let number: Int64
    package let commit: Int64
    package let model: String
    package let record: UUID
    package let kind: Kind
    /// The changed fields by property name: all of a new or deleted record, the changed ones of an update, and the
    /// other record's id of a link.
    package let fields: [String: FieldChange]

    package init(
        number: Int64, commit: Int64, model: String, record: UUID, kind: Kind, fields: [String: FieldChange]
    ) {
        self.number = number
        self.commit = commit
        self.model = model
        self.record = record
        self.kind = kind
        self.fields = fields
    }
}

/// The value of a property before and after a change. It is null before the record was inserted and after it was
/// deleted.
package struct FieldChange: Sendable, Hashable {
    package let before: FieldValue
    package let after: FieldValue
    /// Indicates whether there was a value that the history does not keep. Both values are null then.
    package let isSecret: Bool

    package init(before: FieldValue, after: FieldValue) {
        self.before = before
        self.after = after
        isSecret = false
    }

    private init() {
        before = .null
        after = .null
        isSecret = true
    }

    package static let secret = FieldChange()
}

/// The number of records of a model that a commit changed in the same way.
package struct ChangeTally: Sendable, Hashable {
    package let model: String
    package let kind: RecordChange.Kind
    package let count: Int

    package init(model: String, kind: RecordChange.Kind, count: Int) {
        self.model = model
        self.kind = kind
        self.count = count
    }
}

extension Sequence<RecordChange> {
    /// The counts by model and kind, in the order of their first occurrence.
    package var tally: [ChangeTally] {
        var tally: [ChangeTally] = []
        for change in self {
            let index = tally.firstIndex { $0.model == change.model && $0.kind == change.kind }
            let counted = ChangeTally(
                model: change.model, kind: change.kind, count: index.map { tally[$0].count + 1 } ?? 1)
            if let index { tally[index] = counted } else { tally.append(counted) }
        }
        return tally
    }
}

/// The differences of a record between an earlier point of its history and now.
package struct PreviousValues: Sendable, Hashable {
    /// The values at that point of the properties that have changed since, by name. The other properties had their
    /// current values.
    package let values: [String: FieldValue]
    /// The names of the properties that were changed since then and whose values the history does not keep.
    package let secrets: Set<String>
    /// The commit that made this version of the record; nil when the history only keeps its change.
    package let commit: CommitSummary?
    /// The last commit that has changed the record since; nil when there is none.
    package let last: CommitSummary?

    package init(values: [String: FieldValue], secrets: Set<String>, commit: CommitSummary?, last: CommitSummary?) {
        self.values = values
        self.secrets = secrets
        self.commit = commit
        self.last = last
    }
}

/// A point in the history: directly after a commit, or after one change of it.
package enum HistoryPoint: Sendable, Hashable {
    case commit(Int64)
    case change(Int64)

    /// Indicates whether the change was made at or before the point.
    package func includes(_ change: RecordChange) -> Bool {
        switch self {
        case .commit(let number): change.commit <= number
        case .change(let number): change.number <= number
        }
    }
}
