public import Foundation

/// What stands against taking a commit back. Nothing newer is ever overwritten.
///
/// More cases may be added: match the ones you handle and treat the rest by ``description``.
public enum UndoObstacle: Sendable, Hashable, Codable {
    /// The history does not have the commit: it is too old, changed nothing, or its models are not kept.
    case notInHistory
    /// The commit also changed records whose history is not kept; the rest alone would be another state.
    case partlyRecorded
    /// The models were changed since in a way that its values do not fit any more.
    case beforeMigration
    /// More changes than one commit takes back: so many.
    case tooLarge(changes: Int)
    /// A newer commit changed the same property; nil when the history does not tell which.
    case changedSince(model: String, id: UUID, property: String, commit: Int64?)
    /// The record is gone.
    case deletedSince(model: String, id: UUID)
    /// The record was deleted and is there again.
    case insertedSince(model: String, id: UUID)
    /// Another record has the unique value meanwhile.
    case valueTaken(model: String, id: UUID, property: String, by: UUID)
    /// What the record referred to is gone.
    case missingReference(model: String, id: UUID, property: String)
    /// Records that refer to one that would go.
    case referenced(model: String, by: String, count: Int)
    /// What the property held is secret, and so not in the history.
    case secret(model: String, id: UUID, property: String)
    /// The program has no such model any more.
    case unknownModel(String)
    /// All that it changed are properties that whoever takes it back may not set.
    case notPermitted
}

extension UndoObstacle: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notInHistory:
            "The history does not have it: it is too old, or nothing was changed that the history keeps."
        case .partlyRecorded: "It also changed records whose history is not kept."
        case .beforeMigration: "The models have changed since, and its values do not fit them any more."
        case .tooLarge(let changes):
            "It made \(changes) changes, more than can be taken back at once. Restore a backup instead."
        case .changedSince(let model, _, let property, let commit):
            "\(property) of this \(model) was changed again" + (commit.map { " by commit \($0)." } ?? ".")
        case .deletedSince(let model, _): "This \(model) was deleted in the meantime."
        case .insertedSince(let model, _): "This \(model) is there again."
        case .valueTaken(let model, _, let property, _): "Another \(model) has this \(property) now."
        case .missingReference(let model, _, let property): "What \(property) of this \(model) pointed to is gone."
        case .referenced(let model, let other, let count): "\(count) \(other) refer to this \(model) now."
        case .secret(let model, _, let property):
            "\(property) of this \(model) is secret: the history tells that there was a value, and not which."
        case .notPermitted: "It changed nothing but what your role may not set."
        case .unknownModel(let model): "There is no model \(model) any more."
        }
    }
}
