import AviaryDomain
import CSQLite
import Foundation

/// Holds a store in one SQLite file with a write-ahead log.
struct SQLiteEngine: StoreEngine {
    static let writerTimeoutInMilliseconds: Int32 = 2000
    static let readerTimeoutInMilliseconds: Int32 = 1000
    /// A copy may wait longer than a page that somebody looks at.
    static let copyTimeoutInMilliseconds: Int32 = 2000

    let dialect: any SQLDialect = SQLiteDialect()

    func openReader(_ directory: DataDirectory) throws -> any ReaderConnection {
        let connection = try Self.openExisting(directory, busyTimeoutInMilliseconds: Self.readerTimeoutInMilliseconds)
        try connection.set("query_only", to: "ON", readingBack: "1")
        try connection.set("trusted_schema", to: "OFF", readingBack: "0")
        connection.defend(true)
        connection.bounds.install(on: connection.handle)
        return connection
    }

    static func openExisting(_ directory: DataDirectory, busyTimeoutInMilliseconds: Int32) throws -> SQLiteConnection {
        do {
            return try SQLiteConnection(
                path: directory.storePath, flags: SQLITE_OPEN_READONLY,
                busyTimeoutInMilliseconds: busyTimeoutInMilliseconds
            )
        } catch {
            guard error.kind == .cannotOpen else { throw error }
            let path = directory.storePath
            // One that may not be read is none that is yet to come.
            guard access(path, R_OK) == 0 || errno != EACCES else { throw FileError.unreadable(path) }
            throw StoreOpenError.missing(path: path)
        }
    }
}

package enum StoreEngines {
    /// The engine of a store that asks for none.
    package static let standard: any StoreEngine = SQLiteEngine()
}

extension SQLiteEngine {
    func openWriter(_ directory: DataDirectory) throws -> any WriterConnection {
        do {
            try Self.checkIsOurs(directory.storePath, flags: SQLITE_OPEN_READONLY)
        } catch let error as EngineError where error.isHotJournal {
            // The first transaction of all, before there was a log, was cut off: only a writer can take it back.
            try Self.checkIsOurs(directory.storePath, flags: SQLITE_OPEN_READWRITE)
        }
        try UnflushedLog.write(againAt: directory.storePath + "-wal")
        let connection = try SQLiteConnection(
            path: directory.storePath, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
            busyTimeoutInMilliseconds: Self.writerTimeoutInMilliseconds
        )
        // By path: opening and closing a descriptor of our own would drop SQLite's locks. The -wal and -shm files
        // take over these permissions.
        guard chmod(directory.storePath, 0o600) == 0 else {
            throw DataDirectoryError(
                path: directory.storePath, reason: "cannot be made private: \(SystemError.current).",
                advice: "Let it belong to the user that runs this program."
            )
        }
        try Self.configure(connection)
        return connection
    }

    /// Looks before anything is written: already the settings would change another program's database.
    private static func checkIsOurs(_ path: String, flags: Int32) throws {
        let connection: SQLiteConnection
        do {
            connection = try SQLiteConnection(
                path: path, flags: flags, busyTimeoutInMilliseconds: writerTimeoutInMilliseconds
            )
        } catch {
            // There is none yet. When it only cannot be read, opening it for writing tells why.
            if error.kind == .cannotOpen { return }
            throw error
        }
        defer { connection.close() }
        if try !connection.isEmptyStore() { try connection.checkIsStore() }
    }

    private static let journalMode = "WAL", synchronous = "FULL"

    var durability: String { "\(Self.journalMode), synchronous=\(Self.synchronous)" }

    private static func configure(_ connection: SQLiteConnection) throws {
        let isNew = try connection.pragma("page_count") == "0"
        // Only counts before the first page is written.
        if isNew { try connection.set("auto_vacuum", to: "INCREMENTAL", readingBack: "2") }
        try connection.set("journal_mode", to: journalMode)
        // Anything less would acknowledge what a power loss takes back.
        try connection.set("synchronous", to: synchronous, readingBack: "2")
        try connection.set("foreign_keys", to: "ON", readingBack: "1")
        try connection.set("trusted_schema", to: "OFF", readingBack: "0")
        // 64 MiB: inserts touch a random page of every sort index, and 2 MiB, the default, would read most of them again.
        try connection.set("cache_size", to: "-65536")
        connection.defend(true)
        try connection.limitAnalyses()
        try connection.keepWriteAheadLog()
    }
}

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
