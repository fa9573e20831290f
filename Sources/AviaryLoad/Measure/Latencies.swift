import Histogram

/// Histograms by operation, in microseconds.
struct Latencies: Sendable {
    private(set) var histograms: [Operation: Histogram<UInt64>] = [:]
    /// Ten minutes: more than any action may take.
    private static let longest: UInt64 = 600_000_000

    static func histogram(_ digits: SignificantDigits) -> Histogram<UInt64> {
        Histogram(highestTrackableValue: longest, numberOfSignificantValueDigits: digits)
    }

    mutating func record(_ operation: Operation, _ latency: Duration) {
        let value = min(max(1, latency.microseconds), Self.longest)
        histograms[operation, default: Self.histogram(.three)].record(value)
    }

    var summaries: [String: LatencySummary] {
        Dictionary(uniqueKeysWithValues: histograms.map { ($0.key.rawValue, LatencySummary($0.value)) })
    }
}
