import AviaryDomain
import CSQLite
import Foundation

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
