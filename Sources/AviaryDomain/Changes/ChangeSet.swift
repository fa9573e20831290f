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

    public init(id: UUID, author: String, changes: [Change], cascadeLimit: Int? = nil) {
        self.id = id
        self.author = author
        self.changes = changes
        self.cascadeLimit = cascadeLimit
    }

    /// A change set with a new id.
    public init(author: String, changes: [Change], cascadeLimit: Int? = nil) {
        self.init(id: .version7(), author: author, changes: changes, cascadeLimit: cascadeLimit)
    }
}
