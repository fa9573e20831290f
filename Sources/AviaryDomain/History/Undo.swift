public import Foundation

/// A request to undo a commit.
public struct Undo: Sendable, Hashable, Codable, Identifiable {
    /// The id of the change set that the undo becomes. As with a ``ChangeSet``, sending the same undo again is safe.
    public let id: UUID
    /// The number of the commit to undo.
    public let commit: Int64
    /// The name of the user on whose behalf the commit is undone.
    public let author: String
    /// The properties that the undo leaves unchanged because the user may not set them, by model.
    package let leaving: [String: Set<String>]?

    /// Creates an undo with a given id.
    ///
    /// - Parameters:
    ///   - id: The id of the change set that the undo becomes.
    ///   - commit: The number of the commit to undo.
    ///   - author: The name of the user on whose behalf the commit is undone.
    public init(id: UUID, commit: Int64, author: String) {
        self.init(id: id, commit: commit, author: author, leaving: [:])
    }

    package init(id: UUID, commit: Int64, author: String, leaving: [String: Set<String>]) {
        self.id = id
        self.commit = commit
        self.author = author
        self.leaving = leaving.isEmpty ? nil : leaving
    }

    /// Creates an undo with a new id.
    ///
    /// - Parameters:
    ///   - commit: The number of the commit to undo.
    ///   - author: The name of the user on whose behalf the commit is undone.
    public init(commit: Int64, author: String) {
        self.init(id: .version7(), commit: commit, author: author)
    }
}

/// A reason for which a commit cannot be undone. An undo never overwrites newer changes.
///
/// Later versions may add cases. Match the cases that you handle, and use ``description`` for the others.
public enum UndoObstacle: Sendable, Hashable, Codable {
    /// A commit that the history does not contain: it is too old, it changed nothing, or the history excludes its
    /// models.
    case notInHistory
    /// A commit that also changed records whose history is not kept. Undoing only the rest would produce a state
    /// that never existed.
    case partlyRecorded
    /// A commit whose earlier values no longer fit the models, because these have changed since.
    case beforeMigration
    /// A commit with `changes` changes, which are more than one undo can reverse.
    case tooLarge(changes: Int)
    /// A later commit that changed the same property; `commit` is nil when the history does not say which.
    case changedSince(model: String, id: UUID, property: String, commit: Int64?)
    /// A record that was deleted after the commit.
    case deletedSince(model: String, id: UUID)
    /// A record that the commit deleted and that exists again.
    case insertedSince(model: String, id: UUID)
    /// Another record that has the unique value now.
    case valueTaken(model: String, id: UUID, property: String, by: UUID)
    /// A deleted record that the property referred to.
    case missingReference(model: String, id: UUID, property: String)
    /// Records that refer to a record that the undo would delete.
    case referenced(model: String, by: String, count: Int)
    /// A secret property, whose earlier value the history does not contain.
    case secret(model: String, id: UUID, property: String)
    /// A model that the program no longer declares.
    case unknownModel(String)
    /// A commit all of whose changes concern properties that the user may not set.
    case notPermitted
}

extension UndoObstacle: CustomStringConvertible {
    /// A sentence that describes the obstacle.
    public var description: String {
        switch self {
        case .notInHistory:
            "The history does not contain it: it is too old, or it changed no model with history."
        case .partlyRecorded: "It also changed records without history."
        case .beforeMigration: "The models have changed since, and its values no longer fit."
        case .tooLarge(let changes):
            "It made \(changes) changes, too many to undo at once. Restore a backup instead."
        case .changedSince(let model, _, let property, let commit):
            "\(property) of this \(model) was changed again" + (commit.map { " by commit \($0)." } ?? ".")
        case .deletedSince(let model, _): "This \(model) was deleted in the meantime."
        case .insertedSince(let model, _): "This \(model) is there again."
        case .valueTaken(let model, _, let property, _): "Another \(model) has this \(property) now."
        case .missingReference(let model, _, let property): "What \(property) of this \(model) pointed to is gone."
        case .referenced(let model, let other, let count): "\(count) \(other) refer to this \(model) now."
        case .secret(let model, _, let property):
            "\(property) of this \(model) is secret, so the history does not contain its values."
        case .notPermitted: "Your role does not allow changing any of its properties."
        case .unknownModel(let model): "There is no model \(model) any more."
        }
    }
}
