/// The processes of a running server, as `status` prints them and other programs read them.
package struct ProcessStatus: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Hashable, Codable {
        case starting, serving, deploying, ending
    }

    package struct Process: Sendable, Hashable, Codable {
        package let pid: Int32
        /// The number of processes that were started in this slot because another had died.
        package let restarts: Int
        /// The number of deploys that gave this slot to another program.
        package let replacements: Int
        package let isReady: Bool
        /// The number of the worker, from 1; nil for a store.
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
    /// The supervisor's start time, which distinguishes it from a later process with the same number; nil where
    /// the system does not report it.
    package let supervisorStart: UInt64?
    package let state: State
    package let store: Process?
    /// The workers that serve or are about to, in the order of their slots.
    package let workers: [Process]
    /// The workers that take over from another as soon as they are ready.
    package let coming: [Process]
    /// The workers that were asked to end.
    package let leaving: [Process]

    package init(
        supervisor: Int32, state: State = .serving, store: Process?, workers: [Process], coming: [Process] = [],
        leaving: [Process] = []
    ) {
        self.supervisor = supervisor
        supervisorStart = ProcessStartTime.ticks(of: supervisor)
        self.state = state
        self.store = store
        self.workers = workers
        self.coming = coming
        self.leaving = leaving
    }

    /// Indicates whether the process that wrote the status still exists.
    package var isCurrent: Bool {
        guard ProcessStartTime.exists(supervisor) else { return false }
        guard let supervisorStart, let now = ProcessStartTime.ticks(of: supervisor) else { return true }
        return supervisorStart == now
    }
}

// The status of a server of an earlier version must be readable, because a deploy does not replace the supervisor.
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

/// The programs, arguments and descriptors that the supervisor runs its processes with.
package struct ProcessPlan: Sendable {
    /// The path of the program, for the processes that run now and for a later deploy.
    package let program: String
    package let environment: [String: String]
    package let storeArguments: [String]
    package let workerArguments: [String]
    /// Further arguments of the workers that start together with the store, and wait for it.
    package let firstWorkerArguments: [String]
    /// The arguments that ask a program what it would do to the store's schema.
    package let probeArguments: [String]
    package let workers: Int
    /// The listening sockets.
    ///
    /// The supervisor keeps them open, so that connections queue while a process is replaced.
    package let storeSocket: CInt
    package let workerSocket: CInt
    package let metricsSocket: CInt?
    /// The lock of the data directory, shared with each store process in turn. Its holder may write.
    package let storeLock: CInt

    package init(
        program: String, environment: [String: String], storeArguments: [String], workerArguments: [String],
        firstWorkerArguments: [String] = [], probeArguments: [String], workers: Int, storeSocket: CInt,
        workerSocket: CInt, metricsSocket: CInt? = nil, storeLock: CInt
    ) {
        self.program = program
        self.environment = environment
        self.storeArguments = storeArguments
        self.workerArguments = workerArguments
        self.firstWorkerArguments = firstWorkerArguments
        self.probeArguments = probeArguments
        self.workers = workers
        self.storeSocket = storeSocket
        self.workerSocket = workerSocket
        self.metricsSocket = metricsSocket
        self.storeLock = storeLock
    }

    /// The exit code of a child that would fail again if it were restarted (`EX_CONFIG` of sysexits.h).
    package static let refusalExitCode: Int32 = 78
    /// The exit code of a child that cannot start now for a temporary reason, such as a full disk or a file that
    /// another process holds (`EX_TEMPFAIL`).
    package static let postponementExitCode: Int32 = 75
}
