import AviaryIPC
import AviaryRuntime

/// What `status` tells.
struct StatusReport: Encodable {
    struct Supervisor: Encodable {
        let pid: Int32
    }

    struct Store: Encodable {
        let pid: Int32
        let restarts: Int
        let ready: Bool
        /// Whether it answered just now.
        let answers: Bool
        /// Change sets stored since this process started.
        let commits: Int?
        let batches: Int?
        let waiting: Int?
        let lastCommit: Int64?
        /// Size of the write-ahead log, in pages.
        let logPages: Int?
        let fileCheck: FileCheckReport?
    }

    struct Worker: Encodable {
        let pid: Int32
        let restarts: Int
        let ready: Bool
    }

    let supervisor: Supervisor
    let store: Store?
    let workers: [Worker]

    init(processes: ProcessStatus, store status: StoreStatus?) {
        supervisor = Supervisor(pid: processes.supervisor)
        store = processes.store.map { process in
            Store(
                pid: process.pid, restarts: process.restarts, ready: process.isReady, answers: status != nil,
                commits: status?.commits, batches: status?.batches, waiting: status?.waiting,
                lastCommit: status?.lastCommit, logPages: status?.logPages,
                fileCheck: status.map { FileCheckReport($0.fileCheck) }
            )
        }
        workers = processes.workers.map { Worker(pid: $0.pid, restarts: $0.restarts, ready: $0.isReady) }
    }

    var text: String {
        var lines = ["supervisor  \(supervisor.pid)"]
        if let store {
            let state = store.answers ? "\(store.commits ?? 0) commits" : "does not answer"
            lines.append("store       \(store.pid), \(store.restarts) restarts, \(state)")
            if let check = store.fileCheck { lines.append("file check  \(check.text)") }
        } else {
            lines.append("store       is being started again")
        }
        for worker in workers {
            lines.append("worker      \(worker.pid), \(worker.restarts) restarts\(worker.ready ? "" : ", not ready yet")")
        }
        return lines.joined(separator: "\n")
    }
}
