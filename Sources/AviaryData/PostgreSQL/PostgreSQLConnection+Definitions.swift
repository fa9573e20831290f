import CPostgreSQL

extension PostgreSQLConnection {
    /// Indicates whether an update sets a column whose values are unique.
    func setsUniqueValue(_ text: PostgreSQLText) throws(EngineError) -> Bool {
        guard text.sql.hasPrefix("UPDATE"), !text.concernsOwnTable, isInTransaction else { return false }
        return try knownUniqueColumns().contains { text.sql.contains($0) }
    }

    private func knownUniqueColumns() throws(EngineError) -> [String] {
        if let uniqueColumns { return uniqueColumns }
        let link = try requireLink("columns")
        try link.queue(PostgreSQLCatalogue.uniqueColumns(PostgreSQLDialect.literal(schema)), isWanted: true)
        let result = try link.exchange()
        defer { PQclear(result) }
        let columns = (0..<PQntuples(result)).compactMap { row in
            PQgetvalue(result, row, 0).map { PostgreSQLDialect.quoted(String(cString: $0)) + " = " }
        }
        uniqueColumns = columns
        return columns
    }
}

extension PostgreSQLConnection {
    /// Runs a statement that defines an object, and adds what the server does not keep: the text of an index's definition,
    /// and a name that is too long for it.
    func define(_ sql: String, on link: PostgreSQLLink) throws(EngineError) -> OpaquePointer? {
        uniqueColumns = nil
        var definition = sql
        if sql.contains(PostgreSQLFunctions.trigramOperators) {
            let schema = try trigramSchema(link)
            definition = sql.replacing(
                PostgreSQLFunctions.trigramOperators, with: "\(schema).\(PostgreSQLFunctions.trigramOperators)")
        }
        // The views of masks, of all sessions, depend on their tables.
        if sql.hasPrefix("DROP TABLE "), !sql.hasSuffix(" CASCADE") { definition += " CASCADE" }
        try link.queue(definition, isWanted: true)
        if let comment = comment(on: sql) { try link.queue(comment) }
        return try link.exchange()
    }

    private func comment(on sql: String) -> String? {
        func name(after words: String) -> String? {
            guard sql.hasPrefix(words) else { return nil }
            let rest = sql.dropFirst(words.count)
            guard rest.first == "\"" else { return rest.split(separator: " ").first.map(String.init) }
            // A doubled quotation mark is part of the name.
            var end = rest.index(after: rest.startIndex)
            while let mark = rest[end...].firstIndex(of: "\"") {
                end = rest.index(after: mark)
                guard end < rest.endIndex, rest[end] == "\"" else { break }
                end = rest.index(after: end)
            }
            return String(rest[..<end])
        }
        if let index = name(after: "CREATE INDEX ") ?? name(after: "CREATE UNIQUE INDEX ") {
            let text = PostgreSQLNames.full(index) + "\n" + sql
            return "COMMENT ON INDEX \(index) IS \(PostgreSQLDialect.literal(text))"
        }
        let table =
            sql.contains(" RENAME TO ") ? sql.split(separator: " ").last.map(String.init) : name(after: "CREATE TABLE ")
        guard let table, table.contains("~") else { return nil }
        return "COMMENT ON TABLE \(table) IS \(PostgreSQLDialect.literal(PostgreSQLNames.full(table)))"
    }

    /// Returns the schema of the extension with the operators of trigrams, which is created if it is missing.
    private func trigramSchema(_ link: PostgreSQLLink) throws(EngineError) -> String {
        func find() throws(EngineError) -> String? {
            try link.queue(
                PostgreSQLCatalogue.schema(ofExtension: PostgreSQLFunctions.trigramExtension), isWanted: true)
            let result = try link.exchange()
            defer { PQclear(result) }
            guard PQntuples(result) == 1 else { return nil }
            return PQgetvalue(result, 0, 0).map { String(cString: $0) }
        }
        if let schema = try find() { return schema }
        try link.queue(PostgreSQLFunctions.trigramCreation)
        return try find() ?? "public"
    }
}
