/// The measurements of a store, for monitoring.
package struct StoreMeasures: Sendable, Hashable, Codable {
    /// Seconds that a flush took, which is what all callers of a batch wait for.
    package let flushes: BucketCounts
    /// Change sets that a batch stored.
    package let batchSizes: BucketCounts
    /// Change sets stored within the last full second.
    package let recentCommits: Int
    /// The size of the history, in bytes.
    package let historySize: Int

    package init(flushes: BucketCounts, batchSizes: BucketCounts, recentCommits: Int, historySize: Int) {
        self.flushes = flushes
        self.batchSizes = batchSizes
        self.recentCommits = recentCommits
        self.historySize = historySize
    }
}

/// The numbers of observations, by size.
package struct BucketCounts: Sendable, Hashable, Codable {
    /// Upper bounds, rising; behind the last is one more bucket, without end.
    package let bounds: [Double]
    /// The number of observations in each single bucket. There is one bucket more than there are bounds.
    package private(set) var counts: [UInt64]
    package private(set) var sum: Double

    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
        sum = 0
    }

    package mutating func observe(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] &+= 1
        sum += value
    }
}
