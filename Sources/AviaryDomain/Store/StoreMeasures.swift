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
