/// A commit with the first of its changes, and how many there are of each kind.
package struct CommitOutline: Sendable, Hashable {
    package let commit: CommitSummary
    /// The first, of the models that were asked for.
    package let changes: [RecordChange]
    /// The counts of the first changes, up to the requested number, of all models.
    package let tally: [ChangeTally]
    /// A Boolean value that indicates whether changes of the requested models follow all that were counted or are among
    /// the first.
    package let hasMore: Bool

    package init(commit: CommitSummary, changes: [RecordChange], tally: [ChangeTally], hasMore: Bool) {
        self.commit = commit
        self.changes = changes
        self.tally = tally
        self.hasMore = hasMore
    }
}
