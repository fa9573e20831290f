import AviaryData
package import AviaryDomain
import Foundation

/// A data directory as the server uses it: its paths and, for a process that may write, its lock.
package struct ServerDirectory: Sendable {
    package let location: StoreLocation
    let files: DataDirectory
    /// The lock, which one process at a time holds and passes on to its child processes; nil without one.
    let lock: StoreLock?

    /// Opens a directory without a lock, for reading or for writing through the server that runs on it. The
    /// directory is created if it does not exist.
    ///
    /// - Throws: `DataDirectoryError`.
    package init(_ location: StoreLocation) throws(DataDirectoryError) {
        self.location = location
        files = try location.directory()
        lock = nil
    }

    /// Opens a directory and takes its lock.
    ///
    /// - Throws: `DataDirectoryError` that names the process that holds the lock.
    package init(locking location: StoreLocation) throws(DataDirectoryError) {
        self.location = location
        files = try location.directory()
        lock = try StoreLock(files)
    }

    /// Opens a directory with the lock that the parent process holds.
    init(_ location: StoreLocation, inheritedLock descriptor: CInt) throws(DataDirectoryError) {
        self.location = location
        files = try location.directory()
        lock = StoreLock(inherited: descriptor)
    }

    package var path: String { files.path }
    var engine: any StoreEngine { location.engine }
    package var socketPath: String { files.socketPath }
    package var statusFile: StatusFile { StatusFile(path: files.statusPath) }
    /// The size of the store's file in bytes. It comes from the file's attributes, because a process that opens and
    /// closes the file itself loses its locks on the file.
    package var storeSize: Int { Self.size(of: files.storeFilePath) }
    package var logSize: Int { Self.size(of: files.storeFilePath + "-wal") }

    private static func size(of path: String) -> Int {
        // A missing file has no attributes and counts as empty.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Indicates whether other users may write to the directory. They could replace its files.
    package var isOpenToOthers: Bool {
        // Other code rejects a directory whose attributes cannot be read.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return ((attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0) & 0o022 != 0
    }

    var lockDescriptor: CInt { lock?.descriptor ?? -1 }
}
