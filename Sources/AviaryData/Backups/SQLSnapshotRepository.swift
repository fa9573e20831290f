package import AviaryDomain
import Foundation

/// Snapshots of the store in a data directory.
package struct SQLSnapshotRepository: SnapshotRepository {
    /// Of restores too: what is about to be replaced is most often wanted back at once.
    static let standardLevel = 1
    /// Up to this one compressing keeps pace with reading, about.
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
    let givesWay: Bool
    let interruption: Interruption
    let report: @Sendable (SnapshotProgress) -> Void
    let runningStore: @Sendable () async throws -> (any StoreReplacing)?

    /// - Parameters:
    ///   - acceptedApp: An application of another name whose snapshots are taken too.
    ///   - engine: What holds the data.
    ///   - migration: How records of a snapshot that an older program wrote come to the schema.
    ///   - roles: Names of those that the program has, so that the plan of a restore tells of others; nil where it is not known.
    ///   - keptReplaced: How many of the snapshots that restores kept of what they replaced stay, if they are older than a day.
    ///   - givesWay: Whether everything else on the machine comes before making and checking snapshots.
    ///   - report: Told how far the work has come, from the thread that does it.
    ///   - runningStore: The store of a process that has the directory, if it can be reached.
    package init(
        data path: String, app: String, acceptingApp acceptedApp: String? = nil, schema: Schema,
        sortIndexes: [SortIndex],
        engine: any StoreEngine = StoreEngines.standard, migration instructions: MigrationInstructions = .none,
        roles: Set<String>? = nil, keepingReplaced keptReplaced: Int = BackupRetention.standardReplaced,
        givingWay givesWay: Bool = false,
        interruption: Interruption = Interruption(), report: @escaping @Sendable (SnapshotProgress) -> Void = { _ in },
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
        self.givesWay = givesWay
        self.interruption = interruption
        self.report = report
        self.runningStore = runningStore
    }

    package func create(
        at destination: SnapshotDestination, level: Int, includingSecrets: Bool, includingHistory: Bool
    ) async throws -> SnapshotSummary {
        try await BlockingWork.run(givingWay: givesWay) {
            // Only looks: a mistyped name must not become a directory.
            guard DataDirectory.hasStore(at: dataPath) else {
                throw StoreOpenError.missing(path: dataPath + "/store.sqlite")
            }
            return try write(
                DataDirectory(path: dataPath), to: destination, level: level, includingSecrets: includingSecrets,
                includingHistory: includingHistory)
        }
    }

    package func verify(_ path: String) async throws -> SnapshotSummary {
        try await BlockingWork.run(givingWay: givesWay) { try load(path, isProving: false) }
    }

    package func prove(_ path: String) async throws -> SnapshotProof {
        try await BlockingWork.run(givingWay: givesWay) {
            let file = try FileFingerprint(path)
            let proof = SnapshotProof(provenAt: Date(), snapshot: try load(path, isProving: true))
            try SnapshotFolder(dataPath).keep(proof, of: path, file)
            return proof
        }
    }

    /// Into a store that is thrown away.
    private func load(_ path: String, isProving: Bool) throws -> SnapshotSummary {
        let working = try WorkingDirectory(in: FileManager.default.temporaryDirectory.path)
        defer { withExtendedLifetime(working) {} }
        // Sort indexes check nothing.
        var loader = loader(path, sortIndexes: [])
        loader.isProving = isProving
        var summary = try loader.load(intoStoreAt: working.path + "/store.sqlite").summary
        let effects = RestoreEffects(tables: ModelTables(schema, engine.dialect), engine: engine, roles: roles)
        summary.unknownRoles = try effects.unknownRoles(inStoreAt: working.path)
        return summary
    }

    /// As the store's file has it now.
    static func restoreEpoch(data path: String, engine: any StoreEngine = StoreEngines.standard) throws -> String? {
        let connection = try engine.openReader(DataDirectory(found: path))
        defer { connection.close() }
        guard case .text(let epoch) = try MetaTable.value(.restoreEpoch, in: connection) else { return nil }
        return epoch
    }

    func loader(_ path: String, sortIndexes: [SortIndex]) -> SnapshotLoader {
        SnapshotLoader(
            path: path, app: app, acceptedApp: acceptedApp, schema: schema, sortIndexes: sortIndexes, engine: engine,
            interruption: interruption,
            instructions: instructions, report: report
        )
    }

    func write(
        _ directory: DataDirectory, to destination: SnapshotDestination, level: Int, includingSecrets: Bool = false,
        includingHistory: Bool = false, suffix: String = ""
    ) throws -> SnapshotSummary {
        try directory.createSnapshotsDirectory()
        NewFile.removeAbandoned(in: directory.snapshotsPath)
        let time = Date(), createdAt = time.rfc3339 ?? ""
        func write(to sink: FileSink, isQuick: Bool) throws -> SnapshotSummary {
            var writer = try SnapshotWriter(
                to: sink, level: level, includingSecrets: includingSecrets, includingHistory: includingHistory,
                usesTwoThreads: !givesWay, interruption: interruption, report: report
            )
            if isQuick {
                return try StoreCopy.reading(directory, schema: schema, engine: engine) {
                    try writer.write($0, app: app, createdAt: time)
                }
            }
            let working = try WorkingDirectory(in: directory.snapshotsPath)
            defer { withExtendedLifetime(working) {} }
            report(SnapshotProgress(.copying))
            let copy = try StoreCopy(of: directory, schema: schema, in: working, engine: engine)
            defer { copy.connection.close() }
            return try writer.write(copy, app: app, createdAt: time)
        }
        let path: String
        switch destination {
        case .standardOutput:
            return try write(to: FileSink(descriptor: STDOUT_FILENO, path: "standard output"), isQuick: false)
        case .file(let name): path = name
        case .standard: path = directory.newSnapshotPath(app: app, createdAt: createdAt, suffix: suffix)
        case .scheduled:
            path = directory.newSnapshotPath(
                app: app, createdAt: createdAt, suffix: SnapshotFile.Origin.scheduled.suffix ?? "")
        }
        func write(isQuick: Bool) throws -> SnapshotSummary {
            let file = try NewFile(path)
            let summary = try write(to: file.sink, isQuick: isQuick)
            try file.publish()
            return summary.named(path)
        }
        // Who gives way may be kept waiting, and a high level takes its time: the store's log would grow meanwhile.
        do {
            return try write(isQuick: !givesWay && level <= Self.quickLevel)
        } catch ReadError.heldLog {
            return try write(isQuick: false)
        }
    }
}

