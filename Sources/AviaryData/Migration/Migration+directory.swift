package import AviaryDomain

extension Migration {
    /// Returns the migration that opening the directory's store with these models would perform; nil when there is no
    /// store.
    ///
    /// The method only reads, also beside a store that is open.
    ///
    /// - Throws: ``StoreOpenError``, ``EngineError``.
    package static func planned(
        for schema: Schema, sortIndexes: [SortIndex], _ instructions: MigrationInstructions = .none,
        in directory: DataDirectory,
        engine: any StoreEngine = StoreEngines.standard
    ) throws -> Migration? {
        guard DataDirectory.hasStore(at: directory.path) else { return nil }
        let connection = try engine.openReader(directory)
        defer { connection.close() }
        return try connection.snapshot {
            if try connection.tableNames().isEmpty { return nil }
            try StoreLayout.checkIdentity(of: connection)
            try schema.checkTableNames(connection.dialect)
            let layout = StoreLayout(tables: ModelTables(schema, engine.dialect), sortIndexes: Set(sortIndexes))
            return try Migration(to: layout, instructions, in: connection)
        }
    }
}
