import Synchronization

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
final class ClosedLoop: Pace {
    private let start: ContinuousClock.Instant
    private let end: ContinuousClock.Instant
    private let least: Int
    private let begun = Atomic<Int>(0)

    /// - Parameter least: so many actions are begun, also where that takes longer.
    init(start: ContinuousClock.Instant, end: ContinuousClock.Instant, least: Int = 0) {
        self.start = start
        self.end = end
        self.least = least
    }

    func next() async -> ContinuousClock.Instant? {
        if start > .now { try? await ContinuousClock().sleep(until: start) }  // cancelled: seen below
        let number = begun.wrappingAdd(1, ordering: .relaxed).oldValue
        let now = ContinuousClock.now
        return (now < end || number < least) && !Task.isCancelled ? now : nil
    }

    var unsent: UnsentTurns { (0..<0).lazy.map { _ in .zero } }
}
