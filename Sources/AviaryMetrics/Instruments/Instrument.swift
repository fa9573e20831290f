import CoreMetrics

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
