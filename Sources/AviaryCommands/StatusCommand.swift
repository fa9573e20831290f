import ArgumentParser
import AviaryAdmin
import AviaryDomain
import AviaryIPC
import AviaryRuntime
import Foundation

struct StatusCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "status", abstract: "Report the processes of a data directory and the state of its store.",
            discussion: """
                The exit code is 0 when the directory is served and the store answers. It is 1 when nothing serves the directory, \
                the store or its database does not answer, its file is damaged, the server's backups fail or are late, or its check of the \
                data found a difference.
                """
        )
    }

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var location: DataOption

    func run() async throws {
        guard FileManager.default.fileExists(atPath: location.path) else { throw try await nothingServes() }
        let directory = try ServerDirectory(location.store)
        guard let processes = directory.statusFile.read() else {
            throw try await nothingServes()
        }
        // The store may not be running. The report on its processes is still useful.
        let store = try? await StoreClient(path: directory.socketPath, patience: .seconds(1)).status()
        let report = StatusReport(
            processes: processes, store: store, directory: directory, database: await .init(directory.location))
        if json {
            print(try report.json)
        } else {
            print(report.text)
        }
        if report.isAlarming { throw ExitCode.failure }
    }

    private func nothingServes() async throws -> ExitCode {
        let store = try location.store
        if let problem = await StatusReport.Database(store)?.problem { Terminal.printLine(problem) }
        Terminal.printLine(
            "Nothing serves \(store.name). Start it with: \(App.commandName) serve \(store.flags)")
        return .failure
    }
}

/// The report of `status`.
struct StatusReport: Encodable {
    struct Supervisor: Encodable {
        let pid: Int32
        /// The resident memory in bytes.
        let memory: Int?
        /// The time since the process started, in seconds.
        let uptime: Double?
    }

    struct Store: Encodable {
        let pid: Int32
        let restarts: Int
        let replacements: Int
        let ready: Bool
        let memory: Int?
        let uptime: Double?
        /// Indicates whether the store responded to this command.
        let answers: Bool
        /// The number of change sets stored since this process started.
        let commits: Int?
        let batches: Int?
        /// The number of change sets stored within the last full second.
        let commitsPerSecond: Int?
        /// The number of writes that wait for an answer.
        let waiting: Int?
        let lastCommit: Int64?
        /// The size of the write-ahead log in pages.
        let logPages: Int?
        /// The size of the write-ahead log's file in bytes. The other sizes, of the store's file and of the
        /// history, are in bytes too.
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
        /// The interval between two backups in seconds.
        let interval: Double
        /// The time of the last backup (RFC 3339), or nil if there is none yet.
        let lastSuccess: String?
        let lastFile: String?
        /// The problem that needs attention, or nil.
        let warning: String?
    }

    /// The data checks that the server makes by itself.
    struct DataCheck: Encodable {
        /// The interval between two checks in seconds.
        let interval: Double
        /// The time at which the last complete check ended (RFC 3339), or nil if there is none yet.
        let last: String?
        let problems: [String]
        let problemCount: Int
        /// The problem that needs attention, or nil.
        let warning: String?
    }

    /// An import of a command that is not complete.
    struct Import: Encodable {
        /// The state: `running` or `interrupted`.
        let state: String
        let file: String
        /// The last line that is stored.
        let lastLine: Int
        /// The command that continues the import.
        let command: String
    }

    /// A large delete or undo that the store makes in steps.
    struct LongChange: Encodable {
        /// The kind: `delete` or `undo`.
        let kind: String
        let account: String
        /// The time at which it began (RFC 3339).
        let began: String?
        let step: String
        let done: Int
        let total: Int
        /// The number of its commit; nil before it is committed.
        let commit: Int64?
        /// The number of other large changes that wait.
        let waiting: Int
        let text: String

        init(_ status: LongChangeStatus) {
            kind = status.undoes == nil ? "delete" : "undo"
            account = status.author
            began = status.began.rfc3339
            step = status.step.rawValue
            done = status.done
            total = status.total
            commit = status.commit
            waiting = status.waiting
            let name = status.undoes.map { "undo of commit \($0)" } ?? "delete"
            text = "\(name) by \(status.author), \(status.words)"
        }
    }

    /// The state of the server, such as `serving` or `deploying`.
    let state: String
    /// The database; nil if the data directory contains the store.
    let database: Database?
    let supervisor: Supervisor
    let store: Store?
    let workers: [Worker]
    /// The workers that replace others as soon as they are ready.
    let coming: [Worker]
    /// The workers that are stopping.
    let leaving: [Worker]
    /// The server's backups, or nil if it takes none.
    let backups: Backups?
    /// The server's data checks, or nil if it makes none.
    let dataCheck: DataCheck?
    let imports: [Import]
    /// The large delete or undo under way; nil if there is none, or if the store did not respond.
    let longChange: LongChange?

