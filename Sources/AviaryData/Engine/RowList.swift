import AviaryDomain

/// Rows of a table by their numbers, handed to the engine as lists of bounded length: a statement cannot take any
/// number of parameters.
struct RowList {
    private static let listLength = 1000
    let rows: [Int64]

    init(_ rows: [Int64]) {
        self.rows = rows
    }

    /// - Parameter body: Gets the value for the parameter of ``SQLDialect/list``.
    func forEachList(_ dialect: any SQLDialect, _ body: (FieldValue) throws -> Void) rethrows {
        var start = rows.startIndex
        while start < rows.endIndex {
            let end = min(start + Self.listLength, rows.endIndex)
            try body(dialect.value(ofList: rows[start..<end]))
            start = end
        }
    }
}
