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
