package import AviaryDomain
import Foundation

/// Snapshots of the store in a data directory.
package struct SQLSnapshotRepository: SnapshotRepository {
    /// Of restores too: what is about to be replaced is most often wanted back at once.
    static let standardLevel = 1

    let dataPath: String
    let app: String
    let schema: Schema
    let sortIndexes: [SortIndex]
    let engine: any StoreEngine
    let interruption: Interruption
    let runningStore: @Sendable () async throws -> (any StoreReplacing)?

    /// - Parameters:
    ///   - engine: What holds the data.
    ///   - runningStore: The store of a process that has the directory, if it can be reached.
    package init(
        data path: String, app: String, schema: Schema, sortIndexes: [SortIndex],
        engine: any StoreEngine = StoreEngines.standard, interruption: Interruption = Interruption(),
        runningStore: @escaping @Sendable () async throws -> (any StoreReplacing)? = { nil }
    ) {
        dataPath = path
        self.app = app
        self.schema = schema
        self.sortIndexes = sortIndexes
        self.engine = engine
        self.interruption = interruption
        self.runningStore = runningStore
    }

    package func create(
        at destination: SnapshotDestination, level: Int, includingSecrets: Bool
    ) async throws -> SnapshotSummary {
        try await BlockingWork.run {
            // Only looks: a mistyped name must not become a directory.
            guard access(dataPath + "/store.sqlite", F_OK) == 0 else {
                throw StoreOpenError.missing(path: dataPath + "/store.sqlite")
            }
            return try write(DataDirectory(path: dataPath), to: destination, level: level, includingSecrets: includingSecrets)
        }
    }

    package func verify(_ path: String) async throws -> SnapshotSummary {
        try await BlockingWork.run {
            let working = try WorkingDirectory(in: FileManager.default.temporaryDirectory.path)
            defer { withExtendedLifetime(working) {} }
            // Sort indexes check nothing.
            let loader = SnapshotLoader(
                path: path, schema: schema, sortIndexes: [], engine: engine, interruption: interruption
            )
            return try loader.load(intoStoreAt: working.path + "/verified.sqlite")
        }
    }

    func write(
        _ directory: DataDirectory, to destination: SnapshotDestination, level: Int, includingSecrets: Bool = false, suffix: String = ""
    ) throws -> SnapshotSummary {
        try directory.createSnapshotsDirectory()
        let createdAt = Date().rfc3339 ?? ""
        func write(to sink: FileSink) throws -> SnapshotSummary {
            let working = try WorkingDirectory(in: directory.snapshotsPath)
            defer { withExtendedLifetime(working) {} }
            let copy = try StoreCopy(of: directory, schema: schema, in: working, engine: engine)
            defer { copy.connection.close() }
            var writer = try SnapshotWriter(
                to: sink, level: level, includingSecrets: includingSecrets, interruption: interruption
            )
            return try writer.write(copy, app: app, createdAt: createdAt)
        }
        let path: String
        switch destination {
        case .standardOutput: return try write(to: FileSink(descriptor: STDOUT_FILENO, path: "standard output"))
        case .file(let name): path = name
        case .standard: path = directory.newSnapshotPath(app: app, createdAt: createdAt, suffix: suffix)
        }
        let file = try NewFile(path)
        let summary = try write(to: file.sink)
        try file.publish()
        return summary.named(path)
    }
}

extension SnapshotSummary {
    fileprivate func named(_ path: String) -> SnapshotSummary {
        SnapshotSummary(
            path: path, app: app, createdAt: createdAt, commit: commit, records: records, counts: counts,
            links: links, sha256: sha256
        )
    }
}
