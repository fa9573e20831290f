import AviaryDomain
import AviaryIPC
import AviaryRuntime
import Foundation

/// What `status` tells.
struct StatusReport: Encodable {
    struct Supervisor: Encodable {
        let pid: Int32
        /// Resident memory, in bytes.
        let memory: Int?
        /// Since it began, in seconds.
        let uptime: Double?
    }

    struct Store: Encodable {
        let pid: Int32
        let restarts: Int
        let replacements: Int
        let ready: Bool
        let memory: Int?
        let uptime: Double?
        /// Whether it answered just now.
        let answers: Bool
        /// Change sets stored since this process started.
        let commits: Int?
        let batches: Int?
        /// Change sets stored within the last full second.
        let commitsPerSecond: Int?
        /// Writes that wait for an answer.
        let waiting: Int?
        let lastCommit: Int64?
        /// Size of the write-ahead log, in pages.
        let logPages: Int?
        /// Sizes of the files and of what the history takes, in bytes.
        let logBytes: Int
        let fileBytes: Int
        let historyBytes: Int?
        let fileCheck: FileCheckReport?
    }

    struct Worker: Encodable {
        let pid: Int32
        let restarts: Int
        let replacements: Int
        let ready: Bool
        let memory: Int?
        let uptime: Double?
    }

    /// The backups that the server takes by itself.
    struct Backups: Encodable {
        /// Seconds between two.
        let interval: Double
        /// RFC 3339; nil when none was taken yet.
        let lastSuccess: String?
        let lastFile: String?
        /// What somebody should look after; nil when all is well.
        let warning: String?
    }

    /// The data checks that the server makes by itself.
    struct DataCheck: Encodable {
        /// Seconds between two.
        let interval: Double
        /// RFC 3339; nil when none came to its end yet.
        let last: String?
        let problems: [String]
        let problemCount: Int
        /// What somebody should look after; nil when all is well.
        let warning: String?
    }

    /// `serving`, `deploying`, …
    let state: String
    let supervisor: Supervisor
    let store: Store?
    let workers: [Worker]
    /// Those that take over from a worker as soon as they are ready.
    let coming: [Worker]
    /// Those that were told to end.
    let leaving: [Worker]
    /// Nil where it takes none.
    let backups: Backups?
    /// As ``backups``.
    let dataCheck: DataCheck?

    init(
        processes: ProcessStatus, store status: StoreStatus?, directory: ServedDirectory,
        figures: (Int32) -> ProcessFigures? = { ProcessFigures($0) }, now: Date = Date()
    ) {
        backups = directory.backupState.map { state in
            Backups(
                interval: state.interval, lastSuccess: state.lastSuccess?.rfc3339, lastFile: state.lastFile,
                warning: state.warning(at: now)
            )
        }
        dataCheck = directory.dataCheckState.map { state in
            DataCheck(
                interval: state.interval, last: state.last?.endedAt.rfc3339, problems: state.last?.problems ?? [],
                problemCount: state.last?.problemCount ?? 0, warning: state.warning
            )
        }
        func memory(_ pid: Int32) -> Int? { figures(pid)?.residentMemory }
        func uptime(_ pid: Int32) -> Double? { figures(pid)?.uptime }
        state = processes.state.rawValue
        supervisor = Supervisor(
            pid: processes.supervisor, memory: memory(processes.supervisor), uptime: uptime(processes.supervisor)
        )
        store = processes.store.map { process in
            Store(
                pid: process.pid, restarts: process.restarts, replacements: process.replacements,
                ready: process.isReady,
                memory: memory(process.pid), uptime: uptime(process.pid), answers: status != nil,
                commits: status?.commits, batches: status?.batches, commitsPerSecond: status?.measures?.recentCommits,
                waiting: status?.waiting, lastCommit: status?.lastCommit, logPages: status?.logPages,
                logBytes: directory.logSize, fileBytes: directory.storeSize,
                historyBytes: status?.measures?.historySize,
                fileCheck: status.map { FileCheckReport($0.fileCheck) }
            )
        }
        func worker(_ process: ProcessStatus.Process) -> Worker {
            Worker(
                pid: process.pid, restarts: process.restarts, replacements: process.replacements,
                ready: process.isReady,
                memory: memory(process.pid), uptime: uptime(process.pid)
            )
        }
        workers = processes.workers.map(worker)
        coming = processes.coming.map(worker)
        leaving = processes.leaving.map(worker)
    }

    /// Whether somebody should look: the store does not answer, its file is damaged, backups are not as they should
    /// be, or a check of the data found something.
    var isAlarming: Bool {
        guard let store, store.answers else { return true }
        if backups?.warning != nil || dataCheck?.warning != nil { return true }
        return store.fileCheck?.state == .damaged
    }
}
