package import AviaryDomain
package import Foundation

/// All that one commit did, as far as somebody may see it.
package struct CommitViewModel: Sendable {
    package let story: CommitStory
    let words: ChangeWords
    let scope: ActivityScope
    let after: Int64?
    /// Where the next page begins.
    let next: Int64?
    let now: Date

    private static let pageSize = 50

    /// - Parameter number: Where the page before ended: a change's number.
    /// - Throws: ``AccessRefusal``: `hidden` when there is no such commit, or nothing in it may be seen; `ReadError`.
    package init(
        _ commit: Int64, after number: Int64?, scope: ActivityScope, history: any HistoryRepository, at now: Date
    ) async throws {
        try scope.principal.check(.activity)
        guard let summary = try await history.commit(commit) else { throw AccessRefusal.hidden }
        let story = try await CommitStory(
            summary, in: scope, history: history, after: number, limit: Self.pageSize + 1, counting: nil
        )
        guard story.count > 0 else { throw AccessRefusal.hidden }
        next = story.changes.count > Self.pageSize ? story.changes[Self.pageSize - 1].number : nil
        self.story = CommitStory(
            summary, tally: story.tally, changes: Array(story.changes.prefix(Self.pageSize)), isCapped: false, canUndo: story.canUndo
        )
        words = try await ChangeWords(self.story.changes, in: scope)
        after = number
        self.scope = scope
        self.now = now
    }
}
