import AviaryDomain

// FTS5 with its trigram tokenizer, which finds what stands inside of words. What is indexed is folded before, so the index
// minds the case.
extension SQLiteDialect {
    var leastIndexedPart: Int { 3 }

    func createTextIndex(_ name: String, over table: String, key: String, _ columns: [String]) -> String {
        "CREATE VIRTUAL TABLE \(name) USING fts5(\(columns.joined(separator: ", ")), content=\(table), "
            + "content_rowid=\(key), tokenize='trigram case_sensitive 1')"
    }

    func rebuildTextIndex(_ name: String) -> String { "INSERT INTO \(name) (\(name)) VALUES ('rebuild')" }

    func addToTextIndex(_ name: String, from table: String, key: String, _ columns: [String]) -> String {
        let columns = columns.joined(separator: ", ")
        return "INSERT INTO \(name) (rowid, \(columns)) SELECT \(key), \(columns) FROM \(table)"
    }

    func removeFromTextIndex(_ name: String, from table: String, key: String, _ columns: [String]) -> String {
        let columns = columns.joined(separator: ", ")
        return "INSERT INTO \(name) (\(name), rowid, \(columns)) SELECT 'delete', \(key), \(columns) FROM \(table)"
    }

    func isInTextIndex(_ index: String, _ key: String) -> String {
        "\(key) IN (SELECT id FROM \(name(index + "_docsize")))"
    }

    func textMatches(in index: String) -> String { "SELECT rowid FROM \(index) WHERE \(index) MATCH ?" }

    func value(ofPart part: String, in column: String) -> FieldValue { .text("\(name(column)) : \(name(part))") }

    func createTrigger(_ name: String, after event: String, on table: String, _ statement: String) -> String {
        "CREATE TRIGGER \(name) AFTER \(event) ON \(table) BEGIN \(statement); END"
    }
}
