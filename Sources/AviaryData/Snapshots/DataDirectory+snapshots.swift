import AviaryDomain
import Foundation

extension DataDirectory {
    var snapshotsPath: String { path + "/snapshots" }
    var hasStore: Bool { access(storePath, F_OK) == 0 }

    /// Reads the store that is about to be replaced: where it is damaged, that it has to be restored is known already.
    ///
    /// - Throws: ``StoreOpenError/damagedBeforeRestore(path:)``; what `read` throws else.
    func beforeRestore<Value>(_ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch let error as EngineError {
            throw error.kind == .damage ? StoreOpenError.damagedBeforeRestore(path: storePath) : error
        }
    }

    /// Removes the files of snapshots and restores, and partly written files, that killed processes left.
    func removeAbandonedFiles() {
        WorkingDirectory.removeAbandoned(in: snapshotsPath)
        NewFile.removeAbandoned(in: snapshotsPath)
    }

    /// - Throws: ``FileError``.
    func createSnapshotsDirectory() throws(FileError) {
        guard mkdir(snapshotsPath, 0o700) == 0 || errno == EEXIST else { throw .unwritable(snapshotsPath) }
    }

    /// A name that is not taken, such as `Zoo-20261120T183955Z.jsonl.gz`.
    func newSnapshotPath(app: String, createdAt: String, suffix: String = "") -> String {
        newPath(beginning: app + "-", at: createdAt, ending: suffix + ".jsonl.gz")
    }

    /// A name among the snapshots that is not taken.
    ///
    /// - Parameter time: As ``Foundation/Date/rfc3339``.
    func newPath(beginning: String, at time: String, ending: String) -> String {
        let base = snapshotsPath + "/" + beginning + time.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
        var path = base + ending
        var number = 2
        while access(path, F_OK) == 0 {
            path = base + "-\(number)" + ending
            number += 1
        }
        return path
    }
}
