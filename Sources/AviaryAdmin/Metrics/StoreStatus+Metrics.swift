import AviaryDomain
import AviaryIPC
import AviaryMetrics
import AviaryRuntime
import Foundation

extension StoreStatus {
    func add(to snapshot: inout MetricSnapshot) {
        snapshot.set(Double(commits), .storeCommits)
        snapshot.set(Double(batches), .storeBatches)
        snapshot.set(Double(waiting), .storeQueue)
        snapshot.set(Double(lastCommit), .storeLastCommit)
        let state = FileCheckReport(fileCheck).state
        for each in FileCheckReport.State.allCases {
            snapshot.set(each == state ? 1 : 0, .storeFileCheck, [MetricLabel("state", each.rawValue)])
        }
        guard let measures else { return }
        snapshot.set(.histogram(HistogramValue(measures.flushes)), .storeFlush)
        snapshot.set(.histogram(HistogramValue(measures.batchSizes)), .storeBatchSize)
        snapshot.set(Double(measures.historySize), .storeHistorySize)
        for (name, times) in (measures.work ?? [:]).sorted(by: { $0.key < $1.key }) {
            let labels = [MetricLabel("work", name)]
            snapshot.set(.histogram(HistogramValue(times.waits)), .storeWait, labels)
            snapshot.set(.histogram(HistogramValue(times.durations)), .storeWork, labels)
        }
    }
}

extension HistogramValue {
    fileprivate init(_ counts: BucketCounts) {
        self.init(bounds: counts.bounds, counts: counts.counts, sum: counts.sum)
    }
}

extension BackupState {
    /// Adds the state of the backups.
    ///
    /// - Parameter state: The state; nil when the server takes no scheduled backups. The problems are 0 then.
    static func add(_ state: BackupState?, to snapshot: inout MetricSnapshot, at now: Date) {
        snapshot.set(state?.lastSuccess?.timeIntervalSince1970 ?? 0, .backupLast)
        let problems = [
            ("failed", state?.failure != nil), ("late", state?.isLate(at: now) == true),
            ("hook", state?.hookFailure != nil),
        ]
        for (problem, isThere) in problems {
            snapshot.set(isThere ? 1 : 0, .backupProblem, [MetricLabel("problem", problem)])
        }
    }
}

extension ProcessStatus {
    /// The processes with their names in the metrics.
    var named: [(name: String, process: Process)] {
        let supervising = Process(pid: supervisor, restarts: 0, isReady: true)
        if let store, store.pid == supervisor { return [("server", supervising)] }
        return [("supervisor", supervising)] + (store.map { [("store", $0)] } ?? [])
            + workers.enumerated().map { ("worker-\($0.element.number ?? $0.offset + 1)", $0.element) }
    }

    func add(to snapshot: inout MetricSnapshot) {
        for (state, count) in [
            ("serving", workers.count(where: \.isReady)), ("coming", coming.count), ("leaving", leaving.count),
        ] {
            snapshot.set(Double(count), .workers, [MetricLabel("state", state)])
        }
        for (name, process) in named {
            let labels = [MetricLabel("process", name)]
            snapshot.set(process.isReady ? 1 : 0, .processReady, labels)
            snapshot.set(Double(process.restarts), .processRestarts, labels)
            snapshot.set(Double(process.replacements), .processReplacements, labels)
            ProcessMetricsSample(process.pid)?.add(to: &snapshot, as: name)
        }
    }
}

extension DataCheckState {
    /// Adds the state of the data checks.
    ///
    /// - Parameter state: The state; nil when the server makes no scheduled checks.
    static func add(_ state: DataCheckState?, to snapshot: inout MetricSnapshot) {
        snapshot.set(state?.last?.endedAt.timeIntervalSince1970 ?? 0, .dataCheckLast)
        snapshot.set(Double(state?.last?.problemCount ?? 0), .dataCheckProblems)
        snapshot.set(state?.failure == nil ? 0 : 1, .dataCheckUnfinished)
    }
}
