package import AviaryDomain

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
