package import AviaryDomain

/// How the store fares, as it says itself.
package struct StoreStatus: Sendable, Hashable, Codable {
    package let pid: Int32
    /// Change sets stored since this process started.
    package let commits: Int
    /// Transactions that they took.
    package let batches: Int
    /// Callers that wait for a commit now.
    package let waiting: Int
    /// The number of the last commit on disk.
    package let lastCommit: Int64
    /// Size of the write-ahead log, in pages.
    package let logPages: Int
    /// What is known of the file.
    package let fileCheck: FileCheck
    /// Nil from a store process of an earlier version.
    package let measures: StoreMeasures?

    package init(
        pid: Int32, commits: Int, batches: Int, waiting: Int, lastCommit: Int64, logPages: Int = 0,
        fileCheck: FileCheck = .notNeeded, measures: StoreMeasures? = nil
    ) {
        self.pid = pid
        self.commits = commits
        self.batches = batches
        self.waiting = waiting
        self.lastCommit = lastCommit
        self.logPages = logPages
        self.fileCheck = fileCheck
        self.measures = measures
    }
}
