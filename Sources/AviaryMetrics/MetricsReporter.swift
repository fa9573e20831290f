import Synchronization

/// A process's side of the exchange: reports what its registry holds, and sends no snapshot twice.
package final class MetricsReporter: Sendable {
    /// One process, not to be mistaken for a later one with the same id.
    package struct Identity: Sendable, Hashable, Codable {
        package let process: Int32
        /// When it began, in whatever the system counts; 0 where that is not known.
        package let start: UInt64

        package init(process: Int32, start: UInt64) {
            self.process = process
            self.start = start
        }
    }

    private struct State {
        var revision: UInt64 = 0
        var snapshot = MetricSnapshot()
        /// The newest revision that a ledger has.
        var knownRevision: UInt64 = 0
        var mustSendEverything = true
        var ended = MetricSnapshot()
        var endedRevision: UInt64 = 0
    }

    package let identity: Identity
    private let registry: MetricsRegistry
    private let state = Mutex(State())

    package init(_ registry: MetricsRegistry, identity: Identity) {
        self.registry = registry
        self.identity = identity
    }

    package func report(wantsWhole: Bool = false) -> MetricsReport {
        state.withLock { state in
            let snapshot = registry.snapshot
            if snapshot != state.snapshot || state.revision == 0 {
                state.snapshot = snapshot
                state.revision += 1
            }
            let content: MetricsReport.Content =
                if state.mustSendEverything {
                    .everything(state.snapshot, ended: state.ended)
                } else if state.knownRevision == state.revision {
                    .unchanged
                } else {
                    .changed(state.snapshot)
                }
            return MetricsReport(
                reporter: identity, revision: state.revision, content: content, endedRevision: state.endedRevision,
                wantsWhole: wantsWhole
            )
        }
    }

    /// - Returns: Whether the next report is wanted at once, because the ledger does not know this process.
    @discardableResult
    package func take(_ answer: MetricsAnswer, to report: MetricsReport) -> Bool {
        state.withLock { state in
            state.mustSendEverything = answer.wantsEverything
            guard !answer.wantsEverything else { return true }
            state.knownRevision = max(state.knownRevision, report.revision)
            if let ended = answer.ended {
                state.ended = ended
                state.endedRevision = answer.endedRevision
            }
            return false
        }
    }
}

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
