import CoreMetrics
import Synchronization

/// One series that something is recorded in.
protocol Instrument: AnyObject, Sendable {
    var value: MetricValue { get }
}

/// Takes what is recorded and keeps nothing: for names that are taken otherwise, and beyond the bound of series.
final class NoInstrument: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    func increment(by amount: Int64) {}
    func increment(by amount: Double) {}
    func decrement(by amount: Double) {}
    func set(_ value: Int64) {}
    func set(_ value: Double) {}
    func record(_ value: Int64) {}
    func record(_ value: Double) {}
    func recordNanoseconds(_ duration: Int64) {}
    func reset() {}
}

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

/// What is so now.
final class GaugeInstrument: Instrument, MeterHandler, RecorderHandler {
    private let current = AtomicDouble()

    var value: MetricValue { .number(current.value) }

    func set(_ value: Int64) { current.set(Double(value)) }
    func set(_ value: Double) { current.set(value) }
    func increment(by amount: Double) { current.add(amount) }
    func decrement(by amount: Double) { current.add(-amount) }
    func record(_ value: Int64) { current.set(Double(value)) }
    func record(_ value: Double) { current.set(value) }
}

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

/// A floating-point number that any thread may change.
struct AtomicDouble: ~Copyable, Sendable {
    private let bits = Atomic<UInt64>(Double(0).bitPattern)

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func set(_ value: Double) {
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    func add(_ amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (exchanged, original) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if exchanged { return }
            old = original
        }
    }
}
