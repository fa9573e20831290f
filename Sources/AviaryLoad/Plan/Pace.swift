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

/// Actions begin at a steady rate, whatever the server does.
///
/// A connection that comes late to its turn gets the moment at which the turn was due. Latency that is measured from
/// there holds the time in the queue too: a server that stalls cannot hide it by keeping clients from asking
/// ("coordinated omission").
final class OpenLoop: Pace {
    private let start: ContinuousClock.Instant
    private let end: ContinuousClock.Instant
    private let rate: Double
    private let turns: Int
    private let taken = Atomic<Int>(0)

    init(start: ContinuousClock.Instant, duration: Duration, rate: Double) {
        self.start = start
        self.rate = rate
        end = start + duration
        turns = max(1, Int((duration / .seconds(1) * rate).rounded(.up)))
    }

    func intendedStart(of turn: Int) -> ContinuousClock.Instant {
        start + .seconds(Double(turn) / rate)
    }

    func next() async -> ContinuousClock.Instant? {
        guard ContinuousClock.now < end, !Task.isCancelled else { return nil }
        let number = taken.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < turns else { return nil }
        let due = intendedStart(of: number)
        guard ContinuousClock.now < due else { return due }
        do {
            try await ContinuousClock().sleep(until: due, tolerance: .zero)
        } catch {
            return nil  // cancelled: the run is over
        }
        return due
    }

    var unsent: UnsentTurns {
        let first = min(turns, taken.load(ordering: .relaxed))
        return (first..<turns).lazy.map { [end, start, rate] turn in end - (start + .seconds(Double(turn) / rate)) }
    }
}
