public import Foundation

/// The circumstances of a save, which a ``SaveHook`` receives.
public struct SaveContext: Sendable, Hashable {
    /// The name of the user who saves.
    public let author: String
    /// A Boolean value that indicates whether the record is stored for the first time.
    public let isNew: Bool
    /// The id of the change set. A repeated save has the same id.
    public let changeSet: UUID
    /// The number of the commit that stored the record; nil in a hook that runs before.
    public let commit: Int64?
}
