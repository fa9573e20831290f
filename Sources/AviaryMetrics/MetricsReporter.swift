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
