import CoreMetrics
import Synchronization

/// A series that a handler records values in.
protocol Instrument: AnyObject, Sendable {
    var value: MetricValue { get }
}

/// A handler that discards every value.
///
/// The registry returns it for a name that another kind of metric has, and beyond its limit of series.
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

/// A counter of whole numbers, which only increases.
final class CounterInstrument: Instrument, CounterHandler {
    private let total = Atomic<UInt64>(0)

    var value: MetricValue { .number(Double(total.load(ordering: .relaxed))) }

    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        total.wrappingAdd(UInt64(amount), ordering: .relaxed)
    }

    /// Ignores the reset: a counter that returned to 0 would make Prometheus count all events a second time.
    func reset() {}
}

/// A counter of floating-point amounts. Otherwise it is the same as ``CounterInstrument``.
final class FloatingPointCounterInstrument: Instrument, FloatingPointCounterHandler {
    private let total = AtomicDouble()

    var value: MetricValue { .number(total.value) }

    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        total.add(amount)
    }

    func reset() {}
}

/// A gauge: the current value, which can rise and fall.
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

/// A histogram, which counts observations by size.
///
/// A lock, held for a few additions only, keeps the sum and the buckets consistent.
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

/// A floating-point number that several threads may change at the same time.
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

/// A label of a series.
///
/// Take the value from a closed set, because a series lives as long as its process.
package struct MetricLabel: Sendable, Hashable, Comparable, Codable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = MetricName.label(name)
        self.value = value
    }

    package static func < (left: MetricLabel, right: MetricLabel) -> Bool {
        (left.name, left.value) < (right.name, right.value)
    }

    /// Returns the labels sorted by name. Of two labels with the same name it keeps the first.
    static func canonical(_ labels: [MetricLabel]) -> [MetricLabel] {
        var names: Set<String> = []
        return labels.filter { names.insert($0.name).inserted }.sorted()
    }

    static func canonical(_ dimensions: [(String, String)]) -> [MetricLabel] {
        canonical(dimensions.map { MetricLabel($0.0, $0.1) })
    }
}

/// The rules for names in Prometheus. All conversions of other text to such names are here.
package enum MetricName {
    /// Returns a valid metric name: letters, digits, `_` and `:`, without a leading digit.
    package static func metric(_ text: String) -> String {
        sanitized(text, isAllowed: { isLetterOrDigit($0) || $0 == UInt8(ascii: ":") })
    }

    /// Returns a valid label name: letters, digits and `_`.
    ///
    /// Prometheus reserves `le`, `quantile` and names that begin with two underscores, so these are changed.
    package static func label(_ text: String) -> String {
        let name = sanitized(text, isAllowed: isLetterOrDigit)
        if name == "le" || name == "quantile" { return name + "_" }
        return name.hasPrefix("__") ? "label" + name : name
    }

    /// Returns a valid metric name with the suffix of its kind or unit, such as `_total`.
    static func metric(_ text: String, ending: String) -> String {
        let name = metric(text)
        return name.hasSuffix(ending) ? name : name + ending
    }

    private static func sanitized(_ text: String, isAllowed: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let byte = scalar.isASCII ? UInt8(truncatingIfNeeded: scalar.value) : 0
            bytes.append(isAllowed(byte) ? byte : UInt8(ascii: "_"))
        }
        guard let first = bytes.first else { return "unnamed" }
        if isDigit(first) { bytes.insert(UInt8(ascii: "_"), at: 0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "_")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
