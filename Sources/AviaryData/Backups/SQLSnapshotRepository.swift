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
