import AviaryDomain
import Foundation

/// A copy of the store's file before a migration rewrote it, with which the older program can be used again.
struct SafetyCopy {
    /// The number of copies to keep. Each is as large as the store.
    private static let kept = 3
    private static let prefix = "before-migration-"
    private static let suffix = ".sqlite"

    private let directory: DataDirectory
    private let path: String

    /// Copies the committed contents.
    ///
    /// - Throws: ``FileError``, ``EngineError``. No copy is left behind in this case.
    init(of directory: DataDirectory, by engine: any StoreEngine, at date: Date) throws {
        try directory.createSnapshotsDirectory()
        let working = try WorkingDirectory(in: directory.snapshotsPath)
        let copy = working.path + "/copy.sqlite"
        try engine.copyStore(of: directory, to: copy, check: { _ in }).close()
        self.directory = directory
        path = directory.newPath(beginning: Self.prefix, at: date.rfc3339 ?? "", ending: Self.suffix)
        try AtomicFile.publish(copy, as: path)
    }

    /// Removes the copy after a migration that was not committed. Otherwise repeated failed starts would fill the
    /// disk.
    func discard() {
        unlink(path)
    }

    /// Removes the oldest of the other copies after the migration is on disk. Until then they may be the only
    /// usable copies.
    ///
    /// They are ordered by modification time: their names contain the time of a clock that may have been set since.
    /// This copy stays regardless of the clock. The next migration retries what cannot be removed.
    func removeOthers() {
        // The next migration retries the removal.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory.snapshotsPath) else { return }
        let others = names.filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(Self.suffix) }
            .map { directory.snapshotsPath + "/" + $0 }.filter { $0 != path }
        let written = others.map { (path: $0, at: Self.timeWritten($0)) }.sorted { ($0.at, $0.path) < ($1.at, $1.path) }
        for other in written.dropLast(Self.kept - 1) { unlink(other.path) }
    }

    /// Returns the time of the file's last modification, in seconds. A missing file counts as old.
    private static func timeWritten(_ path: String) -> Double {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
    }
}
