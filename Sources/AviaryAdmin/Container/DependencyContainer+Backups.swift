import AviaryData
package import AviaryDomain
import AviaryIPC
package import Foundation
import Logging

extension DependencyContainer {
    /// Returns the snapshots of a data directory for a command.
    ///
    /// No store has to be open: a backup only reads the file, and a restore opens the store when it needs it. From
    /// now on SIGINT and SIGTERM end the work cleanly.
    package static func snapshots(
        of app: AppDefinition, accepting otherApp: String? = nil, at location: StoreLocation,
        keepingReplaced keptReplaced: Int = BackupRetention.standardReplaced,
        progress: @escaping @Sendable (SnapshotProgress) -> Void = { _ in }
    ) -> any SnapshotRepository {
        snapshots(
            of: app, accepting: otherApp, at: location, keepingReplaced: keptReplaced, cancellationToken: .onSignals(),
            report: progress)
    }

    static func snapshots(
        of app: AppDefinition, accepting otherApp: String? = nil, at location: StoreLocation,
        keepingReplaced keptReplaced: Int = BackupRetention.standardReplaced, cancellationToken: CancellationToken,
        report: @escaping @Sendable (SnapshotProgress) -> Void
    ) -> SQLSnapshotRepository {
        SQLSnapshotRepository(
            data: location.path, app: app.name, acceptingApp: otherApp, schema: app.schema,
            sortIndexes: app.sortIndexes,
            engine: location.engine, migration: MigrationInstructions(plan: app.migrationPlan),
            roles: Set(app.roles.all.map(\.name)),
            keepingReplaced: keptReplaced, cancellationToken: cancellationToken, report: report,
            runningStore: { try RunningStore.connect(to: location) }
        )
    }
}

extension DependencyContainer {
    /// Returns the exports of a data directory for a command.
    ///
    /// Like ``snapshots(of:accepting:at:keepingReplaced:progress:)``, it needs no open store, and SIGINT and SIGTERM end
    /// the work cleanly.
    package static func exports(of app: AppDefinition, at location: StoreLocation) -> any ExportRepository {
        SQLExportRepository(
            data: location.path, schema: app.schema, engine: location.engine, cancellationToken: .onSignals())
    }
}

extension DependencyContainer {
    /// Returns the move of all contents of a store to an empty one. SIGINT and SIGTERM end the work cleanly.
    package static func move(
        of app: AppDefinition, from source: StoreLocation, to target: StoreLocation,
        report: @escaping @Sendable (SnapshotProgress) -> Void
    ) -> StoreMove {
        func snapshots(_ location: StoreLocation) -> SQLSnapshotRepository {
            Self.snapshots(of: app, at: location, cancellationToken: .onSignals(), report: report)
        }
        return StoreMove(source: source, target: target, from: snapshots(source), to: snapshots(target))
    }
}

/// The store of the server that runs on a data directory.
enum RunningStore {
    /// Connects to the server's store, or returns nil if the process that holds the directory is not a server.
    static func connect(to location: StoreLocation) throws -> (any StoreReplacing)? {
        let directory = try ServerDirectory(location)
        guard directory.statusFile.read() != nil else { return nil }
        return StoreClient(path: directory.socketPath)
    }
}

