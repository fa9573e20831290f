/// A commit with the first of its changes, and how many there are of each kind.
package struct CommitOutline: Sendable, Hashable {
    package let commit: CommitSummary
    /// The first, of the models that were asked for.
    package let changes: [RecordChange]
    /// Of the first changes, as many as were to be counted, of whatever model.
    package let tally: [ChangeTally]
    /// Whether changes of the models that were asked for stand behind all that was counted and all that is among the first.
    package let hasMore: Bool

    package init(commit: CommitSummary, changes: [RecordChange], tally: [ChangeTally], hasMore: Bool) {
        self.commit = commit
        self.changes = changes
        self.tally = tally
        self.hasMore = hasMore
    }
}
