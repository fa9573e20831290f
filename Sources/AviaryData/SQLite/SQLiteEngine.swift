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
