import AviaryDomain
import Foundation

/// A change set made ready for the store: everything that needs no file is done before it queues for the writer.
struct Submission: Sendable {
    let id: UUID
    let idText: String
    let fingerprint: [UInt8]
    let author: String
    /// The commit that it takes back.
    let undoes: Int64?
    /// Or what stands against it. A receipt comes first, so this is only told to those that have none.
    let steps: Result<[Step], StoreError>
    let cascadeLimit: Int?
    /// About what it holds in memory.
    let bytes: Int

    init(_ changeSet: ChangeSet, tables: ModelTables) {
        id = changeSet.id
        idText = changeSet.id.canonicalText
        fingerprint = changeSet.fingerprint
        author = changeSet.author
        undoes = nil
        cascadeLimit = changeSet.cascadeLimit
        bytes = changeSet.changes.reduce(100) { $0 + $1.bytes }
        steps = Result { () throws(StoreError) in try Step.steps(of: changeSet.changes, tables: tables) }
    }

    /// The inverse of a commit, ready to be applied.
    init(_ undo: Undo, inverse: [Step]) {
        id = undo.id
        idText = undo.id.canonicalText
        fingerprint = undo.fingerprint
        author = undo.author
        undoes = undo.commit
        cascadeLimit = nil
        bytes = 0
        steps = .success(inverse)
    }

    /// The number of its changes, as a measure of the work.
    var size: Int {
        switch steps {
        case .success(let steps): steps.count
        case .failure: 1
        }
    }
}

extension Change {
    fileprivate var bytes: Int {
        switch self {
        case .insert(_, _, let values), .update(_, _, _, let values): values.values.reduce(100) { $0 + $1.bytes }
        case .delete, .link, .unlink: 100
        }
    }
}

extension FieldValue {
    fileprivate var bytes: Int {
        switch self {
        case .text(let text): 32 + text.utf8.count
        case .blob(let blob): 32 + blob.count
        case .null, .integer, .real: 32
        }
    }
}
