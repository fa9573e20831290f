import Synchronization

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
