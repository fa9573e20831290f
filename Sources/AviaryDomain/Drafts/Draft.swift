package import Foundation

/// A form that a user is filling in. It is stored only in the user's browser, sealed.
package struct Draft: Sendable, Hashable, Codable, Identifiable {
    /// The id, which becomes the id of the change set when the draft is saved.
    package let id: UUID
    /// The id of the record to create or change.
    package let record: UUID
    package let model: String
    /// The version of the record that the user saw; nil for a new record.
    package let version: Int64?
    /// The sequence number, which increases with every stored copy.
    package let sequence: Int
    package let user: String
    /// The restore epoch of the store.
    ///
    /// After a restore, ids and versions may refer to something else. A draft from before it is therefore shown for
    /// review.
    package let restoreEpoch: String
    package let schemaFingerprint: String
    package let savedAt: Date
    package let expiresAt: Date
    /// The id of the page that saved this copy, by which two pages with the same draft detect each other.
    package let tab: String?
    /// The field of another, waiting draft that will refer to this record after it is saved.
    package let parent: DraftField?
    /// The fields as typed, including values that do not validate.
    package let fields: [FormField]

    package var isNew: Bool { version == nil }

    package init(
        id: UUID, record: UUID, model: String, version: Int64?, sequence: Int, user: String, restoreEpoch: String,
        schemaFingerprint: String, savedAt: Date, expiresAt: Date, tab: String? = nil, parent: DraftField? = nil,
        fields: [FormField]
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
        self.tab = tab
        self.parent = parent
        self.fields = fields
    }
}

extension Draft {
    /// Returns a newer copy of the draft with other fields.
    package func with(_ fields: [FormField], at now: Date) -> Draft {
        Draft(
            id: id, record: record, model: model, version: version, sequence: sequence + 1, user: user,
            restoreEpoch: restoreEpoch, schemaFingerprint: schemaFingerprint, savedAt: now, expiresAt: expiresAt,
            tab: nil,
            parent: parent, fields: fields
        )
    }

    /// Returns a draft with the same contents and another id. The outcome of the old draft does not affect it.
    package func again(as id: UUID, at now: Date) -> Draft {
        Draft(
            id: id, record: record, model: model, version: version, sequence: sequence + 1, user: user,
            restoreEpoch: restoreEpoch, schemaFingerprint: schemaFingerprint, savedAt: now, expiresAt: expiresAt,
            tab: nil,
            parent: parent, fields: fields
        )
    }
}

/// A field of a draft.
package struct DraftField: Sendable, Hashable, Codable {
    package let draft: UUID
    package let property: String

    package init(draft: UUID, property: String) {
        self.draft = draft
        self.property = property
    }
}

extension DraftField {
    /// Creates a field from the text of a URL or form: the draft's id, a dot and the property.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let draft = parts.first.flatMap({ UUID(canonicalText: String($0)) }),
            let property = parts.last
        else { return nil }
        self.init(draft: draft, property: String(property))
    }

    package var text: String { draft.canonicalText + "." + property }
}

/// A field of a submitted form.
package struct FormField: Sendable, Hashable, Codable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// A ledger of the outcomes of drafts, by which the server recognizes a stale cookie.
package protocol DraftLedger: Sendable {
    /// Returns the outcome of a draft; nil while the draft is open, and for one that was never known.
    func outcome(ofDraft id: UUID) async throws -> DraftOutcome?
    func discard(draft id: UUID) async throws(StoreError)
    /// Returns the restore epoch, which changes when the store is restored from a snapshot.
    func restoreEpoch() async throws -> String
}

/// The outcome of a draft that is no longer open.
package enum DraftOutcome: Sendable, Hashable {
    case saved(commit: Int64)
    case discarded
}

/// A compression of the contents of drafts.
package protocol DraftCompression: Sendable {
    func compressed(_ bytes: [UInt8]) -> [UInt8]?
    /// Returns the bytes that were passed to ``compressed(_:)``; nil for other bytes, and for a result above the
    /// limit.
    func expanded(_ bytes: [UInt8], limit: Int) -> [UInt8]?
}
