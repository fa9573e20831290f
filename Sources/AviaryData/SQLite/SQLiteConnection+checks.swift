extension SQLiteConnection {
    func quickCheck() throws -> [String] {
        try problems("PRAGMA quick_check")
    }

    func integrityCheck(ofTable table: String) throws -> [String] {
        try problems("PRAGMA integrity_check(\(dialect.name(table)))")
    }

    func referenceCheck(ofTable table: String) throws -> [String] {
        try rows("PRAGMA foreign_key_check(\(dialect.name(table)))") { row in
            "row \(row.integer(1)) of \(row.text(0) ?? table) refers to a \(row.text(2) ?? "record") that does not exist"
        }
    }

    private func problems(_ sql: String) throws -> [String] {
        // Damage to pages is told in one text of many lines. A page that nothing uses is a waste and no damage: an index that was made
        // anew leaves those of its old tree behind.
        try rows(sql) { $0.text(0) ?? "" }.flatMap { $0.split(separator: "\n").map(String.init) }.filter { line in
            line != "ok" && !line.hasPrefix("*** in database") && !line.hasSuffix("is never used")
        }
    }
}
