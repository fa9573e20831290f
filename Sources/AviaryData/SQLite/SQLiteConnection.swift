import AviaryDomain
import CSQLite

/// A connection to a SQLite file with its prepared statements. One thread uses it at a time.
final class SQLiteConnection: Connection {
    /// The maximum number of cached statements. There are few kinds of statements, but updates name any subset of
    /// columns; above the limit the cache is emptied.
    private static let statementLimit = 256

    let path: String
    let dialect: any SQLDialect = SQLiteDialect()
    private(set) var handle: OpaquePointer?
    var maskText: String?
    /// The file that a reader has open. No other file has its number meanwhile.
    var destination: StoreFileName.Destination?
    private var statements: [String: SQLiteStatement] = [:]
    private var queries: [ObjectIdentifier: (query: Query, statement: SQLiteStatement)] = [:]
    // SQLite points to both objects while the handle is open.
    let bounds = QueryDeadline()
    let logCounter = WriteAheadLogCounter()
    let checkpointer = ConcurrentCheckpointer()

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
        // The thread of the checkpoint may be the last to release the store, so this does not wait for it.
        closeHandle()
    }

    func close() {
        checkpointer.wait()
        closeHandle()
    }

    private func closeHandle() {
        statements.removeAll()
        queries.removeAll()
        // A statement that is still referenced keeps SQLite's handle open.
        QueryDeadline.remove(from: handle)
        WriteAheadLogCounter.remove(from: handle)
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Continues with the file of another connection, which ends.
    func takeOver(_ other: SQLiteConnection) {
        close()
        handle = other.handle
        other.statements.removeAll()
        other.queries.removeAll()
        other.handle = nil
        maskText = nil
        logCounter.followAgain(handle)
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

extension SQLiteConnection: ReaderConnection {
    func beginWork(within limit: Duration, unless cancellationToken: CancellationToken?) {
        bounds.begin(limit: limit, cancellationToken: cancellationToken)
    }

    func endWork() {
        bounds.end()
    }

    // SQLite compares the header of the write-ahead log's index, which is in shared memory, with the one that the
    // connection has met last. A commit changes it before it returns.
    private static let dataVersion = Query("PRAGMA data_version")

    /// Indicates whether the store still has the file of this connection. A restore or a repair gives it another one.
    var isUsable: Bool { StoreFileName.destination(of: path) == destination }

    /// Reads something, so that SQLite opens all files. A later read reports an error other than that of a lock.
    func readFirst() throws(EngineError) {
        do {
            _ = try commitNumber()
            try run("SELECT 1 FROM sqlite_schema LIMIT 1")
        } catch {
            if let error = error as? EngineError, error.kind == .busy { throw error }
        }
    }

    func commitNumber() throws -> Int64 {
        try firstRow(Self.dataVersion) { $0.integer(0) } ?? 0
    }

    func interrupter() -> any ConnectionInterrupter {
        SQLiteInterrupter(self)
    }
}

extension SQLiteConnection {
    var isInTransaction: Bool {
        handle.map { sqlite3_get_autocommit($0) == 0 } ?? false
    }

    private static let begin = Query("BEGIN")
    // An immediate transaction cannot fail later because another connection has written in the meantime.
    private static let beginImmediate = Query("BEGIN IMMEDIATE")
    private static let end = Query("COMMIT")

    func beginReading() throws(EngineError) { try begin(Self.begin) }

    func beginWriting(of changeSets: [String]) throws(EngineError) -> WriteBeginning {
        try begin(Self.beginImmediate)
        return WriteBeginning()
    }

    /// Begins a transaction, or throws and leaves none open.
    ///
    /// SQLite also checks the time limit after BEGIN has taken effect: a BEGIN that fails as interrupted has begun.
    private func begin(_ statement: Query) throws(EngineError) {
        let isNested = isInTransaction
        do {
            try run(statement)
        } catch {
            if !isNested { abandonTransaction() }
            throw error
        }
    }

    func commit() throws(EngineError) { try run(Self.end) }

    func rollBack() throws(EngineError) {
        // SQLite treats a rollback as work like any other, and the end of a read may be the reason for the
        // rollback.
        bounds.isSuspended = true
        defer { bounds.isSuspended = false }
        try run("ROLLBACK")
    }

    var hasDanglingReferences: Bool? {
        handle.map { aviary_has_dangling_references($0) != 0 } ?? false
    }

    /// The error of a transaction that SQLite rolled back itself, as FULL, IOERR, NOMEM and INTERRUPT can do.
    var transactionLost: EngineError {
        EngineError(sqliteCode: SQLITE_ABORT, operation: "transaction")
    }

    func withoutReferenceChecks<T>(_ body: () throws -> T) throws -> T {
        let before = try pragma("foreign_keys")
        // The pragma has no effect inside a transaction. If it stays on, dropping a table deletes its rows one by
        // one, and the rows that refer to them.
        try set("foreign_keys", to: "OFF", readingBack: "0")
        do {
            let result = try body()
            try set("foreign_keys", to: before)
            return result
        } catch {
            // The error of the body is more useful. A connection without checks is not used after an opening that
            // failed.
            try? set("foreign_keys", to: before)
            throw error
        }
    }
}

extension SQLiteConnection {
    /// The application id `AVIA`, so that a file of another program is never written to.
    static let storeID = 0x4156_4941

    func checkIsStore() throws {
        guard try addingFilePath({ try pragma("application_id") }) == String(Self.storeID) else {
            throw StoreOpenError.notAStore(path: path)
        }
    }

    func layoutVersion() throws -> String {
        try pragma("user_version")
    }

    func markAsStore(layout version: Int) throws {
        try run("PRAGMA application_id=\(Self.storeID)")
        try run("PRAGMA user_version=\(version)")
    }

    /// Indicates whether the file is empty or contains only the settings of a new store whose first opening was
    /// interrupted.
    func isEmptyStore() throws -> Bool {
        try addingFilePath {
            if try pragma("page_count") == "0" { return true }
            guard try pragma("application_id") == "0", try pragma("auto_vacuum") == "2" else { return false }
            return try tableNames().isEmpty
        }
    }

    /// Adds the path of the file to an error of SQLite, which does not name it.
    private func addingFilePath<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as EngineError where error.kind == .damage {
            throw StoreOpenError.unreadable(path: path)
        }
    }
}

extension SQLiteConnection {
    func tableNames() throws -> [String] {
        try rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") { $0.text(0) ?? "" }
    }

    func columnNames(ofTable table: String) throws -> [String] {
        try rows("PRAGMA main.table_info(\(dialect.name(table)))") { $0.text(1) ?? "" }
    }

    func references(ofTable table: String) throws -> [String: String] {
        let references = try rows("PRAGMA main.foreign_key_list(\(dialect.name(table)))") { row in
            (row.text(3) ?? "", row.text(2) ?? "")
        }
        return Dictionary(references, uniquingKeysWith: { first, _ in first })
    }

    func indexes() throws -> [IndexDefinition] {
        try rows("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL") { row in
            IndexDefinition(name: row.text(0) ?? "", creation: row.text(1) ?? "")
        }
    }

    func triggers() throws -> [String: String] {
        let triggers = try rows("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'") { row in
            (row.text(0) ?? "", row.text(1) ?? "")
        }
        return Dictionary(triggers, uniquingKeysWith: { first, _ in first })
    }

    func isEmpty() throws -> Bool {
        try firstRow("SELECT 1 FROM sqlite_schema LIMIT 1") { _ in true } == nil
    }

    func missingReference(in tables: ModelTables) throws -> MissingReference? {
        let found = try firstRow("PRAGMA foreign_key_check") { row in
            (model: row.text(0) ?? "", row: Int(row.integer(1)), key: row.integer(3))
        }
        guard let found else { return nil }
        let property = try rows("PRAGMA foreign_key_list(\(dialect.name(found.model)))") { row in
            (key: row.integer(0), property: row.text(3) ?? "")
        }.first { $0.key == found.key }?.property
        return MissingReference(model: found.model, property: property, row: found.row)
    }
}

extension SQLiteConnection {
    /// Sets a pragma and reads it back.
    ///
    /// - Throws: ``StoreOpenError/setting(name:wanted:found:)`` if it has another value.
    func set(_ name: String, to value: String, readingBack wanted: String? = nil) throws {
        let wanted = wanted ?? value
        // Some pragmas return their value when they are set and some do not, so the value is read separately.
        try run("PRAGMA \(name)=\(value)")
        let found = try pragma(name)
        guard found.lowercased() == wanted.lowercased() else {
            throw StoreOpenError.setting(name: name, wanted: wanted, found: found)
        }
    }

    func pragma(_ name: String) throws -> String {
        try firstRow("PRAGMA \(name)") { $0.text(0) ?? "" } ?? ""
    }

    /// Keeps the `-wal` and `-shm` files while the store is closed, because readers in other processes need them.
    func keepWriteAheadLog() throws(EngineError) {
        let status = aviary_persist_wal(handle)
        guard status == SQLITE_OK else { throw EngineError(sqliteCode: status, operation: "persist WAL") }
    }
}

extension SQLiteConnection {
    /// The SQL function that computes `String.folded`.
    static let foldFunction = "aviary_fold"

    static func addFunctions(to handle: OpaquePointer?) -> Int32 {
        aviary_create_function(handle, foldFunction) { context, _, arguments in
            guard let argument = arguments?[0], let bytes = sqlite3_value_text(argument) else { return }
            let text = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(argument)))
            var folded = String(decoding: text, as: UTF8.self).folded
            folded.withUTF8 { aviary_result_text(context, $0.baseAddress, Int32(truncatingIfNeeded: $0.count)) }
        }
    }
}

extension SQLiteConnection {
    // A temporary view precedes a table of the same name. It belongs to the connection, costs nothing while there is
    // none, and SQLite merges it into the statements that use it. Prepared statements notice it by themselves.
    func hideRows(ofMask text: String?) throws {
        let isReadOnly = try pragma("query_only") == "1"
        // The setting also forbids temporary views.
        if isReadOnly { try set("query_only", to: "OFF", readingBack: "0") }
        defer {
            // If it cannot be set, the file is still open for reading only.
            if isReadOnly { try? set("query_only", to: "ON", readingBack: "1") }
        }
        // An interrupted change of the views is repeated as a whole.
        maskText = nil
        for view in try rows("SELECT name FROM sqlite_temp_schema WHERE type = 'view'", read: { $0.text(0) ?? "" }) {
            try run("DROP VIEW temp.\(dialect.name(view))")
        }
        guard let text else { return }
        for view in try RowMask(text: text).views(dialect, columns: columnNames) {
            try run("CREATE TEMP VIEW \(dialect.name(view.name)) AS \(view.query)")
        }
        maskText = text
    }
}
