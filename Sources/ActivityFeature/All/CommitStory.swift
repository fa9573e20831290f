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

    /// - Parameter counting: How many changes are counted; nil for all.
    /// - Throws: `ReadError`.
    init(
        _ commit: CommitSummary, in scope: ActivityScope, history: any HistoryRepository, after number: Int64? = nil,
        limit: Int = mostChanges, counting: Int? = mostCounted
    ) async throws {
        let changes = try await history.changes(of: commit.number, models: scope.models, after: number, limit: limit)
        // What was read anyhow need not be counted.
        let shown = changes.map { ChangeTally(model: $0.model, kind: $0.kind, count: 1) }.summed
        let all = number == nil && changes.count == commit.changes
            ? shown : try await history.tally(of: commit.number, limit: counting)
        let visible = all.filter { scope.models.contains($0.model) }
        self.init(
            // What may be seen may stand behind all that was counted.
            commit, tally: visible.map(\.count).reduce(0, +) < changes.count ? shown : visible, changes: changes,
            isCapped: try await Self.hasMore(commit, than: counting, and: changes.last, in: scope, history),
            canUndo: UndoViewModel.isPermitted(commit, all, scope)
        )
    }

    /// Whether there is more to be seen than was counted: how much there is that may not be seen must not be told either.
    private static func hasMore(
        _ commit: CommitSummary, than counted: Int?, and shown: RecordChange?, in scope: ActivityScope, _ history: any HistoryRepository
    ) async throws -> Bool {
        guard let counted, commit.changes > counted,
              let first = try await history.changes(of: commit.number, after: nil, limit: 1).first
        else { return false }
        let last = max(first.number + Int64(counted) - 1, shown?.number ?? 0)
        return try await !history.changes(of: commit.number, models: scope.models, after: last, limit: 1).isEmpty
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

extension [ChangeTally] {
    /// One of each model and kind.
    fileprivate var summed: [ChangeTally] {
        var counts: [ChangeTally] = []
        for part in self {
            if let index = counts.firstIndex(where: { $0.model == part.model && $0.kind == part.kind }) {
                counts[index] = ChangeTally(model: part.model, kind: part.kind, count: counts[index].count + part.count)
            } else {
                counts.append(part)
            }
        }
        return counts
    }
}
