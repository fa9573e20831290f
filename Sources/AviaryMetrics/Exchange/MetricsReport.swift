/// What one process tells of its metrics.
package struct MetricsReport: Sendable, Hashable, Codable {
    package enum Content: Sendable, Hashable, Codable {
        /// As in the report of this revision.
        case unchanged
        case changed(MetricSnapshot)
        /// For a ledger that does not know the reporter yet; with the sums of ended processes that the last one told.
        case everything(MetricSnapshot, ended: MetricSnapshot)
    }

    package let reporter: MetricsReporter.Identity
    /// Grows with every new snapshot, so that an older one that arrives late is not taken for news.
    package let revision: UInt64
    package let content: Content
    /// Of the sums of ended processes that the reporter has.
    package let endedRevision: UInt64
    /// Whether the answer is to hold the sums of all processes.
    package let wantsWhole: Bool
}

/// What the ledger answers to a report.
package struct MetricsAnswer: Sendable, Hashable, Codable {
    /// The reporter's next report must hold everything.
    package let wantsEverything: Bool
    package let endedRevision: UInt64
    /// The sums of ended processes, where the reporter has not got them: it brings them to the next ledger.
    package let ended: MetricSnapshot?
    /// The sums of all processes.
    package let whole: MetricSnapshot?
    /// The processes that are part of the sums.
    package let processes: [Int32]
}
