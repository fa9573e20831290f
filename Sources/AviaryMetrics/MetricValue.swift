/// The value of a series at one moment.
package enum MetricValue: Sendable, Hashable, Codable {
    case number(Double)
    case histogram(HistogramValue)

    /// Returns the sum of both values; nil when they cannot be added.
    func adding(_ other: MetricValue) -> MetricValue? {
        switch (self, other) {
        case (.number(let left), .number(let right)): .number(left + right)
        case (.histogram(let left), .histogram(let right)): left.adding(right).map(MetricValue.histogram)
        default: nil
        }
    }

    /// Returns the larger of both values; nil when they cannot be compared.
    func raised(to other: MetricValue) -> MetricValue? {
        switch (self, other) {
        case (.number(let left), .number(let right)): .number(max(left, right))
        case (.histogram(let left), .histogram(let right)): left.raised(to: right).map(MetricValue.histogram)
        default: nil
        }
    }
}

/// Observations, counted by size.
package struct HistogramValue: Sendable, Hashable, Codable {
    /// The upper bounds of the buckets, in ascending order. One more bucket, without a bound, follows the last.
    package let bounds: [Double]
    /// The number of observations in each bucket (not cumulative); one more element than ``bounds``.
    package private(set) var counts: [UInt64]
    package private(set) var sum: Double

    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
        sum = 0
    }

    /// Creates a histogram from existing counts. Missing counts are 0; surplus counts are ignored.
    package init(bounds: [Double], counts: [UInt64], sum: Double) {
        self.init(bounds: bounds)
        for (index, count) in zip(self.counts.indices, counts) { self.counts[index] = count }
        self.sum = sum
    }

    package var count: UInt64 { counts.reduce(0, &+) }

    package mutating func observe(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] &+= 1
        sum += value
    }

    /// Returns the sum of both histograms; nil when their bounds differ, so that they cannot be added.
    package func adding(_ other: HistogramValue) -> HistogramValue? {
        guard bounds == other.bounds, counts.count == other.counts.count else { return nil }
        return HistogramValue(bounds: bounds, counts: zip(counts, other.counts).map { $0 &+ $1 }, sum: sum + other.sum)
    }

    /// Returns a histogram with the larger of each two numbers; nil when the bounds differ.
    func raised(to other: HistogramValue) -> HistogramValue? {
        guard bounds == other.bounds, counts.count == other.counts.count else { return nil }
        return HistogramValue(
            bounds: bounds, counts: zip(counts, other.counts).map { max($0, $1) }, sum: max(sum, other.sum))
    }

    /// The number of observations up to each bound; the last element is the number of all observations.
    var cumulative: [UInt64] {
        var total: UInt64 = 0
        return counts.map { count in
            total &+= count
            return total
        }
    }
}
