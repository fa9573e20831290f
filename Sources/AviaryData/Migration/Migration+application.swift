import AviaryDomain

extension Migration {
    /// A Boolean value that indicates whether the migration replaces tables, which requires
    /// ``WriterConnection/withoutReferenceChecks(_:)``.
    var replacesTables: Bool { migrationSteps.contains(where: \.replacesTables) }

    /// Runs the whole migration in the open transaction of the only writer.
    ///
    /// - Throws: ``StoreOpenError/migrationRefused(_:)``, ``MigrationError``, ``EngineError``.
    func apply(in connection: any WriterConnection) throws {
        for index in indexes.droppedSortIndexes { try connection.dropIndex(index.name) }
        for step in migrationSteps { try step.apply(in: connection) }
        if replacesTables, let missing = try connection.missingReference() {
            throw StoreOpenError.migrationRefused([
                "\(missing.model).\(missing.property ?? "id") would point to a record that does not exist. Let the migration plan "
                    + "do away with such references; if it has no stage of its own, restore the last backup."
            ])
        }
        // A replaced table lost its own.
        let existing = Set(try connection.indexes().map(\.name))
        for index in layout.sortIndexes.sorted(by: { $0.name < $1.name }) where !existing.contains(index.name) {
            guard let creation = layout.creation(of: index) else { throw StoreOpenError.unknownSortIndex(index) }
            try connection.run(creation)
        }
        try write(in: connection)
    }

    private func write(in connection: any WriterConnection) throws {
        let lines = layout.tables.schema.summary.joined(separator: "\n")
        try MetaTable.set(.schema, to: .text(lines), in: connection)
        if let version { try MetaTable.set(.schemaVersion, to: .text("\(version)"), in: connection) }
        if migrationSteps.contains(where: \.outdatesHistory), let position = try StorePosition.read(from: connection) {
            try MetaTable.set(.undoBarrier, to: .integer(position.commit), in: connection)
        }
    }
}

extension Connection {
    func dropIndex(_ name: String) throws {
        try run("DROP INDEX \(dialect.name(name))")
    }
}
