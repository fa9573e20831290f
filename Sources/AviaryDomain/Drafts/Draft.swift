package import Foundation

/// A form that is being filled in: it lives, sealed, in its editor's own browser and nowhere else.
package struct Draft: Sendable, Hashable, Codable, Identifiable {
    /// Becomes the change set's id on Save.
    package let id: UUID
    /// The record to be created or changed.
    package let record: UUID
    package let model: String
    /// The version that the editor saw; nil for a new record.
    package let version: Int64?
    /// Grows with every copy that is kept.
    package let sequence: Int
    package let user: String
    /// Ids and versions mean nothing after a restore: a draft from before it is shown for review.
    package let restoreEpoch: String
    package let schemaFingerprint: String
    package let savedAt: Date
    package let expiresAt: Date
    /// The fields as typed, also those that do not validate.
    package let fields: [FormField]

    package var isNew: Bool { version == nil }

    package init(
        id: UUID, record: UUID, model: String, version: Int64?, sequence: Int, user: String, restoreEpoch: String,
        schemaFingerprint: String, savedAt: Date, expiresAt: Date, fields: [FormField]
    ) {
        self.id = id
        self.record = record
        self.model = model
        self.version = version
        self.sequence = sequence
        self.user = user
        self.restoreEpoch = restoreEpoch
        self.schemaFingerprint = schemaFingerprint
        self.savedAt = savedAt
        self.expiresAt = expiresAt
        self.fields = fields
    }
}

/// One field of a form, as submitted.
package struct FormField: Sendable, Hashable, Codable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
