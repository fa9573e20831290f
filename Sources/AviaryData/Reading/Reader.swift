import CSQLite

/// A read-only connection with its deadline.
final class Reader {
    private static let busyTimeoutInMilliseconds: Int32 = 1000

    let connection: Connection
    private let deadline: ReadDeadline

    init(_ directory: DataDirectory) throws {
        do {
            connection = try Connection(
                path: directory.storePath, flags: SQLITE_OPEN_READONLY,
                busyTimeoutInMilliseconds: Self.busyTimeoutInMilliseconds
            )
        } catch {
            guard error.code == SQLITE_CANTOPEN else { throw error }
            throw StoreOpenError.missing(path: directory.storePath)
        }
        try connection.set("query_only", to: "ON", readingBack: "1")
        try connection.set("trusted_schema", to: "OFF", readingBack: "0")
        deadline = ReadDeadline(on: connection)
    }

    func read<T>(_ body: (Connection) throws -> T) throws -> T {
        deadline.begin()
        return try body(connection)
    }
}
