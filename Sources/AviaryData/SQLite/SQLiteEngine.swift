import AviaryDomain
import CSQLite
import Foundation

/// An engine that stores a store in one SQLite file with a write-ahead log.
struct SQLiteEngine: StoreEngine {
    static let writerTimeoutInMilliseconds: Int32 = 2000
    static let readerTimeoutInMilliseconds: Int32 = 1000
    /// The busy timeout of a copy, which may wait longer than a page that a user waits for.
    static let copyTimeoutInMilliseconds: Int32 = 2000

    let dialect: any SQLDialect = SQLiteDialect()

    func hasStore(_ directory: DataDirectory) -> Bool { DataDirectory.hasStore(at: directory.path) }

    /// Leaves the file, which is removed with its directory.
    func removeStore(at path: String) {}

    func isReplaced(storeAt path: String, in directory: DataDirectory) -> Bool {
        StoreFileChange.wasMade(keeping: path, of: directory.storePath)
    }

    func openReader(_ directory: DataDirectory) throws -> any ReaderConnection {
        let connection = try Self.openExisting(directory, busyTimeoutInMilliseconds: Self.readerTimeoutInMilliseconds)
        try connection.set("query_only", to: "ON", readingBack: "1")
        try connection.set("trusted_schema", to: "OFF", readingBack: "0")
        connection.defend(true)
        connection.bounds.install(on: connection.handle)
        return connection
    }

    /// Opens a connection to the current file of the store.
    ///
    /// The log and the shared memory are open after the first read. If the store still has the same file then, the
    /// connection stays with this file, its log and its memory, whatever happens to their names.
    static func openExisting(_ directory: DataDirectory, busyTimeoutInMilliseconds: Int32) throws -> SQLiteConnection {
        while true {
            let destination = StoreFileName.destination(of: directory.storePath)
            do {
                let connection = try openOnce(directory, busyTimeoutInMilliseconds: busyTimeoutInMilliseconds)
                try connection.readFirst()
                if StoreFileName.destination(of: directory.storePath) == destination {
                    connection.destination = destination
                    return connection
                }
                connection.close()
            } catch {
                guard StoreFileName.destination(of: directory.storePath) != destination else { throw error }
            }
        }
    }

    private static func openOnce(_ directory: DataDirectory, busyTimeoutInMilliseconds: Int32) throws
        -> SQLiteConnection
    {
        do {
            return try SQLiteConnection(
                path: directory.storePath, flags: SQLITE_OPEN_READONLY,
                busyTimeoutInMilliseconds: busyTimeoutInMilliseconds
            )
        } catch {
            guard error.kind == .cannotOpen else { throw error }
            let path = directory.storePath
            // A file without read permission exists, so it is not reported as missing.
            guard access(path, R_OK) == 0 || errno != EACCES else { throw FileError.unreadable(path) }
            throw StoreOpenError.missing(path: path)
        }
    }
}

extension SQLiteEngine {
    func openWriter(_ directory: DataDirectory) throws -> any WriterConnection {
        do {
            try Self.checkIsOurs(directory.storePath, flags: SQLITE_OPEN_READONLY)
        } catch let error as EngineError where error.isHotJournal {
            // The very first transaction, before there was a log, was interrupted. Only a writer can roll it back.
            try Self.checkIsOurs(directory.storePath, flags: SQLITE_OPEN_READWRITE)
        }
        StoreFileName.removeLogOfReplacedFile(of: directory.storePath)
        let pages = try UnflushedLog.write(againAt: directory.storeFilePath + "-wal")
        let connection = try Self.openToWrite(directory.storePath)
        try connection.writeAgain(pages)
        return connection
    }

