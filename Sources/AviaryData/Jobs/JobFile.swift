import AviaryDomain
import Foundation
import Synchronization

/// A file with the state of the current or last job in a folder. All processes that use the directory share it.
struct JobFile<Job: BackgroundJob>: Sendable {
    private let file: JSONFile<Job>
    private let lockPath: String

    init(folder: String) {
        file = JSONFile(path: folder + "/" + JobFileName.job)
        lockPath = folder + "/" + JobFileName.lock
    }

    /// Returns the job; nil if there was none.
    func read() -> Job? {
        guard var job = file.read() else { return nil }
        // The system releases the lock of an ended process, however it ended.
        if job.state == .running, !isLocked, let later = file.read() {
            job = later
            if job.state == .running { job.state = .interrupted }
        }
        return job
    }

    func write(_ job: Job) throws { try file.write(job) }

    func remove() { file.remove() }

    /// Acquires the lock; nil if another process holds it.
    ///
    /// - Throws: ``FileError``.
    func lock() throws(FileError) -> JobLock? {
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(lockPath) }
        for _ in 0..<Self.attempts {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return JobLock(descriptor) }
            // A process that has just finished its job, or only tests the lock, releases it at once.
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
        // The lock is shared, so that processes that test it do not block each other.
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }
}

enum JobFileName {
    static let job = ".job.json"
    static let lock = ".job.lock"
}

/// The lock of a running job.
final class JobLock: Sendable {
    private let descriptor: Int32

    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
}

/// A reporter that writes the progress of a job to its file.
final class JobReporter<Job: BackgroundJob>: JobNotes {
    private struct State {
        var job: Job
        var writtenAt: ContinuousClock.Instant?
    }

    private let state: Mutex<State>
    private let file: JobFile<Job>

    /// Creates a reporter.
    ///
    /// - Parameter job: The job as it is already in the file.
    init(job: Job, file: JobFile<Job>) {
        state = Mutex(State(job: job))
        self.file = file
    }

    /// Writes the progress at intervals. The caller's thread may wait for disks.
    func report(_ change: (inout Job) -> Void) {
        // A failure to write the progress is not worth failing the job.
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

    /// Writes the final state.
    ///
    /// - Returns: A Boolean value that indicates whether it is on disk. Otherwise the job counts as interrupted.
    @discardableResult
    func finish(_ change: (inout Job) -> Void) -> Bool {
        let job = state.withLock { state in
            change(&state.job)
            return state.job
        }
        do {
            try file.write(job)
            return true
        } catch {
            return false
        }
    }

    /// Returns the changed job; nil if the file was written a moment ago.
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
