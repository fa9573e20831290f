import AviaryData
package import AviaryDomain
import AviaryIPC
import ImportFeature
import Logging

/// The container that creates the parts and connects them by their protocols. Only this type names concrete stores.
package struct DependencyContainer: Sendable {
    package let schema: Schema
    package let writer: any ChangeWriter & StoreReplacing
    /// The save hooks of the application, for values that are only checked.
    let preparation: SavePreparation
    let ledger: any DraftLedger
    let draftCompression: any DraftCompression
    package let history: any HistoryRepository
    let historyPolicy: HistoryPolicy
    package let accounts: AccountRepository
    /// The repository of account records that the history uses.
    let accountRecords: any RecordRepository
    let statistics: any StatisticsRepository
    let snapshots: any SnapshotLibrary
    let keys: KeyRing
    /// The models in the order of the admin's declaration.
    let models: [AdminModel]
    /// The store if this process owns it, or nil if another process does.
    let storeService: (any StoreService)?
    private let modelsBySlug: [String: AdminModel]
    let readers: ReaderPool
    /// The watch of the store's commits, until the next of which caches are valid.
    var commits: any StoreVersionSource { readers.commits }
    /// The client of the store's socket if another process owns the store.
    let client: StoreClient?
    let directory: ServerDirectory

    /// Creates the container of a process that owns the store. A data directory has one owner at a time.
    ///
    /// - Parameter isServer: Indicates whether the process serves the directory. Only a server drops what
    ///   ``ApprovedDrops`` permits.
    /// - Throws: `DataDirectoryError`, or an error that describes a problem with the store's file.
    init(
        owning directory: ServerDirectory, of app: AppDefinition, isServer: Bool = true,
        onFatalError: @escaping @Sendable (String) -> Void
    ) throws {
        let drops = isServer ? ApprovedDrops.names(in: directory.path) : []
        // The program that the deploy replaces may start its store again. It drops nothing, and the permission stays.
        let isDropping =
            try !drops.isEmpty && Self.migrationReport(of: app, at: directory.location, dropping: drops).mistake == nil
        let store = try Store(
            directory: directory.files, schema: app.schema, sortIndexes: app.sortIndexes,
            migration: MigrationInstructions(plan: app.migrationPlan, dropping: drops), history: app.history,
            engine: directory.engine, lock: directory.lock, onFatalError: onFatalError,
            onFileCheck: FileCheckLog(logger: .standard(app)).logEvent,
            onExpiredLease: ExpiredLeaseLog(logger: .standard(app)).logEvent
        )
        if isDropping { ApprovedDrops.withdraw(in: directory.path) }
        let service = StoreServiceReplacement.replace(InProcessStore(store: store))
        try self.init(directory: directory, app: app, writer: service, storeService: service)
        ImportFolder(data: directory.path).removeExpired()
    }

    /// Creates the container of a process that reads the file itself and writes through the store process.
    init(sharing directory: ServerDirectory, of app: AppDefinition, as kind: ClientIdentity.Kind = .worker) throws {
        let client = StoreClient(
            path: directory.socketPath, as: kind, schema: app.schema, logger: .standard(app)
        )
        try self.init(directory: directory, app: app, writer: client, storeService: nil)
    }

    /// Creates the container of a command, which works through the server that runs on the directory, or else as
    /// the owner of the store.
    ///
    /// - Throws: `DataDirectoryError` that names the process with the lock if that process is not a server.
    package init(
        attachingTo location: StoreLocation, of app: AppDefinition, onFatalError: @escaping @Sendable (String) -> Void
    ) throws {
        let directory: ServerDirectory
        do {
            directory = try ServerDirectory(locking: location)
        } catch {
            let shared = try ServerDirectory(location)
            guard shared.statusFile.read() != nil else { throw error }
            try self.init(sharing: shared, of: app, as: .command)
            return
        }
        try self.init(owning: directory, of: app, isServer: false, onFatalError: onFatalError)
    }

    private init(
        directory: ServerDirectory, app: AppDefinition, writer: any ChangeWriter & StoreReplacing,
        storeService: (any StoreService)?
    ) throws {
        let client = writer as? StoreClient
        let damage = DamageReports { [logger = Logger.standard(app)] in
            do {
                await storeService?.checkFile()
                try await client?.checkFile()
            } catch {
                logger.warning("the store could not be asked to check its file", error: error)
            }
        }
        let readers = try ReaderPool(directory: directory.files, schema: app.schema, engine: directory.engine) {
            error in
            Logger.standard(app).error("a read failed", error: error)
            if error.kind == .damage { damage.report() }
        }
        self.client = client
        self.directory = directory
        let preparation = SavePreparation(
            hooks: app.saveHooks, logger: .standard(app),
            source: SaveReadSource(
                schema: app.schema,
                records: { [writer] model in
                    SQLRecordRepository(model: model, schema: app.schema, readers: readers, writer: writer)
                },
                newestCommit: { try readers.newestCommit() }))
        self.preparation = preparation
        let writer = HookedWriter(
            base: writer, preparation: preparation, schema: app.schema,
            find: { [writer] model, id in
                try await SQLRecordRepository(model: model, schema: app.schema, readers: readers, writer: writer).find(
                    id)
            }
        )
        let models = app.configurations.map { configuration in
            let records = SQLRecordRepository(
                model: configuration.schema, schema: app.schema, readers: readers, writer: writer)
            return AdminModel(configuration: configuration, repository: records, records: records)
        }
        schema = app.schema
        self.writer = writer
        self.storeService = storeService
        self.models = models
        self.readers = readers
        accounts = AccountRepository(
            records: { SQLRecordRepository(model: $0, schema: app.schema, readers: readers, writer: writer) },
            writer: writer, roles: app.roles
        )
        accountRecords = SQLRecordRepository(
            model: Account.schema, schema: app.schema, readers: readers, writer: writer)
        statistics = SQLStatisticsRepository(readers: readers)
        snapshots = Self.snapshotLibrary(of: app, at: directory.location, writer: writer)
        history = SQLHistoryRepository(readers: readers, writer: writer)
        historyPolicy = app.history
        ledger = SQLDraftLedger(readers: readers, writer: writer)
        draftCompression = ZlibDraftCompression()
        let logger = Logger.standard(app)
        keys = try KeyRing(
            directory: directory.files.keysPath,
            report: { problem in
                logger.warning(
                    "a key was left out",
                    metadata: [
                        "file": "\(problem.path)", "reason": "\(problem.reason)", "advice": "\(problem.advice)",
                    ])
            })
        modelsBySlug = Dictionary(models.map { ($0.schema.slug, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func model(slug: String) -> AdminModel? {
        modelsBySlug[slug]
    }

    func model(named name: String) -> AdminModel? {
        models.first { $0.schema.name == name }
    }

    /// Returns whether the store responds, in this process or in its own.
    func isStoreAnswering() async -> Bool {
        guard let client else { return true }
        return (try? await client.status(patience: .seconds(1))) != nil  // why it does not is not the caller's business
    }

    /// Returns the numbers of records, by the names of the models.
    ///
    /// - Throws: ``ReadError``, ``EngineError``.
    func recordCounts() throws -> [String: Int] {
        try readers.recordCounts()
    }

    /// Commits the open batch and closes the files.
    package func close() async {
        readers.close()
        await storeService?.close()
    }
}

extension AppDefinition {
    /// The indexes for all properties by which lists sort, search and filter.
    var sortIndexes: [SortIndex] {
        configurations.flatMap { configuration in
            configuration.indexedProperties.map { SortIndex(model: configuration.schema.name, property: $0) }
        }
    }
}

extension DependencyContainer {
    /// Runs a closure with the store of a data directory, for a command.
    ///
    /// - Throws: The error of the closure; `DataDirectoryError`; an error that describes a problem with the store's
    ///   file.
    package static func attached<Result: Sendable>(
        to location: StoreLocation, of app: AppDefinition, _ body: (DependencyContainer) async throws -> Result
    ) async throws -> Result {
        let container = try DependencyContainer(
            attachingTo: location, of: app, onFatalError: Server.terminateImmediately(app))
        do {
            let result = try await body(container)
            await container.close()
            return result
        } catch {
            await container.close()
            throw error
        }
    }
}

extension AccountRepository {
    /// Returns the account with a name.
    ///
    /// - Throws: ``AccountError/notFound``.
    package func existing(_ name: AccountName) async throws -> Account {
        guard let account = try await account(named: name) else { throw AccountError.notFound }
        return account
    }
}

extension DependencyContainer {
    /// Returns the migration that the directory's store needs for the program's models. It only reads, also while a
    /// server runs.
    ///
    /// - Parameters:
    ///   - dropped: The names of models and properties (`Animal.legs`) that may be lost, in addition to those that the
    ///     next deploy may drop.
    package static func migrationReport(
        of app: AppDefinition, at location: StoreLocation, dropping dropped: Set<String> = []
    ) throws -> MigrationReport {
        let nothing = MigrationReport(change: .none, steps: [], reasons: [], unknown: dropped)
        guard try location.hasStore() else { return nothing }
        do {
            let dropping = dropped.union(ApprovedDrops.names(in: location.path))
            let migration = try DerivedMigration.planned(
                for: app.schema, sortIndexes: app.sortIndexes,
                MigrationInstructions(plan: app.migrationPlan, dropping: dropping),
                in: try location.directory(), engine: location.engine
            )
            guard let migration else { return nothing }
            let droppable = migration.droppableNames
            return MigrationReport(
                change: migration.kind, steps: migration.steps, reasons: migration.refusals,
                unknown: dropped.subtracting(droppable), droppable: droppable,
                undecided: droppable.subtracting(dropping),
                command: app.commandName
            )
        } catch let error as StoreOpenError {
            return MigrationReport(change: .refused, steps: [], reasons: ["\(error)"])
        }
    }

    /// Opens the store as its owner, which migrates it to the models, and closes it.
    ///
    /// - Throws: `DataDirectoryError` that names the process with the lock, or an error that says why the store
    ///   cannot be opened.
    package static func migrate(
        _ app: AppDefinition, at location: StoreLocation, dropping dropped: Set<String>, copiesStore: Bool
    ) async throws {
        let directory = try ServerDirectory(locking: location)
        let store = try Store(
            directory: directory.files, schema: app.schema, sortIndexes: app.sortIndexes,
            migration: MigrationInstructions(plan: app.migrationPlan, dropping: dropped, copiesStore: copiesStore),
            history: app.history, engine: directory.engine, lock: directory.lock,
            onFatalError: Server.terminateImmediately(app)
        )
        await store.close()
    }
}

extension DependencyContainer {
    /// Removes the oldest entries of the history, or counts them, as the owner of the store.
    ///
    /// - Throws: `DataDirectoryError` that names the process with the lock, or an error that says why the store cannot
    ///   be opened.
    package static func trimHistory(
        of app: AppDefinition, at location: StoreLocation, to bound: HistoryBound, isDryRun: Bool
    ) async throws -> HistoryTrimReport {
        let directory = try ServerDirectory(locking: location)
        let store = try Store(
            directory: directory.files, schema: app.schema, sortIndexes: app.sortIndexes,
            migration: MigrationInstructions(plan: app.migrationPlan), history: app.history,
            engine: directory.engine, lock: directory.lock, onFatalError: Server.terminateImmediately(app)
        )
        do {
            let report = try await store.trimHistory(to: bound, isDryRun: isDryRun)
            await store.close()
            return report
        } catch {
            await store.close()
            throw error
        }
    }
}

extension DependencyContainer {
    /// Commits the changes together.
    ///
    /// - Throws: `StoreError`.
    func insertSampleData(_ changes: [Change]) async throws {
        guard !changes.isEmpty else { return }
        _ = try await writer.submit(ChangeSet(author: CommandAuthor.name, changes: changes))
    }

    /// Returns whether no model has a record.
    func isEmpty() async throws -> Bool {
        for model in models {
            guard try await model.repository.count() == 0 else { return false }
        }
        return true
    }
}

extension DependencyContainer {
    /// Opens a file for an import.
    ///
    /// - Parameters:
    ///   - encoding: The encoding of a file without a byte order mark.
    ///   - separator: The character between the fields of CSV, in ASCII; nil for the one that the header uses.
    /// - Throws: An error that says why the file cannot be read.
    package static func importFile(
        _ path: String, encoding: TextEncoding = .utf8, separator: UInt8? = nil
    ) throws -> any ImportSource {
        try FileImportSource(path, limits: .own, encoding: encoding, separator: separator)
    }

    /// Writes the lines that an import leaves out to a new file.
    ///
    /// - Parameter isMarked: A Boolean value that indicates whether the file begins with a byte order mark, by which an
    ///   import recognizes UTF-8 when another encoding is named.
    /// - Throws: An error that says why the file cannot be written or its source cannot be read.
    package static func write(
        _ rejected: RejectedRecords, of source: any ImportSource, isMarked: Bool, to path: String
    ) throws {
        try rejected.write(from: source, isMarked: isMarked, toNewFile: path)
    }

    /// Returns a function that throws ``CommandInterrupted`` after Ctrl-C or another signal that ends a command. From
    /// now on, such a signal does not end the process by itself.
    package static func signalCheck() -> @Sendable () throws -> Void {
        let token = CancellationToken.onSignals()
        return { if token.isRequested { throw CommandInterrupted() } }
    }

    /// The files that users have uploaded for an import in the admin.
    var importFiles: any ImportFiles { ImportFolder(data: directory.path) }

    /// The target of imports in the admin.
    ///
    /// - Parameter author: The account that imports.
    func importTarget(for author: String) -> ImportTarget {
        ImportTarget(lookUp: StoredRecords(container: self, author: author)) {
            try await submitImport($0)
        } commit: { id in
            guard case .saved(let commit)? = try await ledger.outcome(ofDraft: id) else { return nil }
            return commit
        } restoreEpoch: {
            try await mappingReadErrors { try await ledger.restoreEpoch() }
        } isGood: {
            try await accounts.isGood($0)
        } addEvent: {
            _ = try await submitImport($0)
        }
    }

    /// The largest size of an uploaded import file, in bytes.
    static var importFileLimit: Int { ImportFolder.Bounds().size }

    /// The exports that pages offer.
    var listExport: any ListExport { SQLListExport(data: directory.path, readers: readers) }
}

/// The error of a command that a signal such as Ctrl-C stopped.
package struct CommandInterrupted: Error, Sendable, CustomStringConvertible {
    package let description = "Interrupted."
}

/// The author of the changes that commands make. A user who may run a command on the data directory may do
/// everything there.
package enum CommandAuthor {
    package static let name = "command line"
}
