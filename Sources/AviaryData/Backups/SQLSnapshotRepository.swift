package import AviaryDomain
import Foundation

/// A repository of snapshots of the store in a data directory.
package struct SQLSnapshotRepository: SnapshotRepository {
    /// The compression level of a snapshot that is saved before a restore.
    ///
    /// It is low because a replaced store is usually restored at once.
    static let standardLevel = 1
    /// The highest compression level that is about as fast as reading.
    private static let quickLevel = 3

    let dataPath: String
    let app: String
    let acceptedApp: String?
    let schema: Schema
    let sortIndexes: [SortIndex]
    let engine: any StoreEngine
    let instructions: MigrationInstructions
    let roles: Set<String>?
    let keptReplaced: Int
    let isLowPriority: Bool
    private(set) var cancellationToken: CancellationToken
    let report: @Sendable (SnapshotProgress) -> Void
    let runningStore: @Sendable () async throws -> (any StoreReplacing)?

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - acceptedApp: The name of another application whose snapshots are accepted, too.
    ///   - engine: The engine that stores the data.
    ///   - instructions: The instructions that migrate records of a snapshot of an older program to the schema.
    ///   - roles: The names of the program's roles, so that the plan of a restore names other roles; nil if they
    ///     are not known.
    ///   - keptReplaced: The number of snapshots older than a day to keep, of those that restores saved before they
    ///     replaced the store.
    ///   - isLowPriority: Indicates whether creating and verifying snapshots runs at a lower priority than everything
    ///     else on the machine.
    ///   - report: A function that receives the progress on the thread that does the work.
    ///   - runningStore: A function that returns the store of the process that has the directory, if it can be
    ///     reached.
    package init(
        data path: String, app: String, acceptingApp acceptedApp: String? = nil, schema: Schema,
        sortIndexes: [SortIndex],
        engine: any StoreEngine = StoreEngines.standard, migration instructions: MigrationInstructions = .none,
        roles: Set<String>? = nil, keepingReplaced keptReplaced: Int = BackupRetention.standardReplaced,
        isLowPriority: Bool = false,
        cancellationToken: CancellationToken = CancellationToken(),
        report: @escaping @Sendable (SnapshotProgress) -> Void = { _ in },
        runningStore: @escaping @Sendable () async throws -> (any StoreReplacing)? = { nil }
    ) {
        dataPath = path
        self.app = app
        self.acceptedApp = acceptedApp
        self.schema = schema
        self.sortIndexes = sortIndexes
        self.engine = engine
        self.instructions = instructions
        self.roles = roles
        self.keptReplaced = keptReplaced
        self.isLowPriority = isLowPriority
        self.cancellationToken = cancellationToken
        self.report = report
        self.runningStore = runningStore
    }

    package func create(
        at destination: SnapshotDestination, level: Int, includingSecrets: Bool, includingHistory: Bool
    ) async throws -> SnapshotSummary {
        try await BlockingWork.run(isLowPriority: isLowPriority) {
            // This only checks: a mistyped name must not create a directory.
            guard try engine.hasStore(DataDirectory(found: dataPath)) else {
                throw StoreOpenError.missing(path: engine.name(of: DataDirectory(found: dataPath)))
            }
            var summary = try write(
                DataDirectory(path: dataPath), to: destination, level: level, includingSecrets: includingSecrets,
                includingHistory: includingHistory)
            let unsaved = saveLeftStores()
            if !unsaved.isEmpty { summary.unsaved = unsaved }
            return summary
        }
    }

    /// Returns a repository that nothing cancels.
    var uncancelled: SQLSnapshotRepository {
        var repository = self
        repository.cancellationToken = CancellationToken()
        return repository
    }

    package func verify(_ path: String) async throws -> SnapshotSummary {
        try await BlockingWork.run(isLowPriority: isLowPriority) { try load(path, isProving: false) }
    }

    package func prove(_ path: String) async throws -> SnapshotProof {
        try await BlockingWork.run(isLowPriority: isLowPriority) {
            let file = try FileFingerprint(path)
            let proof = SnapshotProof(provenAt: Date(), snapshot: try load(path, isProving: true))
            try SnapshotFolder(dataPath).keep(proof, of: path, file)
            return proof
        }
    }

    /// Loads a snapshot into a temporary store, which is removed.
    private func load(_ path: String, isProving: Bool) throws -> SnapshotSummary {
        let working = try WorkingDirectory(in: FileManager.default.temporaryDirectory.path)
        defer { withExtendedLifetime(working) {} }
        // Sort indexes enforce no constraints.
        var loader = loader(path, sortIndexes: [])
        loader.isProving = isProving
        var summary = try loader.load(intoStoreAt: working.path + "/store.sqlite").summary
        let effects = RestoreEffects(tables: ModelTables(schema, engine.dialect), engine: engine, roles: roles)
        summary.unknownRoles = try effects.unknownRoles(inStoreAt: working.path)
        return summary
    }

    /// Returns the current restore epoch of the store's file.
    static func restoreEpoch(data path: String, engine: any StoreEngine = StoreEngines.standard) throws -> String? {
        let connection = try engine.openReader(DataDirectory(found: path))
        defer { connection.close() }
        guard case .text(let epoch) = try MetaTable.value(.restoreEpoch, in: connection) else { return nil }
        return epoch
    }

    func loader(_ path: String, sortIndexes: [SortIndex]) -> SnapshotLoader {
        SnapshotLoader(
            path: path, app: app, acceptedApp: acceptedApp, schema: schema, sortIndexes: sortIndexes, engine: engine,
            cancellationToken: cancellationToken,
            instructions: instructions, report: report
        )
    }

    private func write(
        _ directory: DataDirectory, to destination: SnapshotDestination, level: Int, includingSecrets: Bool,
        includingHistory: Bool
    ) throws -> SnapshotSummary {
        try directory.createSnapshotsDirectory()
        AtomicFile.removeAbandoned(in: directory.snapshotsPath)
        let time = Date(), createdAt = time.rfc3339 ?? ""
        // A low priority may delay the reader, and a high compression level is slow. The store's write-ahead log
        // would grow meanwhile, so both read a copy.
        var options = SnapshotOptions(
            level: level, includesSecrets: includingSecrets, includesHistory: includingHistory,
            isQuick: !isLowPriority && level <= Self.quickLevel)
        let path: String
        switch destination {
        case .standardOutput:
            options.isQuick = false
            return try self.write(
                directory, to: FileSink(descriptor: STDOUT_FILENO, path: "standard output"), options, at: time,
                workingIn: directory)
        case .file(let name): path = name
        case .standard: path = directory.newSnapshotPath(app: app, createdAt: createdAt)
        case .scheduled:
            path = directory.newSnapshotPath(
                app: app, createdAt: createdAt, suffix: SnapshotFile.Origin.scheduled.suffix ?? "")
        }
        func write() throws -> SnapshotSummary {
            let file = try AtomicFile(path)
            let summary = try self.write(directory, to: file.sink, options, at: time, workingIn: directory)
            try file.publish()
            return summary.named(path)
        }
        do {
            return try write()
        } catch let error as ReadError where error.code == .heldLog {
            options.isQuick = false
            return try write()
        }
    }

    /// Writes a snapshot.
    ///
    /// - Parameters:
    ///   - directory: The directory whose snapshots may contain a copy of the store meanwhile.
    ///   - observe: A function that receives the committed state that the snapshot contains.
    /// - Throws: ``ReadError/Code/heldLog`` if the store itself cannot be read for so long.
    func write(
        _ source: DataDirectory, to sink: FileSink, _ options: SnapshotOptions, at time: Date,
        workingIn directory: DataDirectory, observing observe: (any Connection) throws -> Void = { _ in }
    ) throws -> SnapshotSummary {
        var writer = try SnapshotWriter(
            to: sink, level: options.level, includingSecrets: options.includesSecrets,
            includingHistory: options.includesHistory, usesTwoThreads: !isLowPriority,
            cancellationToken: cancellationToken, report: report
        )
        func write(_ copy: StoreCopy) throws -> SnapshotSummary {
            try observe(copy.connection)
            return try writer.write(copy, app: app, createdAt: time)
        }
        if options.isQuick { return try StoreCopy.reading(source, schema: schema, engine: engine, write) }
        let working = try WorkingDirectory(in: directory.snapshotsPath)
        defer { withExtendedLifetime(working) {} }
        report(SnapshotProgress(.copying))
        let copy: StoreCopy
        do {
            copy = try StoreCopy(of: source, schema: schema, in: working, engine: engine)
        } catch let error as ReadError where error.code == .storeBusy {
            // A long change is under way, which a copy cannot hide.
            return try StoreCopy.reading(source, schema: schema, engine: engine, write)
        }
        defer { copy.connection.close() }
        return try write(copy)
    }
}

