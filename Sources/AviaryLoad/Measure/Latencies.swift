import Histogram

/// Histograms of latencies: what they can hold, in microseconds.
enum Latencies {
    /// Ten minutes: more than any action may take.
    static let longest: UInt64 = 600_000_000

    static func histogram(_ digits: SignificantDigits) -> Histogram<UInt64> {
        Histogram(highestTrackableValue: longest, numberOfSignificantValueDigits: digits)
    }
}

extension Histogram<UInt64> {
    /// The nearest value that it can hold: nothing is left out for being too short or too long.
    mutating func record(_ latency: Duration) {
        record(Swift.min(Swift.max(1, latency.microseconds), Latencies.longest))
    }

    /// In milliseconds; 0 where nothing was recorded.
    func milliseconds(_ percentile: Double) -> Double {
        totalCount == 0 ? 0 : Double(valueAtPercentile(percentile)) / 1000
    }
}