extension SnapshotSummary {
    fileprivate func named(_ path: String) -> SnapshotSummary {
        SnapshotSummary(
            path: path, app: app, createdAt: createdAt, commit: commit, records: records, counts: counts,
            links: links, log: log, sha256: sha256
        )
    }
}

/// One committed point of a store, which goes on meanwhile.
struct StoreCopy {
    let connection: any Connection
    let tables: ModelTables

    /// The store itself, as long as the body runs: nothing is copied, and the write-ahead log is not shortened until it ends. So
    /// for what ends by itself, such as a snapshot at a low level or an export to a file; while one is written to a slow disk the log
    /// grows with what is saved, up to a bound. What waits for somebody, such as a pipe, takes a copy.
    ///
    /// - Throws: ``ReadError/heldLog`` when the log has reached the bound; it can be tried again, or with a copy.
    static func reading<Value>(
        _ directory: DataDirectory, schema: Schema, engine: any StoreEngine, logBound: LogBound = LogBound(),
        _ body: (StoreCopy) throws -> Value
    ) throws -> Value {
        let log = LogFile(of: directory, bound: logBound)
        guard !log.isTooLargeToBegin else { throw ReadError.heldLog }
        let connection = try engine.openReader(directory)
        defer { connection.close() }
        let interruption = Interruption()
        let watch = LogWatch(log, ending: interruption)
        connection.beginWork(within: Self.longestReading, unless: interruption)
        defer { connection.endWork() }
        do {
            return try connection.snapshot {
                try StoreLayout.checkIdentity(of: connection)
                try StoreLayout.check(schema, againstFileOf: connection)
                return try body(StoreCopy(connection: connection, tables: ModelTables(schema, engine.dialect)))
            }
        } catch let error as EngineError where error.kind == .interrupted && watch.hasEndedRead {
            throw ReadError.heldLog
        }
    }

    /// It is the log's size that ends one; a file of any size takes less.
    private static let longestReading: Duration = .seconds(24 * 3600)

    private init(connection: any Connection, tables: ModelTables) {
        self.connection = connection
        self.tables = tables
    }

    /// - Parameter otherWay: A sentence: what can be done instead where there is no room for the copy.
    /// - Throws: ``StoreOpenError`` when there is no store, or it has other models; ``FileError`` when there is no room for the copy;
    ///   ``EngineError``.
    init(
        of directory: DataDirectory, schema: Schema, in working: WorkingDirectory, engine: any StoreEngine,
        otherWay: String? = nil
    ) throws {
        do {
            connection = try engine.copyStore(of: directory, to: working.path + "/copy.sqlite") { store in
                try StoreLayout.checkIdentity(of: store)
                // A model that only the file has would be missing from the snapshot.
                try StoreLayout.check(schema, againstFileOf: store)
            }
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
