import AviaryDomain
import CSQLite
import Foundation

extension SQLiteEngine {
    /// Sorting an index takes as much again. More did not make either quicker: ids grow with time, and so does their
    /// index.
    private static let buildingCacheInKibibytes = 4_000

    func copyStore(
        of directory: DataDirectory, to path: String, check: (any Connection) throws -> Void
    ) throws -> any Connection {
        // Not query_only, which would refuse VACUUM INTO; the file itself is open read-only.
        let store = try Self.openExisting(directory, busyTimeoutInMilliseconds: Self.copyTimeoutInMilliseconds)
        defer { store.close() }
        try check(store)
        try Self.createPrivateFile(path)
        try store.run("VACUUM INTO ?", .text(path))
        return try SQLiteConnection(path: path, flags: SQLITE_OPEN_READONLY, busyTimeoutInMilliseconds: 0)
    }

    /// SQLite takes over the permissions of an empty file.
    private static func createPrivateFile(_ path: String) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path) }
        close(descriptor)
    }

    /// Creates a store without a journal.
    func createStore(at path: String) throws -> any WriterConnection {
        let connection = try SQLiteConnection(
            path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, busyTimeoutInMilliseconds: 0
        )
        guard chmod(path, 0o600) == 0 else { throw FileError.unwritable(path) }
        // The live store's file takes over every page of this one, settings included.
        try connection.set("auto_vacuum", to: "INCREMENTAL", readingBack: "2")
        try connection.set("journal_mode", to: "OFF")
        try connection.set("synchronous", to: "OFF", readingBack: "0")
        try connection.set("foreign_keys", to: "OFF", readingBack: "0")
        try connection.set("cache_size", to: "-\(Self.buildingCacheInKibibytes)")
        return connection
    }

    func openReplacement(at path: String) throws -> any WriterConnection {
        let connection = try SQLiteConnection(path: path, flags: SQLITE_OPEN_READWRITE, busyTimeoutInMilliseconds: 0)
        try connection.checkIsStore()
        // The file is thrown away if the process ends now.
        try connection.set("journal_mode", to: "MEMORY")
        try connection.set("synchronous", to: "OFF", readingBack: "0")
        return connection
    }

    func place(storeAt path: String, in directory: DataDirectory) throws -> Bool {
        // A log without its store would be replayed into this one.
        guard ["", "-wal", "-shm", "-journal"].allSatisfy({ access(directory.storePath + $0, F_OK) != 0 }) else {
            return false
        }
        try NewFile.publish(path, as: directory.storePath)
        return true
    }
}
