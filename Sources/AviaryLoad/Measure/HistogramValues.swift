import Histogram

/// A histogram on its way from one process to another: the values that occurred, each with its count.
struct HistogramValues: Sendable, Codable {
    private let values: [UInt64]
    private let counts: [UInt64]

    init(_ histogram: Histogram<UInt64>) {
        let recorded = histogram.recordedValues().map { ($0.value, $0.count) }
        values = recorded.map(\.0)
        counts = recorded.map(\.1)
    }

    func histogram(_ digits: SignificantDigits) -> Histogram<UInt64> {
        var histogram = Latencies.histogram(digits)
        for (value, count) in zip(values, counts) { histogram.record(min(value, Latencies.longest), count: count) }
        return histogram
    }
}