    init(
        processes: ProcessStatus, store status: StoreStatus?, directory: ServerDirectory, database: Database? = nil,
        figures: (Int32) -> ProcessMetricsSample? = { ProcessMetricsSample($0) }, now: Date = Date()
    ) {
        longChange = status?.longChange.map(LongChange.init)
        imports = directory.commandImports.map { job in
            Import(
                state: job.state.rawValue, file: job.file, lastLine: job.stored.lastLine,
                command: (job.command?.arguments ?? []).map(\.shellQuoted).joined(separator: " "))
        }
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
        self.database = database
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

    /// Indicates whether the server needs attention: the store does not respond, its file is damaged, backups fail
    /// or are late, or a check of the data found a difference.
    var isAlarming: Bool {
        guard let store, store.answers else { return true }
        if backups?.warning != nil || dataCheck?.warning != nil || database?.isAlarming == true { return true }
        return store.fileCheck?.state == .damaged
    }
}

extension StatusReport {
    /// The report for a terminal: a line per process, with the store's own figures below its line.
    var text: String {
        var lines = [line("supervisor", supervisor.pid, [], supervisor.uptime, supervisor.memory)]
        if state != "serving" { lines.append(line("state", [state])) }
        if let database {
            lines.append(line("database", [database.address]))
            lines += database.lines.map { line("", $0) }
        }
        if let store {
            lines.append(
                line("store", store.pid, lives(store.restarts, store.replacements), store.uptime, store.memory))
            lines += details(of: store)
        } else {
            lines.append(line("store", ["not running. If it is not restarting, see the log"]))
        }
        for worker in workers {
            let state = worker.ready ? [] : ["not ready yet"]
            lines.append(
                line(
                    "worker", worker.pid, lives(worker.restarts, worker.replacements) + state, worker.uptime,
                    worker.memory
                ))
        }
        for (name, processes) in [("coming", coming), ("leaving", leaving)] {
            lines += processes.map { line(name, $0.pid, [], $0.uptime, $0.memory) }
        }
        if let backups {
            lines.append(line("backups", [backups.lastSuccess.map { "last \($0)" } ?? "none yet", backups.lastFile]))
            if let warning = backups.warning { lines.append(line("", ["warning: \(warning)"])) }
        }
        if let dataCheck {
            let result = dataCheck.problemCount == 0 ? "ok" : "\(dataCheck.problemCount) problems"
            lines.append(line("data check", dataCheck.last.map { ["\(result), checked \($0)"] } ?? ["none yet"]))
            lines += dataCheck.problems.map { line("", [$0]) }
            if dataCheck.problemCount == 0, let warning = dataCheck.warning {
                lines.append(line("", ["warning: \(warning)"]))
            }
            if dataCheck.problemCount > 0 { lines.append(line("", [DataCheckReport.advice])) }
        }
        if let longChange {
            lines.append(
                line("long change", [longChange.text, longChange.waiting > 0 ? "\(longChange.waiting) wait" : nil]))
        }
        for job in imports {
            lines.append(line("import", [job.file, job.state, "stored up to line \(job.lastLine)"]))
            if job.state == JobState.interrupted.rawValue { lines.append(line("", ["continue with: " + job.command])) }
        }
        return lines.joined(separator: "\n")
    }

    private func details(of store: Store) -> [String] {
        guard store.answers else { return [line("", ["does not answer"])] }
        var lines = [
            line(
                "",
                [
                    "\(store.commits ?? 0) commits since it started",
                    store.commitsPerSecond.map { "\($0) in the last second" },
                    "\(store.waiting ?? 0) waiting",
                ]),
            line(
                "",
                [
                    database == nil ? "file " + Amount.size(store.fileBytes) : nil,
                    database == nil ? "write-ahead log " + Amount.size(store.logBytes) : nil,
                    store.historyBytes.map { "history " + Amount.size($0) },
                    "last commit \(store.lastCommit ?? 0)",
                ]),
        ]
        if database == nil, let check = store.fileCheck { lines.append(line("file check", [check.text])) }
        return lines
    }

    private func lives(_ restarts: Int, _ replacements: Int) -> [String] {
        ["\(restarts) restarts"] + (replacements == 0 ? [] : ["\(replacements) replacements"])
    }

    private func line(_ name: String, _ pid: Int32, _ parts: [String], _ uptime: Double?, _ memory: Int?) -> String {
        line(name, ["\(pid)"] + parts + [uptime.map { "up " + Amount.duration($0) }, memory.map(Amount.size)])
    }

    private func line(_ name: String, _ parts: [String?]) -> String {
        // File names and the error text of a hook come from outside the program.
        (name.padding(to: 12) + parts.compactMap { $0 }.joined(separator: ", ")).printable
    }
}

extension String {
    fileprivate func padding(to length: Int) -> String {
        self + String(repeating: " ", count: max(0, length - count))
    }
}

/// Formats for amounts.
enum Amount {
    /// Returns a number of bytes: `1.5 KiB`. Scripts search a terminal's lines with a plain space.
    static func size(_ bytes: Int) -> String { TextFormatter.size(bytes).replacing("\u{A0}", with: " ") }

    /// Returns a duration in its two largest units: `45 s`, `12 min 5 s`, `3 d 4 h`.
    static func duration(_ seconds: Double) -> String {
        let total = Int(max(0, seconds))
        let parts = [(total / 86_400, "d"), (total / 3600 % 24, "h"), (total / 60 % 60, "min"), (total % 60, "s")]
        guard let first = parts.firstIndex(where: { $0.0 > 0 }) else { return "0 s" }
        return parts[first...].prefix(2).filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}
