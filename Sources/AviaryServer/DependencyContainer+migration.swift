import AviaryData
import AviaryDomain

extension DependencyContainer {
    /// What the directory's store needs to fit the program's models. Only reads, also beside a running server.
    static func migrationReport(of app: AppDefinition, data path: String) throws -> MigrationReport {
        guard ServedDirectory.hasStore(at: path) else { return MigrationReport(change: .none, steps: [], reasons: []) }
        do {
            let migration = try Migration.planned(
                for: app.schema, sortIndexes: app.sortIndexes, in: try DataDirectory(path: path)
            )
            guard let migration else { return MigrationReport(change: .none, steps: [], reasons: []) }
            return MigrationReport(change: migration.kind, steps: migration.steps, reasons: migration.refusals)
        } catch let error as StoreOpenError {
            return MigrationReport(change: .refused, steps: [], reasons: ["\(error)"])
        }
    }

    /// Opens the store as its owner, which lets its file fit the models, and closes it.
    ///
    /// - Throws: `DataDirectoryError` naming the process that has the directory, or why the store cannot be opened.
    static func migrate(_ app: AppDefinition, data path: String) async throws {
        let directory = try ServedDirectory(locking: path)
        let store = try Store(
            directory: directory.files, schema: app.schema, sortIndexes: app.sortIndexes, history: app.history,
            lock: directory.lock, onFatalError: Server.endAtOnce(app)
        )
        await store.close()
    }
}
