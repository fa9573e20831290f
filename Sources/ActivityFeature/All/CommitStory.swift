package import AviaryDomain
import Foundation

/// A commit as far as somebody may see it: how many changes of each kind, and the first of them.
package struct CommitStory: Sendable {
    package let commit: CommitSummary
    /// Of what may be seen.
    let tally: [ChangeTally]
    /// The first of those that may be seen.
    package let changes: [RecordChange]
    /// Whether there is more than was counted.
    let isCapped: Bool
    let canUndo: Bool

    /// Changes that are told where many commits are.
    static let mostChanges = 3
    /// Changes that are counted where many commits are: 50 of them cost some milliseconds.
    static let mostCounted = 1000

    init(_ outline: CommitOutline, in scope: ActivityScope) {
        let visible = outline.tally.filter { scope.models.contains($0.model) }
        self.init(
            // What may be seen may stand behind all that was counted.
            outline.commit,
            tally: visible.map(\.count).reduce(0, +) < outline.changes.count ? outline.changes.tally : visible,
            // How much there is that may not be seen must not be told either.
            changes: outline.changes, isCapped: outline.hasMore,
            canUndo: UndoViewModel.isPermitted(outline.commit, outline.tally, scope)
        )
    }

    /// Stories of these commits, by their numbers; without those that the history does not have any more.
    ///
    /// - Parameter limit: At most so many changes of each are told.
    /// - Throws: `ReadError`.
    static func read(
        _ commits: [Int64], in scope: ActivityScope, history: any HistoryRepository, limit: Int = mostChanges
    ) async throws -> [Int64: CommitStory] {
        try await history.outlines(of: commits, models: scope.models, changes: limit, counting: mostCounted)
            .mapValues { CommitStory($0, in: scope) }
    }

    init(_ commit: CommitSummary, tally: [ChangeTally], changes: [RecordChange], isCapped: Bool, canUndo: Bool) {
        self.commit = commit
        self.tally = tally
        self.changes = changes
        self.isCapped = isCapped
        self.canUndo = canUndo
    }

    /// How many changes were counted.
    var count: Int { tally.map(\.count).reduce(0, +) }
}
