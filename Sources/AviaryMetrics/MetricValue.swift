/// What a series says at one moment.
package enum MetricValue: Sendable, Hashable, Codable {
    case number(Double)
    case histogram(HistogramValue)

    /// Nil when the two cannot be summed.
    func adding(_ other: MetricValue) -> MetricValue? {
        switch (self, other) {
        case (.number(let left), .number(let right)): .number(left + right)
        case (.histogram(let left), .histogram(let right)): left.adding(right).map(MetricValue.histogram)
        default: nil
        }
    }

    /// Nil when the two cannot be compared.
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
    /// Upper bounds, rising; behind the last is one more bucket, without end.
    package let bounds: [Double]
    /// How many fell into each bucket alone: one more than there are bounds.
    package private(set) var counts: [UInt64]
    package private(set) var sum: Double

    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
        sum = 0
    }

    /// From counts made elsewhere. Counts that are missing are 0, further ones are left out.
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

    /// Nil when they were counted by other bounds, and so cannot be summed.
    package func adding(_ other: HistogramValue) -> HistogramValue? {
        guard bounds == other.bounds, counts.count == other.counts.count else { return nil }
        return HistogramValue(bounds: bounds, counts: zip(counts, other.counts).map { $0 &+ $1 }, sum: sum + other.sum)
    }

    /// As ``adding(_:)``, with the larger of each two numbers.
    func raised(to other: HistogramValue) -> HistogramValue? {
        guard bounds == other.bounds, counts.count == other.counts.count else { return nil }
        return HistogramValue(
            bounds: bounds, counts: zip(counts, other.counts).map { max($0, $1) }, sum: max(sum, other.sum))
    }

    /// For each bound how many were at most so large; the last is all of them.
    var cumulative: [UInt64] {
        var total: UInt64 = 0
        return counts.map { count in
            total &+= count
            return total
        }
    }
}
