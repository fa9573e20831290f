import AviaryDomain

/// A step of a ``DerivedMigration`` from one schema to the next.
///
/// It consists of the differences found by comparison and of the program's own part.
struct MigrationStep: Sendable {
    /// The name of the step, such as `1.0.0 to 2.0.0`; nil without a plan.
    let name: String?
    let difference: SchemaDifference
    /// The tables before the step, for the program's own part; nil without a plan.
    let before: ModelTables?
    let tables: ModelTables
    let stage: MigrationStage?
    /// The numbers of links of the removed relations, by their names; known before the first step.
    var linkCounts: [String: Int] = [:]

    var links: LinkChanges { LinkChanges(difference, to: tables) }

    /// The steps in words.
    var steps: [String] {
        var steps = difference.steps + links.steps(linkCounts)
        if let stage, stage.willMigrate != nil || stage.didMigrate != nil {
            steps.append("do what the program's migration plan says")
        }
        return steps.map { prefix + $0 }
    }

    var refusals: [String] {
        difference.refusals.map { prefix + $0 }
    }

    private var prefix: String { name.map { "\($0): " } ?? "" }

    /// The kind of change. A stage with code of its own may change anything, so it excludes other workers.
    var kind: SchemaDifference.Kind {
        max(difference.kind, stage.map { $0.isCustom ? .exclusive : .none } ?? .none)
    }

    /// The models whose tables are replaced, because a column's type and constraints cannot be changed in place.
    var rebuiltModels: Set<String> {
        Set(
            difference.changes.compactMap { change in
                switch change {
                case .becameOptional(let model, _), .widened(let model, _, _, _, .real),
                    .widened(let model, _, _, _, .scaled),
                    .dropped(let model, _?):
                    model
                default: nil
                }
            })
    }

    var conversions: [ModelConversion] {
        let converted = Set(
            difference.changes.compactMap { change in
                if case .converted(_, let model) = change { model } else { nil }
            })
        return stage?.conversions.filter { converted.contains($0.target) } ?? []
    }

    /// Indicates whether the checks of references must be deferred to the end.
    var replacesTables: Bool {
        !rebuiltModels.isEmpty || links.replacesTables || stage?.isCustom == true
            || difference.changes.contains { change in
                if case .dropped(_, nil) = change { true } else { false }
            }
    }

    /// Indicates whether the history contains values in a form that no longer fits.
    var outdatesHistory: Bool {
        stage?.isCustom == true || links.outdatesHistory
            || difference.changes.contains { change in
                switch change {
                case .renamed, .dropped, .converted, .choicesRemoved, .widened(_, _, _, _, .real),
                    .widened(_, _, _, _, .scaled):
                    true
                default: false
                }
            }
    }
}

extension MigrationStage {
    var isCustom: Bool { !conversions.isEmpty || willMigrate != nil || didMigrate != nil }
}

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
        try checkChoices(in: connection)
        try createIndexes(in: connection)
    }

    /// Checks that no record holds a choice that the program does not have, after a stage that may have replaced it.
    private func checkChoices(in connection: any WriterConnection) throws {
        for case .choicesRemoved(let model, let name, let choices) in difference.changes {
            guard let table = tables[model], let property = table.model.property(name),
                let refusal = try DerivedMigration.heldChoices(choices, of: property, in: table, [:], connection)
            else { continue }
            throw StoreOpenError.migrationRefused([refusal])
        }
    }

    private func run(
        _ body: (MigrationContext) throws -> Void, on tables: ModelTables, in connection: any WriterConnection
    ) throws {
        do {
            try body(MigrationContext(TableRecords(tables: tables, connection: connection)))
        } catch let error as EngineError {
            // The reason is an error of the disk or a violated constraint. The engine's message names columns and
            // no values.
            throw MigrationError.failed(stage: name ?? "", reason: error.reason)
        }
    }

    private func apply(_ change: SchemaChange, in connection: any WriterConnection) throws {
        switch change {
        case .newModel(let model):
            guard let table = tables[model] else { return }
            try connection.run(table.createTable(named: table.name))
            try RecordCountTable.add(model, in: connection)
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
            // The values were checked before, but a stage of the program may have changed them since.
            guard let table = tables[model] else { return }
            let former = difference.changes.formerNames(in: model)
            if let refusal = try DerivedMigration.tooLarge(property, of: table, for: type, widening, former, connection)
            {
                throw StoreOpenError.migrationRefused([refusal])
            }
        case .dropped(let model, nil):
            try connection.run("DROP TABLE \(connection.dialect.name(model))")
            try RecordCountTable.remove(model, in: connection)
        default: break
        }
    }

    /// Replaces a table as SQLite's documentation recommends: a new table, a copy of all rows, and a rename.
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
        try continueNumbering(of: table, in: connection)
    }

    /// Lets new rows get numbers above those that were copied.
    private func continueNumbering(of table: ModelTable, in connection: any WriterConnection) throws {
        if let statement = connection.dialect.continueNumbering(of: table.name) { try connection.run(statement) }
    }

    /// Returns the expression of the value in the current table.
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
            case .real: column = dialect.real(column)
            case .scaled(let digits): column += " * 1" + String(repeating: "0", count: digits)
            }
        }
        return column
    }

    // MARK: Indexes

    /// Drops the indexes that the newer models do not have, or have in another form.
    ///
    /// The records need not fulfil their constraints any more.
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
                    "\(TextFormatter.list(index.properties.map { "\(index.model).\($0)" })) would not be unique. Let a stage of the migration "
                        + "plan see to that."
                ])
            }
        }
    }
}

extension MigrationStep {
    /// Converts all records of a model, one after the other, in bounded memory.
    func convert(_ conversion: ModelConversion, in connection: any WriterConnection) throws {
        guard let before = before?[conversion.source], let table = tables[conversion.target] else { return }
        let temporary = connection.dialect.name("aviary_new.\(conversion.target)")
        let number = connection.dialect.rowNumber
        try connection.run(table.createTable(named: temporary))
        let insertion = Query(
            "INSERT INTO \(temporary) (\(number), \(table.selection)) VALUES (\(SQL.placeholders(table.columns.count + 3)))"
        )
        let source = TableRecords(tables: self.before ?? tables, connection: connection)
        try source.enumerateRows(of: before) { row, record in
            let values = try converted(record, conversion, to: table)
            try connection.run(
                insertion,
                [.integer(row), .text(record.id.canonicalText), .integer(record.version)] + values
            )
        }
        try connection.run("DROP TABLE \(before.name)")
        try connection.run("ALTER TABLE \(temporary) RENAME TO \(table.name)")
        try continueNumbering(of: table, in: connection)
        guard conversion.source != conversion.target else { return }
        let count = try RecordCountTable.count(conversion.source, in: connection)
        try RecordCountTable.remove(conversion.source, in: connection)
        try RecordCountTable.add(conversion.target, in: connection)
        try RecordCountTable.add(count, to: conversion.target, in: connection)
    }

    private func converted(
        _ record: Record, _ conversion: ModelConversion, to table: ModelTable
    ) throws -> [FieldValue] {
        let values: [FieldValue]
        do {
            values = try conversion.convert(record)
        } catch {
            let reason = (error as? any RedactedError)?.redacted ?? "\(type(of: error))"
            throw MigrationError.failed(
                stage: name ?? "",
                reason: "\(conversion.source) \(record.id.canonicalText) was not converted: \(reason)")
        }
        try table.model.check(values, of: record.id)
        return values
    }
}
