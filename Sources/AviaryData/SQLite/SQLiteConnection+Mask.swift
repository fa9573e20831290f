import AviaryDomain

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
