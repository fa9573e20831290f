package import Foundation

/// The change of a commit to one record.
package struct RecordChange: Sendable, Hashable {
    package enum Kind: Int64, Sendable, Hashable {
        case insert, update, delete
        /// A link of a many-to-many relation began or ended; each of its two records has an entry.
        case link, unlink
    }

    /// Its place in the order of all changes.
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
    /// A Boolean value that indicates whether there was a value that the history does not keep. Both values are null
    /// then.
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
