/// When actions are meant to begin.
protocol Pace: Sendable {
    /// Waits until the next action is due; nil when the run is over.
    func next() async -> Turn?
    /// Actions that were due and that no connection was free to begin: how long each had waited at the end.
    var unsent: [Duration] { get }
}

/// One action's turn.
struct Turn: Sendable, Hashable {
    /// When it was meant to begin, which may have passed.
    let due: ContinuousClock.Instant
    /// How late it begins although a connection waited for it, which only the client is to blame for; nil when none did.
    var lateness: Duration?
}

/// The next action begins when the last is done.
struct ClosedLoop: Pace {
    let start: ContinuousClock.Instant
    let end: ContinuousClock.Instant

    func next() async -> Turn? {
        if start > .now { try? await ContinuousClock().sleep(until: start) }  // cancelled: seen below
        let now = ContinuousClock.now
        return now < end && !Task.isCancelled ? Turn(due: now) : nil
    }

    var unsent: [Duration] { [] }
}
