public import Foundation

/// A request to undo a commit.
public struct Undo: Sendable, Hashable, Codable, Identifiable {
    /// The id of the change set that the undo becomes. As with a ``ChangeSet``, sending the same undo again is safe.
    public let id: UUID
    /// The number of the commit to undo.
    public let commit: Int64
    /// The name of the user in whose name the commit is undone.
    public let author: String
    /// The properties that stay as they are, by model: whoever takes the commit back may not set them.
    package let leaving: [String: Set<String>]?

    /// Creates an undo with a given id.
    ///
    /// - Parameters:
    ///   - id: The id of the change set that the undo becomes.
    ///   - commit: The number of the commit to undo.
    ///   - author: The name of the user in whose name the commit is undone.
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
    ///   - author: The name of the user in whose name the commit is undone.
    public init(commit: Int64, author: String) {
        self.init(id: .version7(), commit: commit, author: author)
    }
}
