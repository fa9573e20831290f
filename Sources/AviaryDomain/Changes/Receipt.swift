public import Foundation

/// The store's word that a change set is on disk.
public struct Receipt: Sendable, Hashable, Codable {
    public let changeSet: UUID
    /// The change set's number in the order of all commits, from 1. The version of each record that it changed; a record
    /// that was saved as it was keeps the version that it had.
    public let commit: Int64
    /// Whether this repeats an earlier answer: the change set had been stored before.
    public let isRepeat: Bool

    package init(changeSet: UUID, commit: Int64, isRepeat: Bool) {
        self.changeSet = changeSet
        self.commit = commit
        self.isRepeat = isRepeat
    }
}
