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
