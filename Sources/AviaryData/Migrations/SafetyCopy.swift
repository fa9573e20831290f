import AviaryDomain
import Foundation

/// The store's file as it was before a migration rewrote what it held: the way back to the program that wrote it.
struct SafetyCopy {
    /// Each is as large as the store.
    private static let kept = 3
    private static let prefix = "before-migration-"
    private static let suffix = ".sqlite"

    private let directory: DataDirectory
    private let path: String

    /// Copies what is committed.
    ///
    /// - Throws: ``FileError``, ``EngineError``; then no copy is left behind.
    init(of directory: DataDirectory, by engine: any StoreEngine, at date: Date) throws {
        try directory.createSnapshotsDirectory()
        let working = try WorkingDirectory(in: directory.snapshotsPath)
        let copy = working.path + "/copy.sqlite"
        try engine.copyStore(of: directory, to: copy, check: { _ in }).close()
        self.directory = directory
        path = directory.newPath(beginning: Self.prefix, at: date.rfc3339 ?? "", ending: Self.suffix)
        try NewFile.publish(copy, as: path)
    }

    /// Removes it: the migration did not happen. Otherwise a start that fails again and again would fill the disk.
    func discard() {
        unlink(path)
    }

    /// Removes the oldest of the others: the migration is on disk. Until then they may be the only way back.
    ///
    /// By when they were written: their names tell what a clock said, which may have been set since. This one stays
    /// whatever the clock says. What cannot be removed is tried again after the next migration.
    func removeOthers() {
        // as above
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory.snapshotsPath) else { return }
        let others = names.filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(Self.suffix) }
            .map { directory.snapshotsPath + "/" + $0 }.filter { $0 != path }
        let written = others.map { (path: $0, at: Self.timeWritten($0)) }.sorted { ($0.at, $0.path) < ($1.at, $1.path) }
        for other in written.dropLast(Self.kept - 1) { unlink(other.path) }
    }

    /// Returns the time of the file's last change, in seconds. A missing file counts as old.
    private static func timeWritten(_ path: String) -> Double {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
    }
}
