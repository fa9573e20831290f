package import AviaryDesign
package import AviaryDomain
import Foundation

/// An undo of a series of commits of one author, newest first, with one commit for each. It stops at the first
/// conflict with a newer change.
package struct BatchUndoRun: Sendable {
    let series: ChangeSetSeries
    let scope: ActivityScope
    let history: any HistoryRepository
    let author: String
    let isGood: @Sendable () async throws -> Bool

    /// The largest number of commits that are read to find the series.
    private static let mostCommits = 10_000
    /// The duration of one step. After it, the step ends and reports its progress.
    private static let stepLimit: Duration = .seconds(1)
    /// The largest difference in seconds between the clocks of two machines.
    private static let tolerance: TimeInterval = 60

    /// Creates the undo of a series.
    ///
    /// - Parameters:
    ///   - author: The author of the commits; nil for the user. Each commit of somebody else requires the permission
    ///     to see the activity.
    ///   - isGood: A closure that returns whether the account still has the permissions that it had at the start. It
    ///     is called before each commit.
    package init(
        _ series: ChangeSetSeries, scope: ActivityScope, history: any HistoryRepository, author: String? = nil,
        isGood: @escaping @Sendable () async throws -> Bool
    ) {
        self.series = series
        self.scope = scope
        self.history = history
        self.author = author ?? scope.principal.name
        self.isGood = isGood
    }

    /// Returns the commit to start with.
    ///
    /// Returns nil if the history does not contain the complete series in today's form, the author is not allowed to undo it, or it
    /// is already undone completely.
    ///
    /// - Parameters:
    ///   - count: The number of commits in the series.
    ///   - undoneCommits: The commits that are already undone, if known.
    /// - Throws: `ReadError`.
    package func beginning(of count: Int, undoneCommits: Set<Int64>? = nil) async throws -> Int64? {
        guard case .possible(let newest) = try await state(of: count, undoneCommits: undoneCommits) else { return nil }
        return newest
    }

    /// Returns the state of the series.
    ///
    /// - Parameters:
    ///   - count: The number of commits in the series.
    ///   - undoneCommits: The commits that are already undone, if known.
    /// - Throws: `ReadError`.
    package func state(of count: Int, undoneCommits: Set<Int64>? = nil) async throws -> BatchUndoState {
        let commits = try await commits(before: nil)
        guard commits.count == count, let newest = commits.first else { return .impossible }
        let undoneCommits =
            if let undoneCommits { undoneCommits } else { try await history.undoneCommits(of: commits.map(\.number)) }
        guard undoneCommits.count < count else { return .done }
        let barrier = try await history.undoBarrier()
        guard commits.allSatisfy({ $0.number > barrier }) else { return .impossible }
        let tally = try await history.tally(of: newest.number, limit: nil)
        return UndoViewModel.isPermitted(newest, tally, scope) ? .possible(from: newest.number) : .impossible
    }

    /// Undoes as many commits as the time limit allows. The step is idempotent.
    ///
    /// - Parameters:
    ///   - number: The number of the newest commit that is still to be undone.
    ///   - done: The number of commits that were undone before.
    /// - Throws: ``AccessError``, `ReadError`.
    package func step(from number: Int64, done: Int) async throws -> BatchUndoStep {
        let deadline = ContinuousClock.now + Self.stepLimit
        var step = BatchUndoStep(done: done)
        for commit in try await commits(before: number + 1) {
            guard step.done == done || ContinuousClock.now < deadline else {
                step.next = commit.number
                return step
            }
            guard try await isGood() else {
                (step.next, step.obstacles) = (commit.number, [UndoObstacleText(AccountEndedError().description)])
                return step
            }
            let model = try await UndoViewModel(commit: commit.number, scope: scope, history: history)
            switch await model.undo(as: series.inverse.changeSet([commit.changeSet])) {
            case .undone: step.done += 1
            case .refused(let obstacles):
                (step.next, step.obstacles) = (commit.number, obstacles)
                return step
            case .stopped:
                // The series continues with this step when the person wants it to.
                step.next = commit.number
                step.obstacles = [UndoObstacleText(UndoStoppedView.text)]
                step.isStopped = true
                return step
            case .unavailable(let message, _):
                (step.next, step.obstacles, step.isTemporary) = (commit.number, [UndoObstacleText(message)], true)
                return step
            }
        }
        return step
    }

    /// Returns the commits of the series, newest first.
    private func commits(before number: Int64?) async throws -> [CommitSummary] {
        // The form of a request may name any series, also one that begins after the end of the range.
        let time = min(series.start.addingTimeInterval(-Self.tolerance), .distantFuture)..<Date.distantFuture
        let commits = try await history.commits(
            HistoryQuery(
                author: author, time: time, before: number, limit: Self.mostCommits
            ))
        return commits.filter { series.contains($0.changeSet) }
    }
}

