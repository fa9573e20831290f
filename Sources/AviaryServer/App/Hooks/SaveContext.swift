public import Foundation

/// What a ``SaveHook`` is told about a save.
public struct SaveContext: Sendable, Hashable {
    /// Who saves.
    public let author: String
    /// Whether the record is stored for the first time.
    public let isNew: Bool
    /// The change set's id: the same when a save is repeated.
    public let changeSet: UUID
    /// The commit that stored it; nil before.
    public let commit: Int64?
}
