package import Foundation

/// Work on snapshots that somebody began in the admin. There is one at a time; what it came to is kept until the next.
package struct SnapshotJob: BackgroundJob, Hashable {
    package enum Task: String, Sendable, Hashable, Codable {
        case take, prove
        /// What a restore would change.
        case inspect
        case restore
        /// Taking one in from elsewhere.
        case upload
    }

    package let id: UUID
    package let task: Task
    /// The snapshot's name; nil while one is taken.
    package var file: String?
    /// Who began it.
    package let author: String
    package let startedAt: Date
    package var state = JobState.running
    package var progress: SnapshotProgress?
    /// What came of it, or why nothing did.
    package var text: String?
    package var plan: RestorePlan?
    /// Of the store before a restore: that has another then.
    package var restoreEpoch: String?
    /// Whether a restore that was interrupted had taken its place by then; nil where that cannot be told.
    package var isRestored: Bool?
    /// Names of what earlier restores kept and this one removed; nil, as the next, of all else that is done.
    package var removed: [String]?
    /// Why others of these are still there that were to go, a sentence each, with its file.
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
    /// Nil where there is none of that name, which may come from outside.
    func file(_ name: String) async -> SnapshotFile?
    /// Where the file lies that has this name; nil where there is none.
    func path(of name: String) async -> String?
    /// The last one that was begun.
    func job() async -> SnapshotJob?
    /// Begins work that goes on after the answer.
    ///
    /// - Throws: ``SnapshotLibraryError``.
    func begin(_ task: SnapshotJob.Task, of file: String?, by author: String) async throws(SnapshotLibraryError)
    /// Takes a snapshot in from elsewhere. Returns when it has arrived; checking it goes on after the answer, and it gets its name,
    /// one of ours with the time at which it was taken, only when it was found good.
    ///
    /// - Parameters:
    ///   - size: In bytes, about; nil where nobody said.
    ///   - next: Its next bytes; nil at the end.
    /// - Throws: ``SnapshotLibraryError``; what `next` throws.
    func receive(ofSize size: Int?, by author: String, _ next: @Sendable () async throws -> [UInt8]?) async throws
    /// Nil when the server takes none by itself.
    func backupState() async -> BackupState?
}

package enum SnapshotLibraryError: Error, Sendable, Hashable {
    /// Other work goes on.
    case busy
    case noSuchFile
    case unwritable(String)
}
