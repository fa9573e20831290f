package import Foundation

/// A job on snapshots that a user began in the admin.
///
/// At most one job runs at a time. Its result is kept until the next job begins.
package struct SnapshotJob: BackgroundJob, Hashable {
    package enum Task: String, Sendable, Hashable, Codable {
        case take, prove
        /// The job of determining the changes that a restore would make.
        case inspect
        case restore
        /// The job of receiving a snapshot from elsewhere.
        case upload
    }

    package let id: UUID
    package let task: Task
    /// The name of the snapshot; nil while a new one is being taken.
    package var file: String?
    /// The name of the user who began the job.
    package let author: String
    package let startedAt: Date
    package var state = JobState.running
    package var progress: SnapshotProgress?
    /// The result, or the reason of the failure.
    package var text: String?
    package var plan: RestorePlan?
    /// The restore epoch of the store before a restore, which changes it.
    package var restoreEpoch: String?
    /// Indicates whether an interrupted restore had replaced the store; nil when it is unknown.
    package var isRestored: Bool?
    /// The names of the stores that earlier restores replaced and that this one removed; nil for other tasks, as is
    /// ``notRemoved``.
    package var removed: [String]?
    /// The reasons for which further replaced stores could not be removed. Each is a sentence with the name of the
    /// file.
    package var notRemoved: [String]?
    /// The reason for which the last changes of the replaced store are not in its snapshot yet, see ``RestoreSummary/unsaved``.
    package var unsaved: String?

    package init(_ task: Task, of file: String?, by author: String, at time: Date) {
        id = UUID.version7()
        self.task = task
        self.file = file
        self.author = author
        startedAt = time
    }
}

/// The snapshots of a store, and the jobs on them.
package protocol SnapshotLibrary: Sendable {
    /// Returns the snapshots, newest first.
    func files() async throws -> [SnapshotFile]
    /// Returns the snapshot with a name, which may come from outside; nil when there is none.
    func file(_ name: String) async -> SnapshotFile?
    /// Returns the path of the file with this name; nil when there is none.
    func path(of name: String) async -> String?
    /// Returns the job that began last; nil when there was none.
    func job() async -> SnapshotJob?
    /// Begins a job that continues after this method returns.
    ///
    /// The job ends with ``AccountEndedError`` when the account no longer has the permission. The library checks this
    /// before the job begins, and again while a restore holds writes.
    ///
    /// - Parameters:
    ///   - task: The task of the job.
    ///   - file: The name of the snapshot; nil to take a new one.
    ///   - author: The name of the user who begins the job.
    ///   - isGood: A closure that returns whether the account still has its permission.
    /// - Throws: ``SnapshotLibraryError``.
    func begin(
        _ task: SnapshotJob.Task, of file: String?, by author: String,
        isGood: @escaping @Sendable () async throws -> Bool
    ) async throws(SnapshotLibraryError)
    /// Receives a snapshot from elsewhere, and returns when it has arrived.
    ///
    /// The check of the snapshot continues after that. The snapshot gets its name, with the time at which it was
    /// taken, only when the check succeeds.
    ///
    /// - Parameters:
    ///   - size: The approximate size in bytes; nil when it is unknown.
    ///   - author: The name of the user who sends the snapshot.
    ///   - isGood: A closure that returns whether the account still has its permission. The library calls it before
    ///     it keeps the snapshot.
    ///   - next: A closure that returns the next bytes; nil at the end.
    /// - Throws: ``SnapshotLibraryError``; the error of `next`.
    func receive(
        ofSize size: Int?, by author: String, isGood: @escaping @Sendable () async throws -> Bool,
        _ next: @Sendable () async throws -> [UInt8]?
    ) async throws
    /// Returns the state of the scheduled backups; nil when the server takes none.
    func backupState() async -> BackupState?
}

package enum SnapshotLibraryError: Error, Sendable, Hashable {
    /// An error that occurs while another job runs.
    case busy
    case noSuchFile
    case unwritable(String)
}

/// The progress of work on a snapshot.
package struct SnapshotProgress: Sendable, Hashable, Codable {
    package enum Step: String, Sendable, Hashable, Codable {
        /// The step that copies one committed state of the store, which the next steps read.
        case copying
        /// The step that receives a snapshot from elsewhere. Its progress is counted in bytes.
        case receiving
        case writing
        /// The step that waits for a pipe that provides no bytes.
        case waiting
        case reading
        /// The step that checks the conditions that depend on all records together.
        case checking
        case proving
        /// The step that migrates the records of an older program to the models of this one.
        case migrating
        case replacing
    }

    package let step: Step
    /// The number of records that are done.
    package let done: Int
    /// The total; nil when it is unknown.
    package let total: Int?

    package init(_ step: Step, done: Int = 0, of total: Int? = nil) {
        self.step = step
        self.done = done
        self.total = total
    }

    /// The description of the progress: `Reading records, 40%`.
    package var words: String {
        let name =
            switch step {
            case .copying: localized("Copying the store")
            case .receiving: localized("Receiving the file")
            case .writing: localized("Writing records")
            case .waiting: localized("Waiting for the backup from the pipe")
            case .reading: localized("Reading records")
            case .checking: localized("Checking all records")
            case .proving: localized("Comparing the restored records")
            case .migrating: localized("Migrating the records to the program’s models")
            case .replacing: localized("Replacing the store with the backup")
            }
        return percent.map { name + ", " + localized("\($0)%") } ?? name + "…"
    }

    /// The progress in per cent; nil when the total is unknown.
    package var percent: Int? {
        guard let total, total > 0 else { return nil }
        return min(100, done * 100 / total)
    }
}
