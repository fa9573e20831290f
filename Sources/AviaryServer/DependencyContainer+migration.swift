import AviaryData
import AviaryDomain

extension DependencyContainer {
    /// What the directory's store needs to fit the program's models. Only reads, also beside a running server.
    ///
    /// - Parameter dropped: What may be lost: names of models, and of properties as `Animal.legs`.
    static func migrationReport(
        of app: AppDefinition, data path: String, dropping dropped: Set<String> = []
    ) throws -> MigrationReport {
        let nothing = MigrationReport(change: .none, steps: [], reasons: [], unknown: dropped)
        guard ServedDirectory.hasStore(at: path) else { return nothing }
        do {
            let migration = try Migration.planned(
                for: app.schema, sortIndexes: app.sortIndexes,
                MigrationInstructions(plan: app.migrationPlan, dropping: dropped), in: try DataDirectory(path: path)
            )
            guard let migration else { return nothing }
            let droppable = migration.droppableNames
            return MigrationReport(
                change: migration.kind, steps: migration.steps, reasons: migration.refusals,
                unknown: dropped.subtracting(droppable), droppable: droppable
            )
        } catch let error as StoreOpenError {
            return MigrationReport(change: .refused, steps: [], reasons: ["\(error)"])
        }
    }

    /// Opens the store as its owner, which lets its file fit the models, and closes it.
    ///
    /// - Throws: `DataDirectoryError` naming the process that has the directory, or why the store cannot be opened.
    static func migrate(
        _ app: AppDefinition, data path: String, dropping dropped: Set<String>, copiesStore: Bool
    ) async throws {
        let directory = try ServedDirectory(locking: path)
        let store = try Store(
            directory: directory.files, schema: app.schema, sortIndexes: app.sortIndexes,
            migration: MigrationInstructions(plan: app.migrationPlan, dropping: dropped, copiesStore: copiesStore),
            history: app.history, lock: directory.lock, onFatalError: Server.endAtOnce(app)
        )
        await store.close()
    }
}
