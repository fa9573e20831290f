/// When actions are meant to begin.
protocol Pace: Sendable {
    /// Waits until the next action is due.
    ///
    /// - Returns: when it was meant to begin, which may have passed; nil when the run is over.
    func next() async -> ContinuousClock.Instant?
    /// Actions that were due and that no connection was free to begin: how long each had waited at the end.
    var unsent: UnsentTurns { get }
}

/// Made one by one: there may be a hundred million.
typealias UnsentTurns = LazyMapCollection<Range<Int>, Duration>

/// The next action begins when the last is done.
struct ClosedLoop: Pace {
    let start: ContinuousClock.Instant
    let end: ContinuousClock.Instant

    func next() async -> ContinuousClock.Instant? {
        if start > .now { try? await ContinuousClock().sleep(until: start) }  // cancelled: seen below
        let now = ContinuousClock.now
        return now < end && !Task.isCancelled ? now : nil
    }

    var unsent: UnsentTurns { (0..<0).lazy.map { _ in .zero } }
}
