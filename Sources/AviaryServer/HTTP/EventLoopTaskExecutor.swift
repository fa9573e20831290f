import NIOCore

/// Runs tasks on an event loop: those of a connection on the one that its socket belongs to. A hop to another thread and
/// back costs more than most pages do.
final class EventLoopTaskExecutor: TaskExecutor {
    let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Does what may take long away from the event loop, which serves other connections meanwhile.
func awayFromEventLoop<Result>(_ work: () async throws -> Result) async throws -> Result {
    try await withTaskExecutorPreference(globalConcurrentExecutor) { try await work() }
}
