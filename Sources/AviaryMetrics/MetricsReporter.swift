import Synchronization

/// The client side of the exchange: it reports the metrics of a process and sends an unchanged snapshot only once.
package final class MetricsReporter: Sendable {
    /// The identity of a process, distinct from a later process with the same id.
    package struct Identity: Sendable, Hashable, Codable {
        package let process: Int32
        /// The start time of the process, in the unit of the operating system; 0 when it is unknown.
        package let start: UInt64

        package init(process: Int32, start: UInt64) {
            self.process = process
            self.start = start
        }
    }

    private struct State {
        var revision: UInt64 = 0
        var snapshot = MetricSnapshot()
        /// The newest revision that a ledger has received.
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

    /// Processes the ledger's answer to a report.
    ///
    /// - Returns: A Boolean value that indicates whether to send the next report at once, because the ledger does not
    ///   know this process.
    @discardableResult
    package func take(_ answer: MetricsResponse, to report: MetricsReport) -> Bool {
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

/// A report of a process about its metrics.
package struct MetricsReport: Sendable, Hashable, Codable {
    package enum Content: Sendable, Hashable, Codable {
        /// The same content as in the report of this revision.
        case unchanged
        case changed(MetricSnapshot)
        /// The whole content, for a ledger that does not know the reporter yet, with the sums of ended processes
        /// that the previous ledger sent.
        case everything(MetricSnapshot, ended: MetricSnapshot)
    }

    package let reporter: MetricsReporter.Identity
    /// The revision, which increases with every new snapshot, so that the ledger ignores an older snapshot that
    /// arrives late.
    package let revision: UInt64
    package let content: Content
    /// The revision of the sums of ended processes that the reporter has.
    package let endedRevision: UInt64
    /// Indicates whether the answer should contain the sums of all processes.
    package let wantsWhole: Bool
}

/// The ledger's answer to a report.
package struct MetricsResponse: Sendable, Hashable, Codable {
    /// Indicates whether the reporter's next report must contain everything.
    package let wantsEverything: Bool
    package let endedRevision: UInt64
    /// The sums of ended processes when the reporter does not have them yet. The reporter carries them to the next
    /// ledger.
    package let ended: MetricSnapshot?
    /// The sums of all processes.
    package let whole: MetricSnapshot?
    /// The ids of the processes that the sums include.
    package let processes: [Int32]
}