extension DependencyContainer {
    /// Returns the service for the scheduled backups of the process that owns the store.
    func backupService(_ schedule: BackupSchedule?, of app: AppDefinition, logger: Logger) -> BackupService {
        let (path, engine, writer) = (directory.path, directory.engine, writer)
        let saving = CancellationToken()
        @Sendable func snapshots(_ cancellationToken: CancellationToken) -> SQLSnapshotRepository {
            SQLSnapshotRepository(
                data: path, app: app.name, schema: app.schema, sortIndexes: app.sortIndexes, engine: engine,
                isLowPriority: true, cancellationToken: cancellationToken)
        }
        return BackupService(schedule: schedule, storage: SnapshotFolder(path), logger: logger) { schedule in
            let cancellationToken = CancellationToken()
            return BackupRound(
                schedule: schedule, storage: SnapshotFolder(path), snapshots: snapshots(cancellationToken),
                interrupt: { cancellationToken.request() }, isInterrupted: { cancellationToken.isRequested },
                logger: logger,
                record: { file in
                    let event = AuditEvent(.backup, at: Date(), account: ServerAuthor.name, subject: file)
                    do {
                        _ = try await writer.submit(ChangeSet(author: ServerAuthor.name, changes: [event.insertion]))
                    } catch {
                        logger.warning("the audit log does not tell of a backup", error: error)
                    }
                }
            )
        } saveLeftStores: {
            for reason in await snapshots(saving).completeLeftStores() {
                logger.warning(
                    "what a killed restore replaced could not be saved yet", metadata: ["reason": "\(reason)"])
            }
        } interruptSaving: {
            saving.request()
        }
    }
}

/// The author of changes that the server makes by itself. No account's name contains a space.
enum ServerAuthor {
    static let name = "the server"
}

extension DependencyContainer {
    static func snapshotLibrary(
        of app: AppDefinition, at location: StoreLocation, writer: any ChangeWriter & StoreReplacing
    ) -> any SnapshotLibrary {
        SQLSnapshotLibrary(
            data: location.path, app: app.name, engine: location.engine,
            repository: { report in
                SQLSnapshotRepository(
                    data: location.path, app: app.name, schema: app.schema, sortIndexes: app.sortIndexes,
                    engine: location.engine, migration: MigrationInstructions(plan: app.migrationPlan),
                    roles: Set(app.roles.all.map(\.name)),
                    isLowPriority: true,
                    report: report, runningStore: { writer }
                )
            },
            record: { job in
                Logger.standard(app).reportOlderSnapshots(after: job)
                if job.task == .restore {
                    Logger.standard(app).notice(
                        "a restore ended",
                        metadata: [
                            "account": "\(job.author)", "file": "\(job.file ?? "")", "state": "\(job.state)",
                            "milliseconds": "\(Int(Date().timeIntervalSince(job.startedAt) * 1000))",
                        ])
                }
                guard let kind = AuditEvent.Kind(job.task) else { return }
                let event = AuditEvent(kind, at: Date(), account: job.author, subject: job.file)
                do {
                    _ = try await writer.submit(ChangeSet(author: job.author, changes: [event.insertion]))
                } catch {
                    Logger.standard(app).warning("the audit log does not tell of work on a backup", error: error)
                }
            },
            words: { $0.redactedText }
        )
    }
}

extension Logger {
    /// Logs which snapshots of earlier restores a restore removed. The user did not select them by name.
    fileprivate func reportOlderSnapshots(after job: SnapshotJob) {
        if let names = job.removed, !names.isEmpty {
            notice("a restore removed what earlier ones kept", metadata: ["files": "\(names.joined(separator: " "))"])
        }
        for reason in job.notRemoved ?? [] {
            warning("what an earlier restore kept could not be removed", metadata: ["reason": "\(reason)"])
        }
        if let reason = job.unsaved {
            warning("the last changes before a restore are not in a snapshot yet", metadata: ["reason": "\(reason)"])
        }
    }
}

extension AuditEvent.Kind {
    /// Creates the kind of event for a task, or returns nil if the task neither exports nor replaces the store.
    fileprivate init?(_ task: SnapshotJob.Task) {
        switch task {
        case .take: self = .backup
        case .restore: self = .restore
        case .upload: self = .upload
        case .prove, .inspect: return nil
        }
    }
}

extension DependencyContainer {
    /// Returns the time of the newest snapshot in a data directory, or nil if there is none. It does not create the
    /// directory.
    package static func newestSnapshot(in path: String) -> Date? { SnapshotFolder(path).files().first?.takenAt }
}

extension ServerDirectory {
    /// The state of the server's backups, or nil if it takes none by itself.
    package var backupState: BackupState? { SnapshotFolder(path).backupState() }
}
