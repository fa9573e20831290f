import Histogram

/// Latencies of one operation, in milliseconds.
package struct LatencySummary: Sendable, Hashable, Encodable {
    package let count: Int
    package let mean: Double
    package let p50: Double
    package let p90: Double
    package let p99: Double
    package let p999: Double
    package let max: Double

    init(_ histogram: Histogram<UInt64>) {
        count = Int(histogram.totalCount)
        mean = count == 0 ? 0 : (histogram.mean / 10).rounded() / 100
        p50 = histogram.milliseconds(50)
        p90 = histogram.milliseconds(90)
        p99 = histogram.milliseconds(99)
        p999 = histogram.milliseconds(99.9)
        max = histogram.milliseconds(100)
    }
}
