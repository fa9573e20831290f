import Histogram
import NIOCore
import Synchronization

/// A recorder that collects the measurements of all browsers of this process.
final class Recorder: Sendable {
    fileprivate struct State {
        var measurements: Measurements
        var lastRead = Duration.zero
        var recent = RecentStatistics()
    }

    let start: ContinuousClock.Instant
    private let duration: Duration
    private let state: Mutex<State>

    init(start: ContinuousClock.Instant, duration: Duration) {
        self.start = start
        self.duration = duration
        state = Mutex(State(measurements: Measurements(duration: duration)))
    }

    func record(_ operation: Operation, _ latency: Duration) {
        let time = ContinuousClock.now - start
        state.withLock { state in
            state.measurements.operations[operation, default: OperationStatistics()].latencies.record(latency)
            guard operation.isAction else { return }
            state.measurements.actions += 1
            state.measurements.all.record(latency)
            state.measurements.timeline.recordAction(latency.microseconds, at: time)
            state.recent.latencies.record(latency)
        }
    }

    /// Counts an answer or its absence.
    ///
    /// - Parameter error: The kind of failure; nil for an answer that a healthy server gives.
    func countAnswer(to operation: Operation, error: String? = nil, bytes: Int = 0) {
        let time = ContinuousClock.now - start
        state.withLock { state in
            state.measurements.requests += 1
            state.recent.requests += 1
            if let error {
                state.measurements.operations[operation, default: OperationStatistics()].errors[error, default: 0] += 1
            }
            if bytes > 0 { state.measurements.operations[operation, default: OperationStatistics()].bytes += bytes }
            if error != nil {
                state.measurements.failedRequests += 1
                state.recent.failed += 1
            }
            state.measurements.timeline.countRequest(at: time, failed: error != nil)
            if operation.isRead, error == nil { state.endPause(at: min(time, duration)) }
        }
    }

    /// Records a delay of the client itself.
    func recordLateness(_ lateness: Duration) {
        state.withLock { $0.measurements.lateness.record(lateness) }
    }

    /// Records the actions that were due and never began.
    ///
    /// - Parameter waits: The time for which each action had waited when the run ended.
    func recordUnsent(_ waits: some Sequence<Duration>) {
        state.withLock { state in
            for wait in waits { state.measurements.all.record(wait) }
        }
    }

    /// Returns the figures since the previous call.
    func drainRecent() -> RecentStatistics {
        state.withLock { state in
            defer { state.recent = RecentStatistics() }
            return state.recent
        }
    }

    /// Adds the recent figures of another process.
    func addRecent(_ figures: RecentStatistics) {
        state.withLock { $0.recent.add(figures) }
    }

    var result: Measurements {
        state.withLock { state in
            var last = state
            last.endPause(at: min(ContinuousClock.now - start, duration))
            return last.measurements
        }
    }
}

extension Recorder.State {
    fileprivate mutating func endPause(at time: Duration) {
        // A read before the measured time does not end a pause within it.
        guard time > .zero else { return }
        measurements.longestReadPause = max(measurements.longestReadPause, time - lastRead)
        lastRead = max(lastRead, time)
    }
}

/// The figures since the last progress line.
struct RecentStatistics: Sendable {
    var requests = 0
    var failed = 0
    var latencies = Latencies.histogram(.two)

    /// Adds the recent figures of another process.
    mutating func add(_ other: RecentStatistics) {
        requests += other.requests
        failed += other.failed
        latencies.add(other.latencies)
    }
}

extension RecentStatistics: Codable {
    private enum CodingKeys: String, CodingKey { case requests, failed, latencies }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        requests = try container.decode(Int.self, forKey: .requests)
        failed = try container.decode(Int.self, forKey: .failed)
        latencies = try container.decode(HistogramValues.self, forKey: .latencies).histogram(.two)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(requests, forKey: .requests)
        try container.encode(failed, forKey: .failed)
        try container.encode(HistogramValues(latencies), forKey: .latencies)
    }
}

/// A measurement of the delays of this process, whatever their cause.
///
/// A hundred times a second the ticker is due on a thread of the tasks and on an event loop, which every answer
/// passes too. A process that is seconds late is late for every tick of these seconds.
struct SchedulingDelayProbe: Sendable {
    let recorder: Recorder
    let eventLoops: any EventLoopGroup

    private static let interval = Duration.milliseconds(10)

    /// Runs from the start of the measured time until the task is cancelled.
    func run() async {
        var due = recorder.start
        do {
            while true {
                try await ContinuousClock().sleep(until: due, tolerance: .zero)
                try await eventLoops.next().submit {}.get()
                let now = ContinuousClock.now
                while due <= now {
                    recorder.recordLateness(now - due)
                    due += Self.interval
                }
            }
        } catch {
            // Cancelled: the load is over.
        }
    }
}

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
