package import AviaryDomain
import Foundation

/// The files of one data directory.
package struct DataDirectory: Sendable {
    package let path: String

    /// Creates the directory, private to its user, if it is missing.
    ///
    /// - Throws: ``DataDirectoryError`` if it cannot be created or written, or is not a directory.
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

    /// Creates a value for a directory that was already checked.
    package init(found path: String) {
        self.path = path
    }

    /// Indicates whether the directory has a store. Does not create the directory.
    ///
    /// The result is also true if the directory belongs to another user and its store may not be read. The next
    /// step reports the error.
    package static func hasStore(at path: String) -> Bool {
        access(path + "/store.sqlite", F_OK) == 0 || errno == EACCES
    }

    /// Indicates whether the directory has a store that this user may read and write.
    package static func hasWritableStore(at path: String) -> Bool {
        access(path + "/store.sqlite", R_OK | W_OK) == 0
    }

    package var storePath: String { path + "/store.sqlite" }
    /// The path of the file that ``storePath`` leads to. A restore changes it.
    package var storeFilePath: String { StoreFileName.file(of: storePath) }
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
            // Another process that starts at the same time may have created it first.
            if errno == EEXIST { return }
            throw DataDirectoryError(
                path: path, reason: "cannot be created: \(SystemError.current).",
                advice: "Create it for the user that runs this program, or choose another directory with --data."
            )
        }
        // The umask may have removed more than the rights of others.
        chmod(path, 0o700)
    }
}

extension DataDirectory {
    /// Creates a value for an existing directory with a store of the same user. Creates no file.
    ///
    /// - Throws: ``DataDirectoryError`` that says what is wrong with the path.
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

    /// Reads the store that is about to be replaced.
    ///
    /// A damaged store has an error of its own, because the usual advice, to take a backup and run repair, does not
    /// fit a restore.
    ///
    /// - Throws: ``StoreOpenError/damagedBeforeRestore(path:)`` for a damaged store; otherwise the error of `read`.
    func beforeRestore<Value>(_ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch let error as EngineError {
            throw error.kind == .damage ? StoreOpenError.damagedBeforeRestore(path: storePath) : error
        }
    }

    /// Removes the files of snapshots and restores, and partially written files, that killed processes left.
    func removeAbandonedFiles() {
        WorkingDirectory.removeAbandoned(in: snapshotsPath)
        AtomicFile.removeAbandoned(in: snapshotsPath)
    }

    /// Creates the directory of the snapshots if it is missing.
    ///
    /// - Throws: ``FileError``.
    package func createSnapshotsDirectory() throws(FileError) {
        guard mkdir(snapshotsPath, 0o700) == 0 || errno == EEXIST else { throw .unwritable(snapshotsPath) }
    }

    /// Returns an unused path for a snapshot, such as `Zoo-20261120T183955Z.jsonl.gz` in the snapshots directory.
    func newSnapshotPath(app: String, createdAt: String, suffix: String = "") -> String {
        newPath(beginning: app + "-", at: createdAt, ending: suffix + ".jsonl.gz")
    }

    /// Returns an unused path in the snapshots directory.
    ///
    /// - Parameter time: The time in the format of ``Foundation/Date/rfc3339``.
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
