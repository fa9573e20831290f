import AviaryDomain

// Tells a damaged file from one that another program wrote. What a table says in its own columns is not on the page that describes it.
extension StoreLayout {
    /// The models that have a table. Where the totals cannot be read, the tables themselves tell.
    static func models(in connection: any Connection) throws -> Set<String> {
        do {
            return try TotalTable.models(in: connection)
        } catch let error as EngineError where error.kind == .damage {
            return try modelTables(in: connection)
        }
    }

    /// Returns a Boolean value that indicates whether the description of the file's models is gone, or has characters that zeroed and
    /// changed bytes leave and no program writes.
    static func hasTornSchema(in connection: any Connection) throws -> Bool {
        do {
            guard case .text(let text) = try MetaTable.value(.schema, in: connection) else { return true }
            return text.unicodeScalars.contains { $0 == "\0" || $0 == "\u{FFFD}" }
        } catch let error as EngineError where error.kind == .damage {
            return true
        }
    }

    /// Returns a Boolean value that indicates whether the description of the file's models is torn, or is not of the file's tables.
    static func hasDamagedSchema(in connection: any Connection) throws -> Bool {
        guard try !hasTornSchema(in: connection) else { return true }
        let file = try summary(in: connection)
        guard try modelTables(in: connection) == Set(file.models.keys) else { return true }
        return try file.models.contains { model, properties in
            try connection.columnNames(ofTable: model).sorted()
                != columns(properties.filter(\.type.isStored).map(\.name))
        }
    }

    /// Returns a Boolean value that indicates whether the file has no table and no column that the models do not have, and lacks no
    /// column of theirs. What the file says of its models plays no part.
    static func tables(of connection: any Connection, fit schema: Schema) throws -> Bool {
        let links = Set(schema.links.map { LinkTable.namePrefix + $0.name })
        let names = try connection.tableNames().filter { $0.hasPrefix(LinkTable.namePrefix) }
        guard links.isSuperset(of: names) else { return false }
        return try modelTables(in: connection).allSatisfy { name in
            guard let model = schema.model(name) else { return false }
            return try connection.columnNames(ofTable: name).sorted() == columns(model.storedProperties.map(\.name))
        }
    }

    /// Counts all records anew when the totals cannot be read: they follow from the records.
    static func rebuildDamagedTotals(in connection: any WriterConnection) throws {
        do {
            _ = try TotalTable.models(in: connection)
        } catch let error as EngineError where error.kind == .damage {
            try connection.transaction { try rebuildTotals(in: connection) }
        }
    }

    /// To be called in a transaction. The old table is given up without being read.
    static func rebuildTotals(in connection: any WriterConnection) throws {
        let models = try modelTables(in: connection).sorted()
        try connection.forgetTables(beginningWith: TotalTable.name)
        for statement in TotalTable.creation(connection.dialect) { try connection.run(statement) }
        for model in models {
            let sql = "SELECT count(*) FROM \(connection.dialect.name(model))"
            try TotalTable.add(model, in: connection)
            try TotalTable.add(try connection.firstRow(sql) { Int($0.integer(0)) } ?? 0, to: model, in: connection)
        }
    }

    static func modelTables(in connection: any Connection) throws -> Set<String> {
        Set(
            try connection.tableNames().filter { name in
                !ownTables.contains(name) && !name.hasPrefix(connection.dialect.ownTablePrefix)
                    && !name.hasPrefix(LinkTable.namePrefix) && !SearchIndexes.isPart(name)
            })
    }

    private static func columns(_ properties: [String]) -> [String] {
        (["id", "aviary_version"] + properties).sorted()
    }
}
