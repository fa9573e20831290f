import AviaryDomain
import CSQLite
import Foundation

/// Opens the one connection that writes.
enum StoreConnection {
    static let busyTimeoutInMilliseconds: Int32 = 2000

    /// - Throws: ``StoreOpenError``, ``DataDirectoryError``, ``SQLiteError``. A file that is no store is left as it was.
    static func open(_ directory: DataDirectory) throws -> Connection {
        try checkIsOurs(directory.storePath)
        let connection = try Connection(
            path: directory.storePath, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
            busyTimeoutInMilliseconds: busyTimeoutInMilliseconds
        )
        // By path: opening and closing a descriptor of our own would drop SQLite's locks. The -wal and -shm files
        // take over these permissions.
        guard chmod(directory.storePath, 0o600) == 0 else {
            throw DataDirectoryError(
                path: directory.storePath, reason: "cannot be made private: \(SystemError.current).",
                advice: "Let it belong to the user that runs this program."
            )
        }
        try configure(connection)
        return connection
    }

    /// Looks before anything is written: already the settings would change another program's database.
    private static func checkIsOurs(_ path: String) throws {
        let connection: Connection
        do {
            connection = try Connection(
                path: path, flags: SQLITE_OPEN_READONLY, busyTimeoutInMilliseconds: busyTimeoutInMilliseconds
            )
        } catch {
            // There is none yet. When it only cannot be read, opening it for writing tells why.
            if error.code == SQLITE_CANTOPEN { return }
            throw error
        }
        defer { connection.close() }
        if try !connection.isEmptyStore() { try connection.checkIsStore() }
    }

    private static func configure(_ connection: Connection) throws {
        let isNew = try connection.pragma("page_count") == "0"
        // Only counts before the first page is written.
        if isNew { try connection.set("auto_vacuum", to: "INCREMENTAL", readingBack: "2") }
        try connection.set("journal_mode", to: "WAL")
        // Anything less would acknowledge what a power loss takes back.
        try connection.set("synchronous", to: "FULL", readingBack: "2")
        try connection.set("foreign_keys", to: "ON", readingBack: "1")
        try connection.set("trusted_schema", to: "OFF", readingBack: "0")
        // 64 MiB: inserts touch a random page of every sort index, and 2 MiB, the default, would read most of them again.
        try connection.set("cache_size", to: "-65536")
        try connection.limitAnalyses()
        try connection.keepWriteAheadLog()
    }
}
