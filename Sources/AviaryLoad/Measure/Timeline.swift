import Histogram

/// A run, divided into intervals of equal length.
struct Timeline: Sendable {
    struct Interval: Sendable {
        var requests = 0
        var failed = 0
        var actions = Latencies.histogram(.two)

        /// Returns a percentile in milliseconds; nil when no action ended in the interval.
        func latency(_ percentile: Double) -> Double? {
            actions.totalCount == 0 ? nil : actions.milliseconds(percentile)
        }
    }

    let length: Duration
    private(set) var intervals: [Interval] = []
    private static let mostIntervals = 120
    private static let shortest = Duration.milliseconds(100)

    init(duration: Duration) {
        length = max(Self.shortest, duration / Self.mostIntervals)
    }

    /// Counts a request.
    ///
    /// - Parameter time: The time since the start of the run.
    mutating func countRequest(at time: Duration, failed: Bool = false) {
        guard let index = index(of: time) else { return }
        intervals[index].requests += 1
        if failed { intervals[index].failed += 1 }
    }

    mutating func recordAction(_ microseconds: UInt64, at time: Duration) {
        guard let index = index(of: time) else { return }
        intervals[index].actions.record(min(max(1, microseconds), Latencies.longest))
    }

    /// Adds a timeline with the same interval length.
    mutating func add(_ other: Timeline) {
        for (index, interval) in other.intervals.enumerated() {
            if index >= intervals.count { intervals.append(Interval()) }
            intervals[index].requests += interval.requests
            intervals[index].failed += interval.failed
            intervals[index].actions.add(interval.actions)
        }
    }

    /// Returns the index of an interval; nil for a time long after the load, which would only stretch the plot.
    private mutating func index(of time: Duration) -> Int? {
        guard time >= .zero else { return nil }
        let index = Int(time / length)
        guard index < 2 * Self.mostIntervals else { return nil }
        while intervals.count <= index { intervals.append(Interval()) }
        return index
    }
}

extension Timeline: Codable {
    private enum CodingKeys: String, CodingKey {
        case length, intervals
    }

    private struct IntervalValues: Codable {
        let requests: Int
        let failed: Int
        let actions: HistogramValues
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        length = try container.decode(Duration.self, forKey: .length)
        intervals = try container.decode([IntervalValues].self, forKey: .intervals).map {
            Interval(requests: $0.requests, failed: $0.failed, actions: $0.actions.histogram(.two))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(length, forKey: .length)
        try container.encode(
            intervals.map {
                IntervalValues(requests: $0.requests, failed: $0.failed, actions: HistogramValues($0.actions))
            },
            forKey: .intervals
        )
    }
}
