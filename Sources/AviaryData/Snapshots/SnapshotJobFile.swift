import AviaryDomain
import Foundation

/// What is known of the work that is under way or was last: every process that has the directory sees the same.
struct SnapshotJobFile: Sendable {
    private let file: JSONFile<SnapshotJob>
    private let lockPath: String

    /// - Parameter folder: Of the snapshots.
    init(folder: String) {
        file = JSONFile(path: folder + "/.job.json")
        lockPath = folder + "/.job.lock"
    }

    /// Nil when there was none.
    func read() -> SnapshotJob? {
        guard var job = file.read() else { return nil }
        // A process that ended has let go of its lock, however it ended.
        if job.state == .running, !isLocked, let later = file.read() {
            job = later
            if job.state == .running { job.state = .interrupted }
        }
        return job
    }

    func write(_ job: SnapshotJob) throws { try file.write(job) }

    /// Held as long as the work goes on.
    final class Lock: Sendable {
        private let descriptor: Int32

        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }
        deinit { close(descriptor) }
    }

    /// Nil when somebody else has it.
    ///
    /// - Throws: ``FileError``.
    func lock() throws(FileError) -> Lock? {
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(lockPath) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return Lock(descriptor)
    }

    private var isLocked: Bool {
        let descriptor = open(lockPath, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // Shared, so that others who look are not in the way.
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }
}
