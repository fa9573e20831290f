import Synchronization

/// Collects what all browsers measure.
final class Recorder: Sendable {
    struct Measurements: Sendable {
        var latencies = Latencies()
        var timeline: Timeline
        var requests = 0
        var failedRequests = 0
        var actions = 0
    }

    let start: ContinuousClock.Instant
    private let measurements: Mutex<Measurements>

    init(start: ContinuousClock.Instant, duration: Duration) {
        self.start = start
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
    func countAnswer(isSuccess: Bool) {
        let time = ContinuousClock.now - start
        measurements.withLock { measurements in
            measurements.requests += 1
            if !isSuccess { measurements.failedRequests += 1 }
            measurements.timeline.countRequest(at: time)
        }
    }

    var result: Measurements { measurements.withLock { $0 } }
}
