public import Foundation

/// The unit of writing: changes that the store commits together or not at all.
///
/// The id makes a change set idempotent. The store keeps a receipt of each change set for 8 days, and answers a
/// repetition with the first result without applying it again.
public struct ChangeSet: Sendable, Hashable, Codable, Identifiable {
    /// The id of the change set, by which the store recognizes a repetition.
    public let id: UUID
    /// The name of the user in whose name the changes are made.
    public let author: String
    /// The changes.
    ///
    /// The store applies them in their order, except that it applies all deletes together at the place of the first.
    public let changes: [Change]

    /// The greatest number of further records that the delete rules may delete; nil for no limit.
    ///
    /// When a delete exceeds it, the store rejects the change set with ``StoreError/needsConfirmation(_:)``, which
    /// contains the counts.
    public let cascadeLimit: Int?

    /// The requested changes, where hooks have replaced them; nil otherwise.
    ///
    /// The store recognizes a repetition by the requested changes, because hooks need not produce the same changes
    /// again.
    package let asked: [Change]?

    /// Creates a change set with a given id.
    ///
    /// - Parameters:
    ///   - id: The id of the change set. Use the same id and the same changes to repeat it.
    ///   - author: The name of the user in whose name the changes are made.
    ///   - changes: The changes, in the order in which the store applies them. See ``changes``.
    ///   - cascadeLimit: The greatest number of further records that the delete rules may delete; nil for no limit.
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

    /// Creates a change set with a new id.
    ///
    /// - Parameters:
    ///   - author: The name of the user in whose name the changes are made.
    ///   - changes: The changes, in the order in which the store applies them. See ``changes``.
    ///   - cascadeLimit: The greatest number of further records that the delete rules may delete; nil for no limit.
    public init(author: String, changes: [Change], cascadeLimit: Int? = nil) {
        self.init(id: .version7(), author: author, changes: changes, cascadeLimit: cascadeLimit)
    }
}