/// The form of a snapshot.
struct SnapshotOptions {
    let level: Int
    let includesSecrets: Bool
    let includesHistory: Bool
    /// Indicates whether the store itself is read, not a copy.
    var isQuick: Bool
}

extension SnapshotSummary {
    func named(_ path: String) -> SnapshotSummary {
        SnapshotSummary(
            path: path, app: app, createdAt: createdAt, commit: commit, records: records, counts: counts,
            links: links, log: log, sha256: sha256
        )
    }
}

/// A committed state of a store that can be read while the store continues to write.
struct StoreCopy {
    let connection: any Connection
    let tables: ModelTables

    /// Reads the store itself in one snapshot while the body runs.
    ///
    /// The function copies nothing, and the write-ahead log cannot be checkpointed until the snapshot ends. It is
    /// therefore meant for work that ends by itself, such as a snapshot at a low compression level or an export to
    /// a file. While the body writes to a slow disk, the log grows with each commit, up to a bound. Work that waits
    /// for somebody, such as a reader of a pipe, uses a copy.
    ///
    /// - Throws: ``ReadError/Code/heldLog`` if the log has reached the bound. The caller can retry or use a copy.
    static func reading<Value>(
        _ directory: DataDirectory, schema: Schema, engine: any StoreEngine, logBound: LogBound = LogBound(),
        _ body: (StoreCopy) throws -> Value
    ) throws -> Value {
        let log = LogFile(of: directory, bound: logBound)
        guard !log.isTooLargeToBegin else { throw ReadError.heldLog }
        let connection = try engine.openReader(directory)
        defer { connection.close() }
        let cancellationToken = CancellationToken()
        let watch = LogGrowthMonitor(log, ending: cancellationToken)
        connection.beginWork(within: Self.longestReading, unless: cancellationToken)
        defer { connection.endWork() }
        do {
            return try connection.maskedSnapshot {
                try StoreLayout.checkIdentity(of: connection)
                try StoreLayout.check(schema, againstFileOf: connection)
                return try body(StoreCopy(connection: connection, tables: ModelTables(schema, engine.dialect)))
            }
        } catch let error as EngineError where error.kind == .interrupted && watch.hasEndedRead {
            throw ReadError.heldLog
        }
    }

