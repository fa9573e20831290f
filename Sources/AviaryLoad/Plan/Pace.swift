/// When actions are meant to begin.
protocol Pace: Sendable {
    /// Waits until the next action is due.
    ///
    /// - Returns: the moment at which it was meant to begin, which may have passed; nil when the run is over.
    func next() async -> ContinuousClock.Instant?
    /// Actions that were due and that no connection was free to begin.
    var unsent: Int { get }
}

/// The next action begins when the last is done.
struct ClosedLoop: Pace {
    let end: ContinuousClock.Instant

    func next() async -> ContinuousClock.Instant? {
        let now = ContinuousClock.now
        return now < end && !Task.isCancelled ? now : nil
    }

    var unsent: Int { 0 }
}
