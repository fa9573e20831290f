import AviaryDomain
import Foundation

extension DataDirectory {
    var snapshotsPath: String { path + "/snapshots" }
    var hasStore: Bool { access(storePath, F_OK) == 0 }

    /// - Throws: ``FileError``.
    func createSnapshotsDirectory() throws(FileError) {
        guard mkdir(snapshotsPath, 0o700) == 0 || errno == EEXIST else { throw .unwritable(snapshotsPath) }
    }

    /// A name that is not taken, such as `Zoo-20261120T183955Z.jsonl.gz`.
    func newSnapshotPath(app: String, createdAt: String, suffix: String = "") -> String {
        let time = createdAt.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
        let base = snapshotsPath + "/" + app + "-" + time
        var path = base + suffix + ".jsonl.gz"
        var number = 2
        while access(path, F_OK) == 0 {
            path = base + "-\(number)" + suffix + ".jsonl.gz"
            number += 1
        }
        return path
    }
}
