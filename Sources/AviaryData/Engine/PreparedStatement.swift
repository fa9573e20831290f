package import AviaryDomain
package import Foundation

/// A statement that the engine has understood, and while it runs the row that it stands on. Confined to its
/// connection's user.
package protocol PreparedStatement: Row {
    /// - Parameter index: Of the first of them, from 1.
    func bind(_ values: [FieldValue], from index: Int) throws(EngineError)
    /// Goes to the next row; false when there is none.
    func step() throws(EngineError) -> Bool
    func bind(_ value: FieldValue, at index: Int) throws(EngineError)
    /// Runs a statement that gives no rows to its end. What is bound stays until something else is: quicker than
    /// ``reset()`` where it is run for each of many records.
    func execute() throws(EngineError)
    /// Ends the execution, which would otherwise keep its read transaction open, and lets go of bound values.
    func reset()
}

extension PreparedStatement {
    func bind(_ values: [FieldValue]) throws(EngineError) {
        try bind(values, from: 1)
    }
}

/// The columns of a row; from 0. Valid until the statement moves.
package protocol Row: AnyObject {
    func isNull(_ column: Int) -> Bool
    func integer(_ column: Int) -> Int64
    func text(_ column: Int) -> String?
    func blob(_ column: Int) -> [UInt8]
    /// The record's id; nil when the column holds anything but canonical text.
    func uuid(_ column: Int) -> UUID?
    func value(_ column: Int) -> FieldValue
    /// All at once, as a page does for every record.
    func values(_ columns: Range<Int>) -> [FieldValue]
    func valueInPlace(_ column: Int) -> ValueInPlace
}

/// A value like ``FieldValue`` whose bytes remain in the engine's memory. It is valid only until the statement moves.
package enum ValueInPlace {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeBufferPointer<UInt8>)
    case blob(UnsafeRawBufferPointer)
}

/// A statement's text that is used again and again. Connections find what they prepared for it by its identity: looking
/// up a long text takes as long as running a small statement.
package final class Query: Sendable {
    private let text: @Sendable (any SQLDialect) -> String

    /// Creates a query from a text that all engines understand, or that was made for one.
    init(_ sql: String) {
        text = { _ in sql }
    }

    /// - Parameter text: Called once by each connection that runs the query.
    init(_ text: @escaping @Sendable (any SQLDialect) -> String) {
        self.text = text
    }

    package func sql(_ dialect: any SQLDialect) -> String { text(dialect) }
}
