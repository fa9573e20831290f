import Histogram

/// A run cut into intervals of equal length.
struct Timeline: Sendable {
    struct Interval: Sendable {
        var requests = 0
        var actions = Latencies.histogram(.two)

        /// In milliseconds; nil when no action ended here.
        func latency(_ percentile: Double) -> Double? {
            actions.totalCount == 0 ? nil : Double(actions.valueAtPercentile(percentile)) / 1000
        }
    }

    let length: Duration
    private(set) var intervals: [Interval] = []
    private static let mostIntervals = 120
    private static let shortest = Duration.milliseconds(100)

    init(duration: Duration) {
        length = max(Self.shortest, duration / Self.mostIntervals)
    }

    /// - Parameter time: since the start of the run.
    mutating func countRequest(at time: Duration) {
        guard let index = index(of: time) else { return }
        intervals[index].requests += 1
    }

    mutating func recordAction(_ microseconds: UInt64, at time: Duration) {
        guard let index = index(of: time) else { return }
        intervals[index].actions.record(microseconds)
    }

    /// What ends long after the load has no interval: it would only stretch the picture.
    private mutating func index(of time: Duration) -> Int? {
        let index = Int(time / length)
        guard index >= 0, index < 2 * Self.mostIntervals else { return nil }
        while intervals.count <= index { intervals.append(Interval()) }
        return index
    }
}
