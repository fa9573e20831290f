package import AviaryDomain

/// A meter of a store's work. For each batch and for each change set it reads the clock twice and makes a few
/// additions.
struct StoreMeter {
    private var flushes = BucketCounts(bounds: [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1,
    ])
    private var batchSizes = BucketCounts(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
    private var work = Dictionary(uniqueKeysWithValues: StoreWork.allCases.map { ($0.rawValue, WorkTimes()) })
    private let start = ContinuousClock.now
    /// The last second, counted from the start, in which something was stored. The numbers of change sets in it and
    /// in the second before follow.
    private var second: Int64 = 0
    private var inSecond = 0
    private var inSecondBefore = 0

    mutating func committed(
        _ changeSets: Int, from began: ContinuousClock.Instant, to ended: ContinuousClock.Instant = .now
    ) {
        flushes.observe((ended - began) / .seconds(1))
        batchSizes.observe(Double(changeSets))
        let now = (ended - start).components.seconds
        if now != second {
            (inSecondBefore, inSecond) = (now == second + 1 ? inSecond : 0, 0)
            second = now
        }
        inSecond += changeSets
    }

    /// Counts work that begins now.
    ///
    /// - Parameter wait: The time since it arrived in the store's queue.
    mutating func began(_ kind: StoreWork, after wait: Duration) {
        work[kind.rawValue]?.began(after: wait)
    }

    /// Counts work that has ended.
    mutating func worked(_ kind: StoreWork, for duration: Duration) {
        work[kind.rawValue]?.ended(after: duration)
    }

    func measures(historySize: Int, at time: ContinuousClock.Instant = .now) -> StoreMetrics {
        let recent =
            switch (time - start).components.seconds - second {
            case 0: inSecondBefore
            case 1: inSecond
            default: 0
            }
        return StoreMetrics(
            flushes: flushes, batchSizes: batchSizes, recentCommits: recent, historySize: historySize, work: work)
    }
}

/// The statistics of a store since it was opened.
package struct StoreStatistics: Sendable, Hashable {
    /// The number of stored change sets.
    package let commits: Int
    /// The number of committed transactions. Each contains one or more change sets.
    package let batches: Int
    /// The number of submissions that wait for their answer.
    package let waiting: Int
    /// The size of the write-ahead log, in pages.
    package let logPages: Int
    /// The number of the last commit on disk.
    package let lastCommit: Int64
    /// The known state of the file.
    package let fileCheck: FileCheck
    package let measures: StoreMetrics
    /// The progress of the long change under way; nil if there is none.
    package let longChange: LongChangeStatus?
}
