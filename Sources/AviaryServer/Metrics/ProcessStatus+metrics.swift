import AviaryMetrics
import AviaryRuntime

extension ProcessStatus {
    /// The processes by the names that metrics have for them.
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
            ProcessFigures(process.pid)?.add(to: &snapshot, as: name)
        }
    }
}
