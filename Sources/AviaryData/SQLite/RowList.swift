import AviaryDomain

/// Rows of a table by their rowids, handed to SQLite as JSON lists of bounded length: a statement cannot take any
/// number of parameters.
struct RowList {
    private static let listLength = 1000
    let rows: [Int64]

    init(_ rows: [Int64]) {
        self.rows = rows
    }

    func forEachList(_ body: (FieldValue) throws -> Void) rethrows {
        var start = rows.startIndex
        while start < rows.endIndex {
            let end = min(start + Self.listLength, rows.endIndex)
            try body(.text("[" + rows[start..<end].map(String.init).joined(separator: ",") + "]"))
            start = end
        }
    }
}
