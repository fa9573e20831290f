package import AviaryDomain
import CSQLite

/// A connection to a SQLite file with its prepared statements. Used by one thread at a time.
package final class Connection {
    /// Kinds of statements are few, but updates name any subset of columns; beyond this all are prepared anew.
    private static let statementLimit = 256

    let path: String
    private(set) var handle: OpaquePointer?
    private var statements: [String: Statement] = [:]
    private var queries: [ObjectIdentifier: (query: Query, statement: Statement)] = [:]

    init(path: String, flags: Int32, busyTimeoutInMilliseconds: Int32) throws(SQLiteError) {
        self.path = path
        let status = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard status == SQLITE_OK else {
            let code = handle.map { sqlite3_extended_errcode($0) } ?? status
            sqlite3_close_v2(handle)
            handle = nil
            throw SQLiteError(extendedCode: code, operation: "open")
        }
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, busyTimeoutInMilliseconds)
    }

    deinit {
        close()
    }

    /// Later calls fail with an error.
    func close() {
        statements.removeAll()
        queries.removeAll()
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// A prepared statement for the text; the same one each time, so one is never used inside its own loop.
    package func statement(_ sql: String) throws(SQLiteError) -> Statement {
        if let statement = statements[sql] { return statement }
        let statement = try prepare(sql)
        if statements.count >= Self.statementLimit { statements.removeAll(keepingCapacity: true) }
        statements[sql] = statement
        return statement
    }

    /// As ``statement(_:)-(String)``, found without looking at the text. The query is kept, so that no other takes its place.
    func statement(_ query: Query) throws(SQLiteError) -> Statement {
        if let known = queries[ObjectIdentifier(query)] { return known.statement }
        let statement = try prepare(query.sql)
        queries[ObjectIdentifier(query)] = (query, statement)
        return statement
    }

    private func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        guard let handle else {
            throw SQLiteError(extendedCode: SQLITE_MISUSE, operation: "use of a closed connection")
        }
        var prepared: OpaquePointer?
        let status = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard status == SQLITE_OK, let prepared else {
            throw SQLiteError(extendedCode: sqlite3_extended_errcode(handle), operation: sql)
        }
        return Statement(handle: prepared, sql: sql)
    }

    /// Runs a statement that gives no rows, or whose rows do not matter.
    package func run(_ sql: String, _ values: FieldValue...) throws(SQLiteError) {
        try run(sql, values)
    }

    package func run(_ sql: String, _ values: [FieldValue]) throws(SQLiteError) {
        try run(statement(sql), values)
    }

    func run(_ query: Query, _ values: [FieldValue] = []) throws(SQLiteError) {
        try run(statement(query), values)
    }

    private func run(_ statement: Statement, _ values: [FieldValue]) throws(SQLiteError) {
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
    }

    /// What `read` makes of each row.
    package func rows<Row>(
        _ sql: String, _ values: [FieldValue] = [], read: (Statement) throws -> Row
    ) throws -> [Row] {
        try rows(statement(sql), values, read: read)
    }

    func rows<Row>(_ query: Query, _ values: [FieldValue] = [], read: (Statement) throws -> Row) throws -> [Row] {
        try rows(statement(query), values, read: read)
    }

    private func rows<Row>(
        _ statement: Statement, _ values: [FieldValue], read: (Statement) throws -> Row
    ) throws -> [Row] {
        defer { statement.reset() }
        try statement.bind(values)
        var rows: [Row] = []
        while try statement.step() {
            rows.append(try read(statement))
        }
        return rows
    }

    /// What `read` makes of the first row; nil when there is none.
    package func firstRow<Row>(
        _ sql: String, _ values: [FieldValue] = [], read: (Statement) throws -> Row
    ) throws -> Row? {
        try firstRow(statement(sql), values, read: read)
    }

    func firstRow<Row>(_ query: Query, _ values: [FieldValue] = [], read: (Statement) throws -> Row) throws -> Row? {
        try firstRow(statement(query), values, read: read)
    }

    private func firstRow<Row>(
        _ statement: Statement, _ values: [FieldValue], read: (Statement) throws -> Row
    ) throws -> Row? {
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? try read(statement) : nil
    }
}
