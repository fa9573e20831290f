package import AviaryDomain

/// A connection to a store with its prepared statements. Used by one thread at a time.
///
/// What is above an engine knows this, ``Row`` and ``EngineError``, and nothing of the engine's own.
package protocol Connection: AnyObject {
    /// Of the store, for messages.
    var path: String { get }
    var dialect: any SQLDialect { get }
    /// False also after the engine rolled back by itself, as it may when the disk is full or fails.
    var isInTransaction: Bool { get }

    /// A prepared statement for the text; the same one each time, so one is never used inside its own loop.
    func statement(_ sql: String) throws(EngineError) -> any PreparedStatement
    /// As ``statement(_:)-(String)``, found without looking at the text. The query is kept, so that no other takes its place.
    func statement(_ query: Query) throws(EngineError) -> any PreparedStatement

    /// - Throws: ``StoreOpenError/notAStore(path:)``, ``StoreOpenError/unreadable(path:)``, ``EngineError``.
    func checkIsStore() throws
    /// As ``WriterConnection/markAsStore(layout:)`` left it.
    func layoutVersion() throws -> String
    func tableNames() throws -> [String]
    /// As the store has them, whatever it says of itself; empty for a table that is not there.
    func columnNames(ofTable table: String) throws -> [String]
    /// The tables that columns refer to, by the columns' names.
    func references(ofTable table: String) throws -> [String: String]
    /// Those that a statement created; not those that the engine keeps for a key.
    func indexes() throws -> [IndexDefinition]
    /// The statements that created them, by their names.
    func triggers() throws -> [String: String]

    /// Takes back everything of the open transaction. Nothing interrupts that, also where the connection's work has reached
    /// its end.
    func rollBack() throws(EngineError)

    /// Later calls fail with an error.
    func close()
}

/// An index as the store has it.
package struct IndexDefinition: Sendable, Hashable {
    package let name: String
    /// The statement that creates it.
    package let creation: String
}

// Thin, so that they vanish in their callers; the loops know of no particular connection and are made for each result.
extension Connection {
    /// Runs a statement that gives no rows, or whose rows do not matter.
    package func run(_ sql: String, _ values: FieldValue...) throws(EngineError) {
        try Execution.run(statement(sql), values)
    }

    package func run(_ sql: String, _ values: [FieldValue]) throws(EngineError) {
        try Execution.run(statement(sql), values)
    }

    func run(_ query: Query, _ values: [FieldValue] = []) throws(EngineError) {
        try Execution.run(statement(query), values)
    }

    /// Returns the results of `read` for each row.
    @inline(__always)
    package func rows<Value>(
        _ sql: String, _ values: [FieldValue] = [], read: (any Row) throws -> Value
    ) throws -> [Value] {
        try Execution.rows(statement(sql), values, read: read)
    }

    @inline(__always)
    func rows<Value>(_ query: Query, _ values: [FieldValue] = [], read: (any Row) throws -> Value) throws -> [Value] {
        try Execution.rows(statement(query), values, read: read)
    }

    /// Returns the result of `read` for the first row; nil when there is none.
    @inline(__always)
    package func firstRow<Value>(
        _ sql: String, _ values: [FieldValue] = [], read: (any Row) throws -> Value
    ) throws -> Value? {
        try Execution.firstRow(statement(sql), values, read: read)
    }

    @inline(__always)
    func firstRow<Value>(_ query: Query, _ values: [FieldValue] = [], read: (any Row) throws -> Value) throws -> Value?
    {
        try Execution.firstRow(statement(query), values, read: read)
    }
}

/// Runs of prepared statements, from their parameters to their end.
private enum Execution {
    static func run(_ statement: any PreparedStatement, _ values: [FieldValue]) throws(EngineError) {
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
    }

    static func rows<Value>(
        _ statement: any PreparedStatement, _ values: [FieldValue], read: (any Row) throws -> Value
    ) throws -> [Value] {
        defer { statement.reset() }
        try statement.bind(values)
        var rows: [Value] = []
        while try statement.step() {
            rows.append(try read(statement))
        }
        return rows
    }

    static func firstRow<Value>(
        _ statement: any PreparedStatement, _ values: [FieldValue], read: (any Row) throws -> Value
    ) throws -> Value? {
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? try read(statement) : nil
    }
}

extension Connection {
    /// All statements of the body see the same state of the store.
    package func snapshot<T>(_ body: () throws -> T) throws -> T {
        try begin(dialect.beginReading)
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            abandonTransaction()
            throw error
        }
    }

    /// The body's changes become visible together, or none of them.
    func transaction<T>(_ body: () throws -> T) throws -> T {
        try begin(dialect.beginWriting)
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            abandonTransaction()
            throw error
        }
    }

    /// Begins a transaction, or leaves none. SQLite looks at the time also after BEGIN has taken effect: one that fails as
    /// interrupted has begun.
    private func begin(_ statement: String) throws {
        let isNested = isInTransaction
        do {
            try run(statement)
        } catch {
            if !isNested { abandonTransaction() }
            throw error
        }
    }

    /// Ends the open transaction, if any is left, without keeping anything of it.
    func abandonTransaction() {
        guard isInTransaction else { return }
        // A ROLLBACK can only fail because the engine has rolled back already.
        _ = try? rollBack()
    }
}