/// The state of a series with respect to its undo.
package enum BatchUndoState: Sendable, Hashable {
    /// The series can be undone, starting with its newest commit.
    case possible(from: Int64)
    /// The series is undone completely.
    case done
    /// The history does not contain the complete series in today's form, or its author is not allowed to undo it.
    case impossible
}

/// The progress of undoing a series.
package struct BatchUndoStep: Sendable, Hashable {
    package var done: Int
    /// The next commit; nil if all of them are undone.
    var next: Int64?
    /// The conflicts that block the next commit.
    var obstacles: [UndoObstacleText] = []
    /// Indicates whether the obstacle is temporary and the step can be retried.
    package var isTemporary = false
    /// Indicates whether a person stopped the next commit's undo.
    var isStopped = false

    package var isRefused: Bool { !obstacles.isEmpty }
}

/// The page with the progress of undoing a series and the form that continues it.
package struct BatchUndoView: Component {
    let step: BatchUndoStep
    let series: ChangeSetSeries
    let csrf: String
    let backHref: String

    package init(step: BatchUndoStep, series: ChangeSetSeries, csrf: String, backHref: String) {
        self.step = step
        self.series = series
        self.csrf = csrf
        self.backHref = backHref
    }

    private static let mostObstacles = 3

    package var title: String { step.next == nil ? localized("Undid all steps") : localized("Undoing…") }

    package func render(into html: inout HTML) {
        let isFinished = step.next == nil
        html.render(
            BatchStatus(
                title: title, text: text, problem: problem, links: links, isFinished: isFinished,
                action: step.next.map(ActivityPaths.undo) ?? "", csrf: csrf,
                hidden: Self.fields(series, done: step.done, returningTo: backHref),
                backTitle: isFinished ? localized("Go back") : localized("Stop"), backHref: backHref
            ))
    }

    private var text: String {
        step.next == nil
            ? localized(step.done, one: "Undid 1 step.", other: "Undid \(step.done) steps.")
            : localized(
                step.done, one: "Undid 1 step so far.", other: "Undid \(step.done) steps so far.")
    }

    private var namedObstacles: ArraySlice<UndoObstacleText> { step.obstacles.prefix(Self.mostObstacles) }

    private var problem: String? {
        guard step.isRefused else { return nil }
        let sentences = namedObstacles.map(\.sentence).joined(separator: " ")
        if step.isStopped { return localized("This step was stopped.") + " " + sentences }
        return step.isTemporary
            ? sentences : localized("Stopped here: newer changes are never overwritten.") + " " + sentences
    }

    private var links: [LinkedText.Link] {
        namedObstacles.compactMap { obstacle in obstacle.href.map { LinkedText.Link(obstacle.sentence, href: $0) } }
    }

    /// Returns the fields of the form that undoes a series.
    package static func fields(_ series: ChangeSetSeries, done: Int = 0, returningTo back: String) -> [(String, String)]
    {
        [("series", series.id.canonicalText), ("done", String(done)), ("return", back)]
    }
}
