import AviaryData
import AviaryDomain
import AviaryIPC

extension DependencyContainer {
    /// Needs no open store: a backup only reads the file, and a restore opens the store when its time has come.
    /// SIGINT and SIGTERM from now on end what it does in good order.
    static func snapshots(
        of app: AppDefinition, accepting otherApp: String? = nil, data path: String,
        keepingReplaced keptReplaced: Int = BackupRetention.standardReplaced, progress: ProgressLine? = nil
    ) -> any SnapshotRepository {
        snapshots(of: app, accepting: otherApp, data: path, keepingReplaced: keptReplaced, interruption: .onSignals()) {
            progress?.show($0)
        }
    }

    static func snapshots(
        of app: AppDefinition, accepting otherApp: String? = nil, data path: String,
        keepingReplaced keptReplaced: Int = BackupRetention.standardReplaced, interruption: Interruption,
        report: @escaping @Sendable (SnapshotProgress) -> Void
    ) -> any SnapshotRepository {
        SQLSnapshotRepository(
            data: path, app: app.name, acceptingApp: otherApp, schema: app.schema, sortIndexes: app.sortIndexes,
            migration: MigrationInstructions(plan: app.migrationPlan), roles: Set(app.roles.all.map(\.name)),
            keepingReplaced: keptReplaced, interruption: interruption, report: report,
            runningStore: { try RunningStore.connect(dataDirectory: path) }
        )
    }
}

extension DependencyContainer {
    /// As ``snapshots(of:data:progress:)``, of one model's records.
    static func exports(of app: AppDefinition, data path: String) -> any ExportRepository {
        SQLExportRepository(data: path, schema: app.schema, interruption: .onSignals())
    }
}

/// The store of the server that has a data directory.
enum RunningStore {
    /// Nil when what has the directory is no server.
    static func connect(dataDirectory path: String) throws -> (any StoreReplacing)? {
        let directory = try ServedDirectory(path: path)
        guard directory.statusFile.read() != nil else { return nil }
        return StoreClient(path: directory.socketPath)
    }
}
