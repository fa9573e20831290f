import AviaryDomain
import Foundation

/// The store's file as it was before a migration rewrote what it held: the way back to the program that wrote it.
enum SafetyCopy {
    /// Each is as large as the store.
    private static let kept = 3
    private static let prefix = "before-migration-"
    private static let suffix = ".sqlite"

    /// Copies what is committed, and removes older copies.
    ///
    /// - Throws: ``FileError``, ``EngineError``; then no copy is left behind, and the older ones stay.
    static func make(of directory: DataDirectory, by engine: any StoreEngine, at date: Date) throws {
        try directory.createSnapshotsDirectory()
        let working = try WorkingDirectory(in: directory.snapshotsPath)
        let copy = working.path + "/copy.sqlite"
        try engine.copyStore(of: directory, to: copy, check: { _ in }).close()
        try NewFile.publish(copy, as: path(in: directory, at: date))
        removeOlder(in: directory)
    }

    private static func path(in directory: DataDirectory, at date: Date) -> String {
        let time = (date.rfc3339 ?? "").prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
        let base = directory.snapshotsPath + "/" + prefix + time
        var path = base + suffix
        var number = 2
        while access(path, F_OK) == 0 {
            path = base + "-\(number)" + suffix
            number += 1
        }
        return path
    }

    /// What cannot be removed is tried again after the next migration.
    private static func removeOlder(in directory: DataDirectory) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory.snapshotsPath) else { return }  // as above
        let copies = names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }.sorted()
        for name in copies.dropLast(kept) { unlink(directory.snapshotsPath + "/" + name) }
    }
}
