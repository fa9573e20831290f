extension SQLiteConnection {
    func tableNames() throws -> [String] {
        try rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") { $0.text(0) ?? "" }
    }

    func columnNames(ofTable table: String) throws -> [String] {
        try rows("PRAGMA table_info(\(dialect.name(table)))") { $0.text(1) ?? "" }
    }

    func references(ofTable table: String) throws -> [String: String] {
        let references = try rows("PRAGMA foreign_key_list(\(dialect.name(table)))") { row in
            (row.text(3) ?? "", row.text(2) ?? "")
        }
        return Dictionary(references, uniquingKeysWith: { first, _ in first })
    }

    func indexes() throws -> [IndexDefinition] {
        try rows("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL") { row in
            IndexDefinition(name: row.text(0) ?? "", creation: row.text(1) ?? "")
        }
    }

    func triggers() throws -> [String: String] {
        let triggers = try rows("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'") { row in
            (row.text(0) ?? "", row.text(1) ?? "")
        }
        return Dictionary(triggers, uniquingKeysWith: { first, _ in first })
    }

    func isEmpty() throws -> Bool {
        try firstRow("SELECT 1 FROM sqlite_schema LIMIT 1") { _ in true } == nil
    }

    func missingReference() throws -> MissingReference? {
        let found = try firstRow("PRAGMA foreign_key_check") { row in
            (model: row.text(0) ?? "", row: Int(row.integer(1)), key: row.integer(3))
        }
        guard let found else { return nil }
        let property = try rows("PRAGMA foreign_key_list(\(dialect.name(found.model)))") { row in
            (key: row.integer(0), property: row.text(3) ?? "")
        }.first { $0.key == found.key }?.property
        return MissingReference(model: found.model, property: property, row: found.row)
    }
}
