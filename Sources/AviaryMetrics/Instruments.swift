import CoreMetrics
import Synchronization

/// A number that only grows.
final class CounterInstrument: Instrument, CounterHandler {
    private let total = Atomic<UInt64>(0)

    var value: MetricValue { .number(Double(total.load(ordering: .relaxed))) }

    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        total.wrappingAdd(UInt64(amount), ordering: .relaxed)
    }

    /// A counter that went back would count everything a second time.
    func reset() {}
}

/// As ``CounterInstrument``, for amounts that are no whole numbers.
final class FloatingPointCounterInstrument: Instrument, FloatingPointCounterHandler {
    private let total = AtomicDouble()

    var value: MetricValue { .number(total.value) }

    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        total.add(amount)
    }

    func reset() {}
}
