import AviaryDomain
import Foundation
import Synchronization

/// A file with the state of the current or last job in a folder. Every process that has the directory sees the same.
struct JobFile<Job: BackgroundJob>: Sendable {
    private let file: JSONFile<Job>
    private let lockPath: String

    init(folder: String) {
        file = JSONFile(path: folder + "/" + JobFileName.job)
        lockPath = folder + "/" + JobFileName.lock
    }

    /// Returns the job; nil when there was none.
    func read() -> Job? {
        guard var job = file.read() else { return nil }
        // A process that ended has let go of its lock, however it ended.
        if job.state == .running, !isLocked, let later = file.read() {
            job = later
            if job.state == .running { job.state = .interrupted }
        }
        return job
    }

    func write(_ job: Job) throws { try file.write(job) }

    func remove() { file.remove() }

    /// Acquires the lock; nil when another process has it.
    ///
    /// - Throws: ``FileError``.
    func lock() throws(FileError) -> JobLock? {
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(lockPath) }
        for _ in 0..<Self.attempts {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return JobLock(descriptor) }
            // Who has just ended its work, or only looks, lets go of it at once.
            if read()?.state == .running { break }
            usleep(1000)
        }
        close(descriptor)
        return nil
    }

    private static var attempts: Int { 50 }

    private var isLocked: Bool {
        let descriptor = open(lockPath, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // Shared, so that others who look are not in the way.
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }
}

enum JobFileName {
    static let job = ".job.json"
    static let lock = ".job.lock"
}

/// Held as long as the work goes on.
final class JobLock: Sendable {
    private let descriptor: Int32

    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
}

/// Writes down how far a job has come.
final class JobReporter<Job: BackgroundJob>: JobNotes {
    private struct State {
        var job: Job
        var writtenAt: ContinuousClock.Instant?
    }

    private let state: Mutex<State>
    private let file: JobFile<Job>

    /// - Parameter job: As it is written down already.
    init(job: Job, file: JobFile<Job>) {
        state = Mutex(State(job: job))
        self.file = file
    }

    /// Now and then, from a thread that may wait for disks.
    func report(_ change: (inout Job) -> Void) {
        // How far it has come is not worth failing for.
        if let job = changed(change) { try? file.write(job) }
    }

    func note(_ change: @Sendable (inout Job) -> Void) async {
        guard let job = changed(change) else { return }
        try? await BlockingWork.run { [file] in try file.write(job) }  // as above
    }

    func keep(_ change: @Sendable (inout Job) -> Void) async throws {
        let job = state.withLock { state in
            change(&state.job)
            state.writtenAt = .now
            return state.job
        }
        try await BlockingWork.run { [file] in try file.write(job) }
    }

    func finish(_ change: (inout Job) -> Void) {
        let job = state.withLock { state in
            change(&state.job)
            return state.job
        }
        // With a full disk nothing is left to be told; the work then counts as interrupted.
        try? file.write(job)
    }

    /// Returns the changed job; nil when the last one was written just now.
    private func changed(_ change: (inout Job) -> Void) -> Job? {
        let now = ContinuousClock.now
        return state.withLock { state in
            change(&state.job)
            guard state.writtenAt.map({ now - $0 > .milliseconds(300) }) ?? true else { return nil }
            state.writtenAt = now
            return state.job
        }
    }
}
