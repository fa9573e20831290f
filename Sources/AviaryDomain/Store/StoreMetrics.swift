/// The measurements of a store, for monitoring.
package struct StoreMetrics: Sendable, Hashable, Codable {
    /// The durations of flushes, in seconds. All callers of a batch wait for its flush.
    package let flushes: BucketCounts
    /// The number of change sets per batch.
    package let batchSizes: BucketCounts
    /// The number of change sets that were stored within the last full second.
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
    /// The upper bounds of the buckets, in ascending order. One more bucket, without a bound, follows the last.
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
