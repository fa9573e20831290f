package import AviaryDomain
import Foundation

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
