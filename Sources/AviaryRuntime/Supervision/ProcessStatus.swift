/// The processes of a running server: what `status` tells and other programs read.
package struct ProcessStatus: Sendable, Hashable, Codable {
    package struct Process: Sendable, Hashable, Codable {
        package let pid: Int32
        package let restarts: Int
        package let isReady: Bool

        package init(pid: Int32, restarts: Int, isReady: Bool) {
            self.pid = pid
            self.restarts = restarts
            self.isReady = isReady
        }
    }

    package let supervisor: Int32
    package let store: Process?
    package let workers: [Process]

    package init(supervisor: Int32, store: Process?, workers: [Process]) {
        self.supervisor = supervisor
        self.store = store
        self.workers = workers
    }
}
