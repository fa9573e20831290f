public import Foundation

/// The store's confirmation that a change set is on disk.
public struct Receipt: Sendable, Hashable, Codable {
    /// The id of the change set.
    public let changeSet: UUID

    /// The number of the commit, counted from 1 in the order of all commits.
    ///
    /// It is the new version of each record that the change set changed. A record that was saved without a difference
    /// keeps its version.
    public let commit: Int64
    /// A Boolean value that indicates whether the store had committed the change set before and repeats its first
    /// answer.
    public let isRepeat: Bool

    package init(changeSet: UUID, commit: Int64, isRepeat: Bool) {
        self.changeSet = changeSet
        self.commit = commit
        self.isRepeat = isRepeat
    }
}
