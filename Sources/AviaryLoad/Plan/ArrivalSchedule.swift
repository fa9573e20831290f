import Synchronization

/// A source of the moments at which actions begin.
protocol ArrivalSchedule: Sendable {
    /// Waits until the next action is due.
    ///
    /// - Returns: The moment at which the action was due, which may have passed; nil when the run has ended.
    func next() async -> ContinuousClock.Instant?
    /// The actions that were due and that no connection was free to begin, each with the time that it had waited at
    /// the end.
    var unsent: UnsentTurns { get }
}

/// The waiting times of the unsent actions, computed lazily because there may be a hundred million.
typealias UnsentTurns = LazyMapCollection<Range<Int>, Duration>

/// A pace at which the next action begins when the previous one ends.
final class ClosedLoop: ArrivalSchedule {
    private let start: ContinuousClock.Instant
    private let end: ContinuousClock.Instant
    private let least: Int
    private let begun = Atomic<Int>(0)

    /// Creates a closed loop.
    ///
    /// - Parameter least: The minimum number of actions, which the loop begins even after `end`.
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

/// A pace at which actions begin at a constant rate, whatever the server does.
///
/// A connection that is late receives the moment at which its action was due. Latency measured from that moment
/// includes the time in the queue, so a server that stalls cannot hide the stall by blocking its clients
/// ("coordinated omission").
final class OpenLoop: ArrivalSchedule {
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
