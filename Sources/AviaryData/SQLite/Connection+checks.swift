/// Each looks at a part of the file in a read transaction of its own, so that the write-ahead log of a store that goes on
/// can shrink in between. What they return is what is wrong.
extension Connection {
    /// Every page of the file, without comparing indexes with their tables.
    func quickCheck() throws -> [String] {
        try problems("PRAGMA quick_check")
    }

    /// The table, and whether each of its indexes holds the same.
    func integrityCheck(ofTable table: String) throws -> [String] {
        try problems("PRAGMA integrity_check(\(SQL.name(table)))")
    }

    /// Rows that refer to nothing.
    func referenceCheck(ofTable table: String) throws -> [String] {
        try rows("PRAGMA foreign_key_check(\(SQL.name(table)))") { row in
            "row \(row.integer(1)) of \(row.text(0) ?? table) refers to a \(row.text(2) ?? "record") that does not exist"
        }
    }

    func tableNames() throws -> [String] {
        try rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") { $0.text(0) ?? "" }
    }

    private func problems(_ sql: String) throws -> [String] {
        try rows(sql) { $0.text(0) ?? "" }.filter { $0 != "ok" }
    }
}
