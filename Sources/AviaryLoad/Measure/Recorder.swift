import Synchronization

/// Collects what all browsers measure.
final class Recorder: Sendable {
    struct Measurements: Sendable {
        var latencies = Latencies()
        var timeline: Timeline
        var requests = 0
        var failedRequests = 0
        var actions = 0
        /// The longest time in which nobody was shown a page of records, within the run.
        var longestReadPause = Duration.zero
        fileprivate var lastRead = Duration.zero
    }

    let start: ContinuousClock.Instant
    private let duration: Duration
    private let measurements: Mutex<Measurements>

    init(start: ContinuousClock.Instant, duration: Duration) {
        self.start = start
        self.duration = duration
        measurements = Mutex(Measurements(timeline: Timeline(duration: duration)))
    }

    func record(_ operation: Operation, _ latency: Duration) {
        let time = ContinuousClock.now - start
        measurements.withLock { measurements in
            measurements.latencies.record(operation, latency)
            if operation.isAction {
                measurements.actions += 1
                measurements.timeline.recordAction(latency.microseconds, at: time)
            }
        }
    }

    /// - Parameter isSuccess: false for an error, or no answer at all.
    func countAnswer(to operation: Operation, isSuccess: Bool) {
        let time = ContinuousClock.now - start
        measurements.withLock { measurements in
            measurements.requests += 1
            if !isSuccess { measurements.failedRequests += 1 }
            measurements.timeline.countRequest(at: time)
            if operation.isRead, isSuccess { measurements.endPause(at: min(time, duration)) }
        }
    }

    var result: Measurements {
        measurements.withLock { measurements in
            var result = measurements
            result.endPause(at: min(ContinuousClock.now - start, duration))
            return result
        }
    }
}

extension Recorder.Measurements {
    fileprivate mutating func endPause(at time: Duration) {
        longestReadPause = max(longestReadPause, time - lastRead)
        lastRead = max(lastRead, time)
    }
}
