import AviaryDomain
import CSQLite

/// A read-only connection, each read of which has an end.
final class Reader {
    private static let busyTimeoutInMilliseconds: Int32 = 1000

    let connection: Connection
    private let bounds: WorkBounds

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
        bounds = WorkBounds(on: connection)
    }

    /// - Throws: ``ReadError``, ``SQLiteError``, and what the body throws.
    func read<T>(
        within limit: Duration, unless interruption: Interruption? = nil, _ body: (Connection) throws -> T
    ) throws -> T {
        bounds.begin(limit: limit, interruption: interruption)
        defer { bounds.end() }
        do {
            return try body(connection)
        } catch let error as SQLiteError where error.isInterruption {
            throw interruption?.isRequested == true ? ReadError.cancelled : .tookTooLong(limit: limit)
        } catch let error as SQLiteError where error.isBusy {
            throw ReadError.storeBusy
        }
    }
}
