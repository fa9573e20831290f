import AviaryDomain

extension MigrationStep {
    func apply(in connection: any WriterConnection) throws {
        if let before, let willMigrate = stage?.willMigrate {
            try run(willMigrate, on: before, in: connection)
        }
        try dropIndexes(in: connection)
        for change in difference.changes { try apply(change, in: connection) }
        for model in rebuiltModels.sorted() { try rebuild(model, in: connection) }
        for conversion in conversions { try convert(conversion, in: connection) }
        let links = self.links
        try links.apply(in: connection)
        if let didMigrate = stage?.didMigrate { try run(didMigrate, on: tables, in: connection) }
        try links.settle(in: connection)
        try createIndexes(in: connection)
    }

    private func run(
        _ body: (MigrationContext) throws -> Void, on tables: ModelTables, in connection: any WriterConnection
    ) throws {
        do {
            try body(MigrationContext(TableRecords(tables: tables, connection: connection)))
        } catch let error as EngineError {
            // Of the disk, or of a rule of the tables: the engine's words name columns and no values.
            throw MigrationError.failed(stage: name ?? "", reason: error.reason)
        }
    }

    private func apply(_ change: SchemaChange, in connection: any WriterConnection) throws {
        switch change {
        case .newModel(let model):
            guard let table = tables[model] else { return }
            try connection.run(table.createTable(named: table.name))
            try TotalTable.add(model, in: connection)
        case .newProperty(let model, let property, _) where !rebuiltModels.contains(model):
            guard let table = tables[model] else { return }
            let column = table.definition(of: property, forRowsThereAlready: property.defaultValue)
            try connection.run(connection.dialect.addColumn(column, to: table.name))
        case .renamed(let model, let old, let new) where !rebuiltModels.contains(model):
            guard let table = tables[model] else { return }
            try connection.run(
                "ALTER TABLE \(table.name) RENAME COLUMN \(connection.dialect.name(old)) TO \(connection.dialect.name(new))"
            )
        case .widened(let model, let property, _, let type, let widening):
            // Asked before, but for what a stage of the program has done since.
            guard let table = tables[model] else { return }
            let former = difference.changes.formerNames(in: model)
            if let refusal = try Migration.tooLarge(property, of: table, for: type, widening, former, connection) {
                throw StoreOpenError.migrationRefused([refusal])
            }
        case .dropped(let model, nil):
            try connection.run("DROP TABLE \(connection.dialect.name(model))")
            try TotalTable.remove(model, in: connection)
        default: break
        }
    }

    /// The way that SQLite's documentation gives: a new table beside the old one, all rows, and then its name.
    private func rebuild(_ model: String, in connection: any WriterConnection) throws {
        guard let table = tables[model] else { return }
        let temporary = connection.dialect.name("aviary_new.\(model)")
        let own = [connection.dialect.rowNumber, "id", "aviary_version"]
        let values = table.model.storedProperties.map { value(of: $0, in: model, connection.dialect) }
        try connection.run(table.createTable(named: temporary))
        try connection.run(
            "INSERT INTO \(temporary) (\((own + table.columns).joined(separator: ", "))) "
                + "SELECT \((own + values).joined(separator: ", ")) FROM \(table.name) ORDER BY \(connection.dialect.rowNumber)"
        )
        try connection.run("DROP TABLE \(table.name)")
        try connection.run("ALTER TABLE \(temporary) RENAME TO \(table.name)")
    }

    /// Returns the expression of the value in the present table.
    private func value(of property: PropertySchema, in model: String, _ dialect: any SQLDialect) -> String {
        var column = dialect.name(property.name)
        for change in difference.changes {
            switch change {
            case .newProperty(model, let new, _) where new.name == property.name:
                return dialect.literal(property.defaultValue)
            case .renamed(model, let old, property.name): column = dialect.name(old)
            default: break
            }
        }
        for case .widened(model, property.name, _, _, let widening) in difference.changes {
            switch widening {
            case .unchanged: break
            case .real: column = "CAST(\(column) AS REAL)"
            case .scaled(let digits): column += " * 1" + String(repeating: "0", count: digits)
            }
        }
        return column
    }

    // MARK: Indexes

    /// Drops the indexes that the newer models do not have, or have in another form, because the records need not
    /// follow these rules any more.
    private func dropIndexes(in connection: any WriterConnection) throws {
        let wanted = Dictionary(
            tables.all.flatMap(\.indexes).map { ($0.name, $0.creation) }, uniquingKeysWith: { first, _ in first })
        for index in try connection.indexes()
        where TableIndex.isName(index.name) && wanted[index.name] != index.creation {
            try connection.dropIndex(index.name)
        }
    }

    private func createIndexes(in connection: any WriterConnection) throws {
        let existing = Set(try connection.indexes().map(\.name))
        for index in tables.all.flatMap(\.indexes) where !existing.contains(index.name) {
            do {
                try connection.run(index.creation)
            } catch {
                guard index.isUnique, error.kind == .constraint else { throw error }
                throw StoreOpenError.migrationRefused([
                    "\(Words.list(index.properties.map { "\(index.model).\($0)" })) would not be unique. Let a stage of the migration "
                        + "plan see to that."
                ])
            }
        }
    }
}
