/// The processes of a running server: what `status` tells and other programs read.
package struct ProcessStatus: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Hashable, Codable {
        case starting, serving, deploying, ending
    }

    package struct Process: Sendable, Hashable, Codable {
        package let pid: Int32
        /// How often a process in its place was started because another had died.
        package let restarts: Int
        /// How often a deploy gave its place to another program.
        package let replacements: Int
        package let isReady: Bool
        /// Which worker it is, from 1; nil for a store.
        package let number: Int?

        package init(pid: Int32, restarts: Int, replacements: Int = 0, isReady: Bool, number: Int? = nil) {
            self.pid = pid
            self.restarts = restarts
            self.replacements = replacements
            self.isReady = isReady
            self.number = number
        }
    }

    package let supervisor: Int32
    /// Tells the supervisor from another process that got its number later; nil where the system does not tell.
    package let supervisorStart: UInt64?
    package let state: State
    package let store: Process?
    /// Those that serve or are about to, in the order of their places.
    package let workers: [Process]
    /// Those that take over from a worker as soon as they are ready.
    package let coming: [Process]
    /// Those that were told to end.
    package let leaving: [Process]

    package init(
        supervisor: Int32, state: State = .serving, store: Process?, workers: [Process], coming: [Process] = [],
        leaving: [Process] = []
    ) {
        self.supervisor = supervisor
        supervisorStart = ProcessStart.ticks(of: supervisor)
        self.state = state
        self.store = store
        self.workers = workers
        self.coming = coming
        self.leaving = leaving
    }

    /// Whether the process that wrote it is still there.
    package var isCurrent: Bool {
        guard ProcessStart.exists(supervisor) else { return false }
        guard let supervisorStart, let now = ProcessStart.ticks(of: supervisor) else { return true }
        return supervisorStart == now
    }
}

// Also what a server of an earlier version wrote can be read: a deploy does not replace the supervisor.
extension ProcessStatus {
    private enum Key: String, CodingKey {
        case supervisor, supervisorStart, state, store, workers, coming, leaving
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        supervisor = try values.decode(Int32.self, forKey: .supervisor)
        supervisorStart = try values.decodeIfPresent(UInt64.self, forKey: .supervisorStart)
        state = try values.decodeIfPresent(State.self, forKey: .state) ?? .serving
        store = try values.decodeIfPresent(Process.self, forKey: .store)
        workers = try values.decode([Process].self, forKey: .workers)
        coming = try values.decodeIfPresent([Process].self, forKey: .coming) ?? []
        leaving = try values.decodeIfPresent([Process].self, forKey: .leaving) ?? []
    }
}

extension ProcessStatus.Process {
    private enum Key: String, CodingKey {
        case pid, restarts, replacements, isReady, number
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        pid = try values.decode(Int32.self, forKey: .pid)
        restarts = try values.decode(Int.self, forKey: .restarts)
        replacements = try values.decodeIfPresent(Int.self, forKey: .replacements) ?? 0
        isReady = try values.decode(Bool.self, forKey: .isReady)
        number = try values.decodeIfPresent(Int.self, forKey: .number)
    }
}

/// What the supervisor runs and how.
package struct ProcessPlan: Sendable {
    /// Where the program lies, for the processes that run now and for a later deploy.
    package let program: String
    package let environment: [String: String]
    package let storeArguments: [String]
    package let workerArguments: [String]
    /// By which a program is asked what it would do to the store's schema.
    package let inquiryArguments: [String]
    package let workers: Int
    /// The listening sockets; the supervisor keeps them open, so that connections queue while a process is replaced.
    package let storeSocket: CInt
    package let workerSocket: CInt
    package let metricsSocket: CInt?
    /// The right to write to the data directory, shared with each store process in turn.
    package let storeLock: CInt

    package init(
        program: String, environment: [String: String], storeArguments: [String], workerArguments: [String],
        inquiryArguments: [String], workers: Int, storeSocket: CInt, workerSocket: CInt, metricsSocket: CInt? = nil,
        storeLock: CInt
    ) {
        self.program = program
        self.environment = environment
        self.storeArguments = storeArguments
        self.workerArguments = workerArguments
        self.inquiryArguments = inquiryArguments
        self.workers = workers
        self.storeSocket = storeSocket
        self.workerSocket = workerSocket
        self.metricsSocket = metricsSocket
        self.storeLock = storeLock
    }

    /// The exit code by which a child says that starting it again will not help (`EX_CONFIG` of sysexits.h).
    package static let refusalExitCode: Int32 = 78
    /// The exit code by which a child says that it cannot start now, for a reason that passes: a full disk, a file that
    /// somebody else holds (`EX_TEMPFAIL`).
    package static let postponementExitCode: Int32 = 75
}
