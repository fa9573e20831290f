import CSQLite

/// A connection to a SQLite file with its prepared statements. Used by one thread at a time.
final class SQLiteConnection: Connection {
    /// Kinds of statements are few, but updates name any subset of columns; beyond this all are prepared anew.
    private static let statementLimit = 256

    let path: String
    let dialect: any SQLDialect = SQLiteDialect()
    private(set) var handle: OpaquePointer?
    private var statements: [String: SQLiteStatement] = [:]
    private var queries: [ObjectIdentifier: (query: Query, statement: SQLiteStatement)] = [:]
    // SQLite points to both as long as the handle is open.
    let bounds = WorkBounds()
    let logCounter = WriteAheadLogCounter()

    init(path: String, flags: Int32, busyTimeoutInMilliseconds: Int32) throws(EngineError) {
        self.path = path
        var status = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
        if status == SQLITE_OK { status = Self.addFunctions(to: handle) }
        guard status == SQLITE_OK else {
            let code = handle.map { sqlite3_extended_errcode($0) } ?? status
            sqlite3_close_v2(handle)
            handle = nil
            throw EngineError(sqliteCode: code, operation: "open")
        }
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, busyTimeoutInMilliseconds)
    }

    deinit {
        close()
    }

    func close() {
        statements.removeAll()
        queries.removeAll()
        // A statement that somebody still has keeps SQLite's side open.
        WorkBounds.remove(from: handle)
        WriteAheadLogCounter.remove(from: handle)
        sqlite3_close_v2(handle)
        handle = nil
    }

    func statement(_ sql: String) throws(EngineError) -> any PreparedStatement {
        if let statement = statements[sql] { return statement }
        let statement = try prepare(sql)
        if statements.count >= Self.statementLimit { statements.removeAll(keepingCapacity: true) }
        statements[sql] = statement
        return statement
    }

    func statement(_ query: Query) throws(EngineError) -> any PreparedStatement {
        if let known = queries[ObjectIdentifier(query)] { return known.statement }
        let statement = try prepare(query.sql(dialect))
        queries[ObjectIdentifier(query)] = (query, statement)
        return statement
    }

    private func prepare(_ sql: String) throws(EngineError) -> SQLiteStatement {
        guard let handle else {
            throw EngineError(sqliteCode: SQLITE_MISUSE, operation: "use of a closed connection")
        }
        var prepared: OpaquePointer?
        let status = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard status == SQLITE_OK, let prepared else {
            throw EngineError(sqliteCode: sqlite3_extended_errcode(handle), operation: sql)
        }
        return SQLiteStatement(handle: prepared, sql: sql)
    }
}
