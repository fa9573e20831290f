package import Foundation

/// Work on snapshots that somebody began in the admin. There is one at a time; what it came to is kept until the next.
package struct SnapshotJob: BackgroundJob, Hashable {
    package enum Task: String, Sendable, Hashable, Codable {
        case take, prove
        /// Determining the changes that a restore would make.
        case inspect
        case restore
        /// Taking one in from elsewhere.
        case upload
    }

    package let id: UUID
    package let task: Task
    /// The snapshot's name; nil while one is taken.
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
    /// A Boolean value that indicates whether an interrupted restore had replaced the store; nil when it is unknown.
    package var isRestored: Bool?
    /// Names of what earlier restores kept and this one removed; nil, as the next, of all else that is done.
    package var removed: [String]?
    /// The reasons for which further replaced stores could not be removed, each a sentence with the file.
    package var notRemoved: [String]?

    package init(_ task: Task, of file: String?, by author: String, at time: Date) {
        id = UUID.version7()
        self.task = task
        self.file = file
        self.author = author
        startedAt = time
    }
}

/// The snapshots beside the store, and work on them.
package protocol SnapshotLibrary: Sendable {
    /// Newest first.
    func files() async throws -> [SnapshotFile]
    /// Returns the snapshot with a name, which may come from outside; nil when there is none.
    func file(_ name: String) async -> SnapshotFile?
    /// Returns the path of the file with this name; nil when there is none.
    func path(of name: String) async -> String?
    /// The last one that was begun.
    func job() async -> SnapshotJob?
    /// Begins work that goes on after the answer.
    ///
    /// The work ends with ``AccountEnded`` when the account may not do it any more: the library asks before the work
    /// begins, and a restore asks again while it holds writes.
    ///
    /// - Parameter isGood: A closure that returns whether the account may still do what it might when it asked.
    /// - Throws: ``SnapshotLibraryError``.
    func begin(
        _ task: SnapshotJob.Task, of file: String?, by author: String,
        isGood: @escaping @Sendable () async throws -> Bool
    ) async throws(SnapshotLibraryError)
    /// Receives a snapshot from elsewhere, and returns when it has arrived.
    ///
    /// The check of the snapshot goes on after that. The snapshot gets its name, with the time at which it was taken,
    /// only when the check succeeds.
    ///
    /// - Parameters:
    ///   - size: The approximate size in bytes; nil when it is unknown.
    ///   - isGood: A closure that returns whether the account may still do what it might when it asked. The library
    ///     asks before it keeps the snapshot.
    ///   - next: A closure that returns the next bytes; nil at the end.
    /// - Throws: ``SnapshotLibraryError``; the error of `next`.
    func receive(
        ofSize size: Int?, by author: String, isGood: @escaping @Sendable () async throws -> Bool,
        _ next: @Sendable () async throws -> [UInt8]?
    ) async throws
    /// Returns the state of the backups; nil when the server takes none by itself.
    func backupState() async -> BackupState?
}

package enum SnapshotLibraryError: Error, Sendable, Hashable {
    /// Other work goes on.
    case busy
    case noSuchFile
    case unwritable(String)
}

/// The progress of work on a snapshot.
package struct SnapshotProgress: Sendable, Hashable, Codable {
    package enum Step: String, Sendable, Hashable, Codable {
        /// Copying one committed state of the store, to be read afterwards.
        case copying
        /// Receiving a snapshot from elsewhere, counted in bytes.
        case receiving
        case writing
        /// Waiting for a pipe that provides nothing.
        case waiting
        case reading
        /// Checking what can only be checked when all records are read.
        case checking
        case proving
        /// Bringing an older program's records to the models of this one.
        case migrating
        case replacing
    }

    package let step: Step
    /// Records.
    package let done: Int
    /// The total; nil when it is unknown.
    package let total: Int?

    package init(_ step: Step, done: Int = 0, of total: Int? = nil) {
        self.step = step
        self.done = done
        self.total = total
    }

    /// `Reading records, 40 %`.
    package var words: String {
        let name =
            switch step {
            case .copying: localized("Copying the store")
            case .receiving: localized("Receiving the file")
            case .writing: localized("Writing records")
            case .waiting: localized("Waiting for the pipe to bring the snapshot")
            case .reading: localized("Reading records")
            case .checking: localized("Checking all records together")
            case .proving: localized("Comparing what was restored")
            case .migrating: localized("Bringing the records to the program's models")
            case .replacing: localized("Putting the snapshot in place of the store")
            }
        return percent.map { "\(name), \($0) %" } ?? name + "…"
    }

    /// The progress in per cent; nil when the total is unknown.
    package var percent: Int? {
        guard let total, total > 0 else { return nil }
        return min(100, done * 100 / total)
    }
}
