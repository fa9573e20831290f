public import Foundation

/// The wish to take a commit back.
public struct Undo: Sendable, Hashable, Codable, Identifiable {
    /// Of the change set that this becomes. Safe to repeat, as a ``ChangeSet``'s.
    public let id: UUID
    /// The commit to take back.
    public let commit: Int64
    /// Who takes it back: a user's name.
    public let author: String
    /// The properties that stay as they are, by model: whoever takes the commit back may not set them.
    package let leaving: [String: Set<String>]?

    public init(id: UUID, commit: Int64, author: String) {
        self.init(id: id, commit: commit, author: author, leaving: [:])
    }

    package init(id: UUID, commit: Int64, author: String, leaving: [String: Set<String>]) {
        self.id = id
        self.commit = commit
        self.author = author
        self.leaving = leaving.isEmpty ? nil : leaving
    }

    /// An undo with a new id.
    public init(commit: Int64, author: String) {
        self.init(id: .version7(), commit: commit, author: author)
    }
}
