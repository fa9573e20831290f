package import AviaryDomain
import Foundation

/// Takes back what a series of somebody's own commits did, the newest first, each by a step of its own. It stops where something
/// newer stands against it.
package struct SeriesUndo: Sendable {
    let series: ChangeSetSeries
    let scope: ActivityScope
    let history: any HistoryRepository
    let isGood: @Sendable () async throws -> Bool

    /// So much of what its author did since it began is looked through.
    private static let mostCommits = 10_000
    /// For so long one step works before it tells how far it has come.
    private static let stepLimit: Duration = .seconds(1)
    /// By so much clocks of one machine and another may differ.
    private static let tolerance: TimeInterval = 60

    /// - Parameter isGood: Whether the account may still do what it might when it began, asked before each commit.
    package init(
        _ series: ChangeSetSeries, scope: ActivityScope, history: any HistoryRepository,
        isGood: @escaping @Sendable () async throws -> Bool
    ) {
        self.series = series
        self.scope = scope
        self.history = history
        self.isGood = isGood
    }

    /// The commit to begin with; nil where the history does not have all of it, its author may not take it back, or all of it was.
    ///
    /// - Parameters:
    ///   - count: Of the commits that it has.
    ///   - takenBack: Which of them are, where it is known.
    /// - Throws: `ReadError`.
    package func beginning(of count: Int, takenBack: Set<Int64>? = nil) async throws -> Int64? {
        guard case .possible(let newest) = try await state(of: count, takenBack: takenBack) else { return nil }
        return newest
    }

    /// Whether it can be taken back.
    ///
    /// - Parameters:
    ///   - count: Of the commits that it has.
    ///   - takenBack: Which of them are, where it is known.
    /// - Throws: `ReadError`.
    package func state(of count: Int, takenBack: Set<Int64>? = nil) async throws -> SeriesUndoState {
        let commits = try await commits(before: nil)
        guard commits.count == count, let newest = commits.first else { return .impossible }
        let takenBack = if let takenBack { takenBack } else { try await history.takenBack(of: commits.map(\.number)) }
        guard takenBack.count < count else { return .done }
        let tally = try await history.tally(of: newest.number, limit: nil)
        return UndoViewModel.isPermitted(newest, tally, scope) ? .possible(from: newest.number) : .impossible
    }

    /// Takes back as many as there is time for. The same step once more does nothing twice.
    ///
    /// - Parameters:
    ///   - number: Of the newest commit that is still to be taken back.
    ///   - done: How many were taken back before.
    /// - Throws: ``AccessRefusal``, `ReadError`.
    package func step(from number: Int64, done: Int) async throws -> SeriesUndoStep {
        let deadline = ContinuousClock.now + Self.stepLimit
        var step = SeriesUndoStep(done: done)
        for commit in try await commits(before: number + 1) {
            guard step.done == done || ContinuousClock.now < deadline else {
                step.next = commit.number
                return step
            }
            guard try await isGood() else {
                (step.next, step.obstacles) = (commit.number, [UndoObstacleText(AccountEnded().description)])
                return step
            }
            let model = try await UndoViewModel(commit: commit.number, scope: scope, history: history)
            switch await model.undo(as: series.inverse.changeSet([commit.changeSet])) {
            case .undone: step.done += 1
            case .refused(let obstacles):
                (step.next, step.obstacles) = (commit.number, obstacles)
                return step
            case .unavailable(let message, _):
                (step.next, step.obstacles, step.isTemporary) = (commit.number, [UndoObstacleText(message)], true)
                return step
            }
        }
        return step
    }

    /// Newest first.
    private func commits(before number: Int64?) async throws -> [CommitSummary] {
        let time = series.start.addingTimeInterval(-Self.tolerance)..<Date.distantFuture
        let commits = try await history.commits(
            HistoryQuery(
                author: scope.principal.name, time: time, before: number, limit: Self.mostCommits
            ))
        return commits.filter { series.contains($0.changeSet) }
    }
}

/// Whether a series can be taken back.
package enum SeriesUndoState: Sendable, Hashable {
    /// The newest commit comes first.
    case possible(from: Int64)
    /// All of it was.
    case done
    /// The history does not have all of it, or its author may not.
    case impossible
}

/// How far a series is taken back.
package struct SeriesUndoStep: Sendable, Hashable {
    var done: Int
    /// The commit that comes next; nil when all of them are taken back.
    var next: Int64?
    /// What stands against that one.
    var obstacles: [UndoObstacleText] = []
    /// Whether nothing stands against it but the moment.
    package var isTemporary = false

    package var isRefused: Bool { !obstacles.isEmpty }
}
