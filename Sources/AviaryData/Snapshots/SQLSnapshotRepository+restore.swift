package import AviaryDomain
import Foundation

extension SQLSnapshotRepository {
    package func restore(from path: String) async throws -> RestoreSummary {
        let directory = try DataDirectory(path: dataPath)
        let finished = try await build(from: path, in: directory)
        defer { withExtendedLifetime(finished.working) {} }
        let hadStore = directory.hasStore
        let target = try await target(in: directory)
        do {
            let replaced = hadStore ? try await saveReplaced(directory) : nil
            try interruption.check()
            let commit = try await target.store.replaceContents(withStoreAt: finished.storePath)
            await target.close()
            return RestoreSummary(snapshot: finished.summary, commit: commit, replaced: replaced)
        } catch {
            await target.close()
            throw error
        }
    }

    private func build(from path: String, in directory: DataDirectory) async throws -> FinishedStore {
        try await BlockingWork.run {
            try directory.createSnapshotsDirectory()
            // On the same disk as the store, where there has to be room for it anyway.
            let working = try WorkingDirectory(in: directory.snapshotsPath)
            // Absolute: the process that opens it may have another working directory.
            let storePath = URL(fileURLWithPath: working.path + "/store.sqlite").path
            let loader = SnapshotLoader(
                path: path, schema: schema, sortIndexes: sortIndexes, engine: engine, interruption: interruption
            )
            let summary = try loader.load(intoStoreAt: storePath)
            return FinishedStore(working: working, storePath: storePath, summary: summary)
        }
    }

    /// The store of this directory: our own, or that of the process that has it.
    private func target(in directory: DataDirectory) async throws -> Target {
        let lock: StoreLock
        do {
            lock = try StoreLock(directory)
        } catch {
            guard let store = try await runningStore() else { throw error }
            return Target(store: store, close: {})
        }
        let store = try await BlockingWork.run {
            try Store(directory: directory, schema: schema, sortIndexes: sortIndexes, engine: engine, lock: lock)
        }
        return Target(store: store, close: { await store.close() })
    }

    /// With its secrets: it is the way back, and lies beside the store, which has them too.
    private func saveReplaced(_ directory: DataDirectory) async throws -> SnapshotSummary {
        try await BlockingWork.run {
            try write(directory, to: .standard, level: Self.standardLevel, includingSecrets: true, suffix: "-before-restore")
        }
    }
}

/// A store file that holds all of a verified snapshot.
private struct FinishedStore: Sendable {
    let working: WorkingDirectory
    let storePath: String
    let summary: SnapshotSummary
}

private struct Target: Sendable {
    let store: any StoreReplacing
    let close: @Sendable () async -> Void
}
