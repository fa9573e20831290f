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
    /// The times of the work, by the names of ``StoreWork``; nil from a store process of an earlier version.
    package let work: [String: WorkTimes]?

    package init(
        flushes: BucketCounts, batchSizes: BucketCounts, recentCommits: Int, historySize: Int,
        work: [String: WorkTimes]? = nil
    ) {
        self.flushes = flushes
        self.batchSizes = batchSizes
        self.recentCommits = recentCommits
        self.historySize = historySize
        self.work = work
    }
}

/// A kind of work of a store, for monitoring.
package enum StoreWork: String, Sendable, Hashable, CaseIterable {
    /// A change set of a form or a program.
    case save
    case undo
    /// A change set with many changes, as imports and changes of many records send.
    case bulk
    /// A step of the store's own maintenance.
    case maintenance
    /// A hold on writes by a restore.
    case hold
}

/// The times of one kind of work, in seconds.
package struct WorkTimes: Sendable, Hashable, Codable {
    /// The times from the arrival in the store's queue to the beginning.
    ///
    /// Maintenance and holds do not wait in the queue, so they have none.
    package private(set) var waits: BucketCounts
    /// The times from the beginning to the end, without the flush.
    package private(set) var durations: BucketCounts

    package init() {
        let bounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
        waits = BucketCounts(bounds: bounds)
        durations = BucketCounts(bounds: bounds)
    }

    package mutating func began(after wait: Duration) { waits.observe(wait / .seconds(1)) }
    package mutating func ended(after duration: Duration) { durations.observe(duration / .seconds(1)) }
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
