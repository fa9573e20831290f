package import AviaryDomain

/// The statistics of a store since it was opened.
package struct StoreStatistics: Sendable, Hashable {
    /// Change sets stored.
    package let commits: Int
    /// Transactions committed; each holds one change set or many.
    package let batches: Int
    /// Submissions that wait for their answer.
    package let waiting: Int
    /// Size of the write-ahead log, in pages.
    package let logPages: Int
    /// The number of the last commit on disk.
    package let lastCommit: Int64
    /// The state of the file, as far as it is known.
    package let fileCheck: FileCheck
    package let measures: StoreMeasures
}