    /// The time limit of a read. Reading a file of any size takes less: the size of the log ends a read that is too
    /// long.
    private static let longestReading: Duration = .seconds(24 * 3600)

    /// Checks that no rows are masked. The rows of a copy may have other numbers, which a mask would not fit.
    private static func checkUnmasked(_ connection: any Connection) throws {
        guard try RowMask.text(in: connection) == nil else { throw ReadError.storeBusy }
    }

    private init(connection: any Connection, tables: ModelTables) {
        self.connection = connection
        self.tables = tables
    }

    /// Copies the store into a working directory.
    ///
    /// - Parameter otherWay: A sentence that suggests an alternative if there is no room for the copy.
    /// - Throws: ``StoreOpenError`` if there is no store or it has other models; ``FileError`` if there is no room
    ///   for the copy; ``EngineError``.
    init(
        of directory: DataDirectory, schema: Schema, in working: WorkingDirectory, engine: any StoreEngine,
        otherWay: String? = nil
    ) throws {
        do {
            connection = try engine.copyStore(of: directory, to: working.path + "/copy.sqlite") { store in
                try StoreLayout.checkIdentity(of: store)
                // The snapshot would lack a model that only the file has.
                try StoreLayout.check(schema, againstFileOf: store)
                try Self.checkUnmasked(store)
            }
            try Self.checkUnmasked(connection)
        } catch let error as EngineError where error.kind == .outOfSpace {
            throw FileError(
                path: directory.snapshotsPath,
                reason: "has no room for a copy of the store, which is read instead of it: its disk is full.",
                advice: "Free as much space there as \(directory.storePath) takes." + (otherWay.map { " " + $0 } ?? "")
            )
        }
        tables = ModelTables(schema, engine.dialect)
    }
}
