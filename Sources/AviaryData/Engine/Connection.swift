package import AviaryDomain
package import Foundation

/// A connection to a store with its prepared statements. One thread uses it at a time.
///
/// The code above an engine uses this protocol, ``Row`` and ``EngineError``, and no type of the engine itself.
package protocol Connection: AnyObject {
    /// The path of the store, for messages.
    var path: String { get }
    var dialect: any SQLDialect { get }
    /// Indicates whether a transaction is open.
    ///
    /// It is also false after the engine itself has rolled back, as it may when the disk is full or fails.
    var isInTransaction: Bool { get }

    /// Returns the prepared statement of a text.
    ///
    /// It is the same object for each call, so a statement must not be used inside its own loop.
    func statement(_ sql: String) throws(EngineError) -> any PreparedStatement
    /// Returns the prepared statement of a query, like ``statement(_:)-(String)`` but without a look-up of the
    /// text.
    ///
    /// The connection retains the query, so that no other query gets its identity.
    func statement(_ query: Query) throws(EngineError) -> any PreparedStatement

    /// Checks that the file is a store.
    ///
    /// - Throws: ``StoreOpenError/notAStore(path:)``, ``StoreOpenError/unreadable(path:)``, ``EngineError``.
    func checkIsStore() throws
    /// Returns the version of the layout that ``WriterConnection/markAsStore(layout:)`` wrote.
    func layoutVersion() throws -> String
    func tableNames() throws -> [String]
    /// Returns the columns that a table really has, regardless of the recorded schema; empty if there is no such
    /// table.
    func columnNames(ofTable table: String) throws -> [String]
    /// Returns the tables that columns refer to, by the names of the columns.
    func references(ofTable table: String) throws -> [String: String]
    /// Returns the indexes that statements created, without those that the engine creates for a key.
    func indexes() throws -> [IndexDefinition]
    /// Returns the statements that created the triggers, by the triggers' names.
    func triggers() throws -> [String: String]

    /// Returns the first dangling reference of a store that was written without checks.
    func missingReference(in tables: ModelTables) throws -> MissingReference?

    /// Begins a transaction that reads. All of its statements see one snapshot.
    func beginReading() throws(EngineError)
    /// Ends the open transaction.
    ///
    /// - Throws: ``EngineError``. After an error of the kind ``EngineError/Kind/connectionLost`` it is unknown whether the
    ///   transaction was committed.
    func commit() throws(EngineError)
    /// Rolls back the open transaction.
    ///
    /// Nothing interrupts the rollback, even if the time limit of the connection's work has passed.
    func rollBack() throws(EngineError)

    /// The text of the ``RowMask`` whose rows this connection does not show; nil if it shows all rows.
    var maskText: String? { get }
    /// Hides the rows of a mask in the tables that statements read by their plain names. It must be called outside
    /// of a transaction.
    ///
    /// - Parameter text: The text of the mask; nil to show all rows.
    func hideRows(ofMask text: String?) throws

    /// Closes the connection. Later calls fail with an error.
    func close()
}

/// An index of a store.
package struct IndexDefinition: Sendable, Hashable {
    package let name: String
    /// The statement that creates it.
    package let creation: String
}

// These functions are thin, so that the compiler inlines them into their callers. The loops are generic over the
// result and independent of the type of connection.
extension Connection {
    /// Runs a statement that returns no rows, or whose rows are ignored.
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

    /// Returns the result of `read` for the first row; nil if there is none.
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

/// The execution of prepared statements, from binding to reset.
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
    /// Runs the body in a read transaction. All of its statements see the same snapshot of the store.
    ///
    /// Inside a transaction the body runs in that one.
    package func snapshot<T>(_ body: () throws -> T) throws -> T {
        guard !isInTransaction else { return try body() }
        try beginReading()
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            abandonTransaction()
            throw error
        }
    }

    /// Rolls back the open transaction, if there is one.
    func abandonTransaction() {
        guard isInTransaction else { return }
        // ROLLBACK can only fail because the engine has already rolled back.
        _ = try? rollBack()
    }
}

/// A prepared statement and, while it runs, its current row. It is confined to the user of its connection.
package protocol PreparedStatement: Row {
    /// Binds values to consecutive parameters.
    ///
    /// - Parameter index: The index of the first parameter, from 1.
    func bind(_ values: [FieldValue], from index: Int) throws(EngineError)
    /// Advances to the next row; false if there is none.
    func step() throws(EngineError) -> Bool
    func bind(_ value: FieldValue, at index: Int) throws(EngineError)
    /// Runs a statement that returns no rows.
    ///
    /// Bound values remain until others replace them. This is faster than ``reset()`` for a statement that runs for
    /// each of many records.
    func execute() throws(EngineError)
    /// Lets the next execution keep only some rows in memory at a time, for a result of any size. It must be called in a
    /// transaction. An engine that never keeps more than a row does nothing.
    func readInPieces()
    /// Ends the execution, which would otherwise keep its read transaction open, and releases the bound values.
    func reset()
}

extension PreparedStatement {
    func bind(_ values: [FieldValue]) throws(EngineError) {
        try bind(values, from: 1)
    }
}

/// The columns of a row, from 0. They are valid until the statement advances.
package protocol Row: AnyObject {
    func isNull(_ column: Int) -> Bool
    func integer(_ column: Int) -> Int64
    func text(_ column: Int) -> String?
    func blob(_ column: Int) -> [UInt8]
    /// Returns the record's id; nil if the column contains anything but canonical text.
    func uuid(_ column: Int) -> UUID?
    func value(_ column: Int) -> FieldValue
    /// Returns the values of several columns at once, as a page needs them for each record.
    func values(_ columns: Range<Int>) -> [FieldValue]
    func borrowedValue(_ column: Int) -> BorrowedValue
}

/// A value like ``FieldValue`` whose bytes remain in the engine's memory. It is valid only until the statement
/// advances.
package enum BorrowedValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeBufferPointer<UInt8>)
    case blob(UnsafeRawBufferPointer)
}

/// A statement's text that is used repeatedly.
///
/// Connections find the statement that they prepared for it by its identity: looking up a long text takes as long
/// as running a small statement.
package final class Query: Sendable {
    private let text: @Sendable (any SQLDialect) -> String

    /// Creates a query from a text that all engines accept, or that was created for one engine.
    init(_ sql: String) {
        text = { _ in sql }
    }

    /// Creates a query from a function of the dialect.
    ///
    /// - Parameter text: A function that each connection that runs the query calls once.
    init(_ text: @escaping @Sendable (any SQLDialect) -> String) {
        self.text = text
    }

    package func sql(_ dialect: any SQLDialect) -> String { text(dialect) }
}
