public import Foundation

/// What is submitted: changes that are stored together or not at all.
///
/// The id makes it safe to repeat: the store keeps a receipt of each for 8 days and answers a repeat with the first
/// result, without doing anything twice.
public struct ChangeSet: Sendable, Hashable, Codable, Identifiable {
    public let id: UUID
    /// Who submits it: a user's name.
    public let author: String
    public let changes: [Change]
    /// How many records the delete rules may take along; nil for any number. Above it the store refuses with
    /// ``StoreError/needsConfirmation(_:)``, which counts them.
    public let cascadeLimit: Int?
    /// What was asked for, where hooks made something else of it. A repeat is known by what was asked: hooks need not make
    /// the same of it again.
    package let asked: [Change]?

    public init(id: UUID, author: String, changes: [Change], cascadeLimit: Int? = nil) {
        self.init(id: id, author: author, changes: changes, cascadeLimit: cascadeLimit, asked: nil)
    }

    package init(id: UUID, author: String, changes: [Change], cascadeLimit: Int?, asked: [Change]?) {
        self.id = id
        self.author = author
        self.changes = changes
        self.cascadeLimit = cascadeLimit
        self.asked = asked
    }

    /// A change set with a new id.
    public init(author: String, changes: [Change], cascadeLimit: Int? = nil) {
        self.init(id: .version7(), author: author, changes: changes, cascadeLimit: cascadeLimit)
    }
}
