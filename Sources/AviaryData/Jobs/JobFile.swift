import AviaryDomain
import Foundation

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
