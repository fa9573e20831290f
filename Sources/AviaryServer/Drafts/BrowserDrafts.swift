import AviaryDomain
import Foundation

/// The drafts that one browser holds.
struct DraftShelf: Sendable {
    var drafts: [KeptDraft] = []
    /// Names of draft cookies that are forged, foreign, damaged or expired.
    var unreadable: [String] = []
    /// Names of draft cookies whose draft was saved or discarded meanwhile.
    var settled: [String] = []
    /// Those of the settled that were discarded.
    var discarded: [KeptDraft] = []

    func draft(_ id: UUID) -> KeptDraft? {
        drafts.first { $0.draft.id == id }
    }

    /// The newest draft of a new record of the model.
    func newest(adding model: ModelSchema) -> KeptDraft? {
        drafts.first { $0.draft.isNew && $0.draft.model == model.name }
    }

    /// The draft of changes to the record.
    func draft(editing record: UUID, of model: ModelSchema) -> KeptDraft? {
        drafts.first { !$0.draft.isNew && $0.draft.model == model.name && $0.draft.record == record }
    }

    /// The draft that a newer copy, or another one of the same record, takes the place of.
    func draft(ofSameSubjectAs draft: Draft) -> KeptDraft? {
        drafts.first { kept in
            guard kept.draft.model == draft.model, kept.draft.isNew == draft.isNew else { return false }
            return draft.isNew ? kept.draft.id == draft.id : kept.draft.record == draft.record
        }
    }
}

/// A draft and the cookie that it came in.
struct KeptDraft: Sendable {
    let cookie: String
    let draft: Draft
    /// Name and value, in bytes.
    let size: Int
}
