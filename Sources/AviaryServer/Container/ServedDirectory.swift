import AviaryData
import AviaryDomain
import Foundation

/// A data directory as the rest of the server sees it: where things lie, and the right to write there.
struct ServedDirectory: Sendable {
    let files: DataDirectory
    /// Held by one process at a time, and by the children that it hands it to.
    let lock: StoreLock?

    /// Creates the directory when it is missing. Takes no lock: for reading, or through the server that has it.
    ///
    /// - Throws: `DataDirectoryError`.
    init(path: String) throws(DataDirectoryError) {
        files = try DataDirectory(path: path)
        lock = nil
    }

    /// Takes the lock.
    ///
    /// - Throws: `DataDirectoryError`, which names the process that has it.
    init(locking path: String) throws(DataDirectoryError) {
        files = try DataDirectory(path: path)
        lock = try StoreLock(files)
    }

    /// Takes part in the lock of the process that started this one.
    init(path: String, inheritedLock descriptor: CInt) throws(DataDirectoryError) {
        files = try DataDirectory(path: path)
        lock = StoreLock(inherited: descriptor)
    }

    /// Only looks: makes no directory.
    static func hasStore(at path: String) -> Bool {
        DataDirectory.hasStore(at: path)
    }

    var path: String { files.path }
    var socketPath: String { files.socketPath }
    var statusFile: StatusFile { StatusFile(path: files.statusPath) }
    /// In bytes. Asked of the directory: whoever opens and closes the file itself drops the locks of its process.
    var storeSize: Int { Self.size(of: files.storePath) }
    var logSize: Int { Self.size(of: files.storePath + "-wal") }

    private static func size(of path: String) -> Int {
        // A file that is not there has no size.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Whether other users may write to it: they could take its files away.
    var isOpenToOthers: Bool {
        // A directory that tells nothing is refused elsewhere.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return ((attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0) & 0o022 != 0
    }

    var lockDescriptor: CInt { lock?.descriptor ?? -1 }
}
