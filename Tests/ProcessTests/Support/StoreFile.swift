import CSQLite

/// The store's file, read with SQLite alone and none of the product's code.
struct StoreFile {
    struct Unreadable: Error {
        let reason: String
    }

    let path: String

    init(_ directory: TestDirectory) {
        path = directory.data + "/store.sqlite"
    }

    /// Returns the animals' names by id.
    ///
    /// An id is unique, so an animal that was stored twice has two ids and one name.
    func animals() throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try rows(#"SELECT "id", "name" FROM "Animal""#).map { ($0[0], $0[1]) })
    }

    func integrity() throws -> [String] {
        try rows("PRAGMA integrity_check").flatMap { $0 }
    }

    func tables() throws -> [String] {
        try rows("SELECT name FROM sqlite_schema WHERE type = 'table'").flatMap { $0 }
    }

    /// Changes or creates the file without the product's code.
    func create(_ statement: String) throws {
        _ = try rows(statement, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    }

    func rows(_ statement: String, _ flags: Int32 = SQLITE_OPEN_READONLY) throws -> [[String]] {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard sqlite3_open_v2(path, &connection, flags, nil) == SQLITE_OK else { throw Unreadable(reason: path) }
        sqlite3_busy_timeout(connection, 10_000)
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v2(connection, statement, -1, &prepared, nil) == SQLITE_OK else {
            throw failure(connection)
        }
        defer { sqlite3_finalize(prepared) }
        var rows: [[String]] = []
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_ROW:
                rows.append(
                    (0..<sqlite3_column_count(prepared)).map { column in
                        sqlite3_column_text(prepared, column).map { String(cString: $0) } ?? ""
                    })
            case SQLITE_DONE: return rows
            default: throw failure(connection)
            }
        }
    }

    private func failure(_ connection: OpaquePointer?) -> Unreadable {
        Unreadable(reason: String(cString: sqlite3_errmsg(connection)))
    }
}
