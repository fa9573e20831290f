package import AviaryDomain

/// All that one commit did, as far as somebody may see it.
package struct CommitViewModel: Sendable {
    package let story: CommitStory
    let words: ChangeWords
    let scope: ActivityScope
    let after: Int64?
    /// Where the next page begins.
    let next: Int64?

    private static let pageSize = 50

    /// - Parameter number: Where the page before ended: a change's number.
    /// - Throws: ``AccessRefusal``: `hidden` when there is no such commit, or nothing in it may be seen; `ReadError`.
    package init(
        _ commit: Int64, after number: Int64?, scope: ActivityScope, history: any HistoryRepository
    ) async throws {
        try scope.principal.check(.activity)
        guard let summary = try await history.commit(commit) else { throw AccessRefusal.hidden }
        let all = try await history.tally(of: commit, limit: nil)
        let visible = all.filter { scope.models.contains($0.model) }
        guard !visible.isEmpty else { throw AccessRefusal.hidden }
        let changes = try await history.changes(
            of: commit, models: scope.models, after: number, limit: Self.pageSize + 1)
        next = changes.count > Self.pageSize ? changes.prefix(Self.pageSize).last?.number : nil
        story = CommitStory(
            summary, tally: visible, changes: Array(changes.prefix(Self.pageSize)), isCapped: false,
            canUndo: UndoViewModel.isPermitted(summary, all, scope)
        )
        words = try await ChangeWords(story.changes, in: scope, history: history)
        after = number
        self.scope = scope
    }
}
