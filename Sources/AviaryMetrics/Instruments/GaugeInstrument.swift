import CoreMetrics

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
