import AviaryDomain
import AviaryMetrics
import AviaryRuntime
import Foundation

/// What `/metrics` says: the sums over all workers, whichever of them is asked.
struct MetricsPage: Sendable {
    let application: String
    let container: DependencyContainer

    /// After the store was started again its workers report within a second or so: sums that lack one are not told before.
    private static let attempts = 4
    private static let pause: Duration = .milliseconds(400)

    func text() async -> String {
        PrometheusText.render(await snapshot())
    }

    private func snapshot() async -> MetricSnapshot {
        let processes = container.directory.statusFile.read()
        async let status = container.storeStatus()
        let sums = await sums(of: processes)
        var snapshot = sums ?? ProcessMetrics.registry.snapshot
        if let status = await status, sums != nil {
            snapshot.set(1, .storeUp)
            status.add(to: &snapshot)
        } else {
            snapshot.set(0, .storeUp)
        }
        snapshot.set(Double(container.directory.storeSize), .storeFileSize)
        snapshot.set(Double(container.directory.logSize), .storeLogSize)
        BackupState.add(container.directory.backupState, to: &snapshot, at: Date())
        DataCheckState.add(container.directory.dataCheckState, to: &snapshot)
        snapshot.set(1, .buildInfo, [MetricLabel("application", application), MetricLabel("swift", Self.swift)])
        snapshot.set(Double(ProcessMetrics.registry.refusals), .refusedSeries)
        processes?.add(to: &snapshot)
        return snapshot
    }

    /// Nil when the store does not answer.
    private func sums(of processes: ProcessStatus?) async -> MetricSnapshot? {
        let expected = Set((processes?.workers ?? []).filter(\.isReady).map(\.pid)).subtracting([getpid()])
        var latest: MetricSnapshot?
        for attempt in 1...Self.attempts {
            guard let answer = await container.reportMetrics(wantsWhole: true), let whole = answer.whole else {
                return latest
            }
            latest = whole
            if expected.isSubset(of: answer.processes) || attempt == Self.attempts { break }
            do {
                try await Task.sleep(for: Self.pause)
            } catch {
                break  // nobody waits for it any more
            }
        }
        return latest
    }

    #if swift(>=6.4)
        private static let swift = "6.4 or later"
    #elseif swift(>=6.3)
        private static let swift = "6.3"
    #else
        private static let swift = "6.2"
    #endif
}
