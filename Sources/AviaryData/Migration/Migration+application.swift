import AviaryDomain

extension Migration {
    /// Whether tables are replaced by others, for which ``WriterConnection/withoutReferenceChecks(_:)`` is needed.
    var rebuildsTables: Bool { !rebuiltModels.isEmpty }

    /// A column cannot be allowed to be empty in place.
    private var rebuiltModels: Set<String> {
        Set(difference.changes.compactMap { if case .becameOptional(let model, _) = $0 { model } else { nil } })
    }

    /// Does all of it, in the open transaction of the only writer.
    func apply(in connection: any WriterConnection) throws {
        for index in droppedSortIndexes { try connection.drop(index) }
        for change in difference.changes { try apply(change, in: connection) }
        for model in rebuiltModels.sorted() { try rebuild(model, in: connection) }
        if rebuildsTables, let missing = try connection.missingReference() {
            throw StoreOpenError.migrationRefused([
                "\(missing.model).\(missing.property ?? "id") points to a record that does not exist. Restore the last backup.",
            ])
        }
        // A rebuilt table lost its own.
        for index in layout.sortIndexes.subtracting(try SortIndex.all(in: connection)).sorted(by: { $0.name < $1.name }) {
            try create(index, in: connection)
        }
        let lines = layout.tables.schema.summary.joined(separator: "\n")
        try MetaTable.set(.schema, to: .text(lines), in: connection)
    }

    private func apply(_ change: SchemaChange, in connection: any WriterConnection) throws {
        let rebuilt = rebuiltModels
        switch change {
        case .newModel(let model):
            guard let table = layout.tables[model] else { return }
            for statement in table.creation { try connection.run(statement) }
            try TotalTable.add(model, in: connection)
        case .newProperty(let model, let property, _) where !rebuilt.contains(model):
            guard let table = layout.tables[model] else { return }
            for statement in table.addition(of: property) { try connection.run(statement) }
        case .becameUnique(let model, let property) where !rebuilt.contains(model):
            guard let table = layout.tables[model], let property = table.model.property(property) else { return }
            try connection.run(table.createUniqueIndex(property))
        case .becameRepeatable(let model, let property) where !rebuilt.contains(model):
            guard let table = layout.tables[model] else { return }
            try connection.run("DROP INDEX \(connection.dialect.name(table.uniqueIndexName(property)))")
        default: break
        }
    }

    /// The way that SQLite's documentation gives: a new table beside the old one, all rows, and then its name.
    private func rebuild(_ model: String, in connection: any WriterConnection) throws {
        guard let table = layout.tables[model] else { return }
        let added = Set(difference.changes.compactMap { change in
            if case .newProperty(model, let property, _) = change { property.name } else { nil }
        })
        let temporary = connection.dialect.name("aviary_new.\(model)")
        let own = [connection.dialect.rowNumber, "id", "aviary_version"]
        let values = table.model.storedProperties.map { property in
            added.contains(property.name)
                ? connection.dialect.literal(property.defaultValue) : connection.dialect.name(property.name)
        }
        try connection.run(table.createTable(named: temporary))
        try connection.run(
            "INSERT INTO \(temporary) (\((own + table.columns).joined(separator: ", "))) "
                + "SELECT \((own + values).joined(separator: ", ")) FROM \(table.name) ORDER BY \(connection.dialect.rowNumber)"
        )
        try connection.run("DROP TABLE \(table.name)")
        try connection.run("ALTER TABLE \(temporary) RENAME TO \(table.name)")
        for statement in table.indexCreation { try connection.run(statement) }
    }

    private func create(_ index: SortIndex, in connection: any Connection) throws {
        guard let table = layout.tables[index.model], let property = table.model.property(index.property), property.isSortable
        else { throw StoreOpenError.unknownSortIndex(index) }
        try connection.run(table.createSortIndex(property, named: index.name))
    }
}

extension Connection {
    fileprivate func drop(_ index: SortIndex) throws {
        try run("DROP INDEX \(dialect.name(index.name))")
    }
}

extension ModelTable {
    /// The statements that add a property to the table, with its indexes.
    fileprivate func addition(of property: PropertySchema) -> [String] {
        let column = definition(of: property, forRowsThereAlready: property.defaultValue)
        var statements = [dialect.addColumn(column, to: name)]
        if property.isUnique { statements.append(createUniqueIndex(property)) }
        if case .toOne = property.type { statements.append(createReferenceIndex(property.name)) }
        return statements
    }
}
