import AviaryDomain

/// The way from the models of a snapshot to those of the program.
struct SnapshotMigration: Sendable {
    private let manifest: SnapshotManifest
    private let layout: StoreLayout
    private let instructions: MigrationInstructions
    private let engine: any StoreEngine

    init(
        of manifest: SnapshotManifest, to schema: Schema, _ sortIndexes: [SortIndex],
        _ instructions: MigrationInstructions,
        engine: any StoreEngine
    ) {
        self.manifest = manifest
        layout = StoreLayout(tables: ModelTables(schema, engine.dialect), sortIndexes: Set(sortIndexes))
        self.instructions = MigrationInstructions(
            plan: instructions.plan, dropping: instructions.dropped, copiesStore: false)
        self.engine = engine
    }

    /// The models that the snapshot was written with; nil when they are those of the program.
    ///
    /// - Throws: ``SnapshotError`` when there is no way from them to the program's: they are of a newer one.
    func writtenSchema() throws(SnapshotError) -> Schema? {
        try checkVersion()
        let difference: SnapshotError
        do {
            try manifest.check(fits: layout.tables.schema)
            return nil
        } catch {
            difference = error
        }
        for model in manifest.schema.keys where layout.tables.schema.model(model)?.snapshotContent == .nothing {
            throw difference
        }
        let schema = try SnapshotManifest.schema(manifest.writtenSchema, like: layout.tables.schema)
        let summary = SchemaSummary(lines: schema.summary, models: schema.models.map(\.name))
        let steps = Migration.steps(from: summary, to: layout.tables, instructions)
        guard steps.allSatisfy(\.refusals.isEmpty) else { throw difference }
        return schema
    }

    /// - Returns: What was done, for a list.
    /// - Throws: ``SnapshotError``, ``EngineError``; then the store is worth nothing.
    func apply(toStoreAt path: String) throws -> [String] {
        let connection = try engine.openReplacement(at: path)
        defer { connection.close() }
        if let version = manifest.schemaVersion {
            try MetaTable.set(.schemaVersion, to: .text(version), in: connection)
        }
        do {
            let steps = try Migration(to: layout, instructions, in: connection).steps
            try layout.install(instructions, in: connection)
            return steps
        } catch StoreOpenError.migrationRefused(let reasons) {
            throw SnapshotError(.cannotMigrate(reasons))
        } catch let error as MigrationError {
            throw SnapshotError(.cannotMigrate(["\(error)"]))
        }
    }

    private func checkVersion() throws(SnapshotError) {
        guard let newest = instructions.plan?.versions.last?.identifier,
            let written = manifest.schemaVersion.flatMap({ Schema.Version($0) }), written > newest
        else { return }
        throw SnapshotError(.newerVersion(written: "\(written)", newest: "\(newest)"))
    }
}
