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