    static func openToWrite(_ path: String) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(
            path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
            busyTimeoutInMilliseconds: writerTimeoutInMilliseconds
        )
        // The permissions are set by path: opening and closing another descriptor would drop SQLite's locks. The
        // -wal and -shm files inherit these permissions.
        guard chmod(path, 0o600) == 0 else {
            throw DataDirectoryError(
                path: path, reason: "cannot be made private: \(SystemError.current).",
                advice: "Let it belong to the user that runs this program."
            )
        }
        try configure(connection)
        return connection
    }

    /// Checks the file before anything is written, because even the settings would change another program's
    /// database.
    private static func checkIsOurs(_ path: String, flags: Int32) throws {
        let connection: SQLiteConnection
        do {
            connection = try SQLiteConnection(
                path: path, flags: flags, busyTimeoutInMilliseconds: writerTimeoutInMilliseconds
            )
        } catch {
            // There is no file yet. If it exists but cannot be read, opening it for writing reports why.
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
        // The setting has an effect only before the first page is written.
        if isNew { try connection.set("auto_vacuum", to: "INCREMENTAL", readingBack: "2") }
        try connection.set("journal_mode", to: journalMode)
        // With a weaker setting a power loss could undo an acknowledged commit.
        try connection.set("synchronous", to: synchronous, readingBack: "2")
        try connection.set("foreign_keys", to: "ON", readingBack: "1")
        try connection.set("trusted_schema", to: "OFF", readingBack: "0")
        // 48 MiB: inserts touch a random page of every sort index. With the default of 2 MiB most of these pages
        // would be read again.
        try connection.set("cache_size", to: "-49152")
        connection.defend(true)
        try connection.limitAnalyses()
        try connection.keepWriteAheadLog()
    }
}

extension SQLiteEngine {
    /// The cache size of a store that is being built, in KiB. Sorting an index takes the same amount again.
    ///
    /// A larger cache made neither faster: ids grow with time, and so does their index.
    private static let buildingCacheInKibibytes = 4_000

    func copyStore(
        of directory: DataDirectory, to path: String, check: (any Connection) throws -> Void
    ) throws -> any Connection {
        // The connection does not set query_only, which would reject VACUUM INTO. The file itself is opened
        // read-only.
        let store = try Self.openExisting(directory, busyTimeoutInMilliseconds: Self.copyTimeoutInMilliseconds)
        defer { store.close() }
        try check(store)
        try Self.createPrivateFile(path)
        // Most copies are removed after they were read. Without a flush such a copy is not written to the disk, for whose
        // queue the flushes of the store would wait. The caller flushes a copy that stays. The setting concerns the copy
        // only, because this connection writes nothing to the store.
        try store.set("synchronous", to: "OFF", readingBack: "0")
        try store.run("VACUUM INTO ?", .text(path))
        return try SQLiteConnection(path: path, flags: SQLITE_OPEN_READONLY, busyTimeoutInMilliseconds: 0)
    }

    /// Creates an empty file that only its user can read. SQLite keeps the permissions.
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
        // The live store's file receives every page of this one, including the settings.
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
        // The file is discarded if the process ends now.
        try connection.set("journal_mode", to: "MEMORY")
        try connection.set("synchronous", to: "OFF", readingBack: "0")
        return connection
    }

    func place(storeAt path: String, in directory: DataDirectory) throws -> Bool {
        // A log without its store would be replayed into this one.
        guard ["", "-wal", "-shm", "-journal"].allSatisfy({ access(directory.storePath + $0, F_OK) != 0 }) else {
            return false
        }
        try AtomicFile.publish(path, as: directory.storePath)
        return true
    }
}

extension EngineError {
    /// Creates the error for a SQLite result code.
    ///
    /// - Parameter code: The result code, extended or not.
    init(sqliteCode code: Int32, operation: String) {
        let primary = code & 0xFF
        self.init(
            kind: Kind(sqliteCode: code), code: Self.name(ofSQLiteCode: code),
            message: String(cString: sqlite3_errstr(primary)),
            operation: operation
        )
    }
}

extension EngineError.Kind {
    fileprivate init(sqliteCode code: Int32) {
        switch code & 0xFF {
        case SQLITE_CONSTRAINT: self = .constraint
        case SQLITE_TOOBIG, SQLITE_MISMATCH: self = .unfit
        case SQLITE_FULL: self = .outOfSpace
        case SQLITE_NOMEM: self = .outOfMemory
        case SQLITE_INTERRUPT: self = .interrupted
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_CANTOPEN: self = .cannotOpen
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damage
        case SQLITE_IOERR: self = Self.disk(code)
        default: self = .other
        }
    }

    private static func disk(_ code: Int32) -> EngineError.Kind {
        switch code >> 8 {
        // The flush of a file or of its directory failed. fsync may report an error once and then claim success for
        // pages that it dropped.
        case 4, 5: .flush
        // On a full disk the shared-memory file cannot grow. This error disappears when there is room again.
        case 19, 21: .transientIO
        default: .disk
        }
    }
}

extension EngineError {
    /// Indicates whether an interrupted transaction must be rolled back first, which a reader is not permitted to
    /// do.
    var isHotJournal: Bool { code == Self.name(ofSQLiteCode: SQLITE_READONLY | (3 << 8)) }

    private static func name(ofSQLiteCode code: Int32) -> String { "SQLite code \(code)" }
}
