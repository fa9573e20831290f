import CoreMetrics
import Synchronization

/// Counts observations by size. Under a lock, which is held for a few additions, so that sum and buckets always agree.
final class HistogramInstrument: Instrument, TimerHandler, RecorderHandler {
    private let histogram: Mutex<HistogramValue>

    init(bounds: [Double]) {
        histogram = Mutex(HistogramValue(bounds: bounds))
    }

    var value: MetricValue { .histogram(histogram.withLock { $0 }) }

    func recordNanoseconds(_ duration: Int64) {
        observe(Double(duration) / 1_000_000_000)
    }

    func record(_ value: Int64) { observe(Double(value)) }
    func record(_ value: Double) { observe(value) }

    private func observe(_ value: Double) {
        guard value.isFinite else { return }
        histogram.withLock { $0.observe(value) }
    }
}
