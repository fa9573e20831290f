package import AviaryDomain
import Foundation

/// The files of one data directory.
package struct DataDirectory: Sendable {
    package let path: String

    /// Creates the directory, private to its user, when it is missing.
    ///
    /// - Throws: ``DataDirectoryError`` when it cannot be created or written, or is not a directory.
    package init(path: String) throws(DataDirectoryError) {
        self.path = path
        try Self.create(path)
        guard access(path, R_OK | W_OK | X_OK) == 0 else {
            throw DataDirectoryError(
                path: path, reason: "cannot be written: \(SystemError.current).",
                advice: "Let it belong to the user that runs this program, or choose another directory with --data."
            )
        }
    }

    /// Creates a directory from a path that was checked before.
    init(found path: String) {
        self.path = path
    }

    /// Returns a Boolean value that indicates whether the directory has a store, without creating the directory.
    ///
    /// In another user's directory there may be a store: the next step reports that it may not be read.
    package static func hasStore(at path: String) -> Bool {
        access(path + "/store.sqlite", F_OK) == 0 || errno == EACCES
    }

    /// Returns a Boolean value that indicates whether the directory has a store that this user may read and write.
    package static func hasWritableStore(at path: String) -> Bool {
        access(path + "/store.sqlite", R_OK | W_OK) == 0
    }

    package var storePath: String { path + "/store.sqlite" }
    package var lockPath: String { path + "/store.lock" }
    package var socketPath: String { path + "/store.sock" }
    package var keysPath: String { path + "/keys" }
    /// The path of the file that lists the processes that serve the directory, for other programs.
    package var statusPath: String { path + "/status.json" }

    private static func create(_ path: String) throws(DataDirectoryError) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw DataDirectoryError(
                    path: path, reason: "is not a directory.",
                    advice: "Move the file away, or choose another directory with --data."
                )
            }
            return
        }
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        if errno == ENOENT, !parent.isEmpty { try create(parent) }
        guard mkdir(path, 0o700) == 0 else {
            // Another process of the same start may have made it first.
            if errno == EEXIST { return }
            throw DataDirectoryError(
                path: path, reason: "cannot be created: \(SystemError.current).",
                advice: "Create it for the user that runs this program, or choose another directory with --data."
            )
        }
        // The umask may have taken away more than others' rights.
        chmod(path, 0o700)
    }
}

extension DataDirectory {
    /// A directory that a store of the same user is in. Creates nothing.
    ///
    /// - Throws: ``DataDirectoryError`` that says what there is instead.
    package init(existing path: String) throws(DataDirectoryError) {
        // The process may change its working directory later.
        let path = URL(filePath: path).standardizedFileURL.path
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw DataDirectoryError(
                path: path, reason: "cannot be opened: \(SystemError.current).",
                advice: "Name the directory that the server was started with, as in: serve --data \(path)"
            )
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw DataDirectoryError(
                path: path, reason: "is not a directory.", advice: "Name the data directory, not a file in it.")
        }
        guard status.st_uid == geteuid() else {
            throw DataDirectoryError(
                path: path, reason: "belongs to another user.",
                advice: "Run this program as the user that runs the server: its store serves no other."
            )
        }
        guard DataDirectory.hasStore(at: path) else {
            throw DataDirectoryError(
                path: path, reason: "has no store yet.", advice: "Start the server once, as in: serve --data \(path)"
            )
        }
        self.init(found: path)
    }
}

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
