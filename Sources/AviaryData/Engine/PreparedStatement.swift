package import AviaryDomain
package import Foundation

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
