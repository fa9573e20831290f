package import AviaryDomain
import Foundation

extension SQLSnapshotRepository {
    package func restore(
        from path: String, confirming: @Sendable (RestorePlan) async throws -> Bool
    ) async throws -> RestoreSummary? {
        let directory = try DataDirectory(path: dataPath)
        let finished = try await build(from: path, in: directory)
        defer { withExtendedLifetime(finished.working) {} }
        guard try await confirming(finished.plan) else { return nil }
        try interruption.check()
        let hadStore = directory.hasStore
        let target = try await target(in: directory)
        do {
            let replaced = hadStore ? try await saveReplaced(directory) : nil
            try interruption.check()
            report(SnapshotProgress(.replacing))
            let commit = try await target.store.replaceContents(withStoreAt: finished.storePath)
            await target.close()
            return RestoreSummary(snapshot: finished.plan.snapshot, commit: commit, replaced: replaced)
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
            let loaded = try loader(path, sortIndexes: sortIndexes).load(intoStoreAt: storePath)
            let effects = RestoreEffects(tables: ModelTables(schema, engine.dialect), engine: engine)
            let plan = try effects.plan(of: loaded, inStoreAt: working.path, for: directory)
            return FinishedStore(working: working, storePath: storePath, plan: plan)
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
            try Store(
                directory: directory, schema: schema, sortIndexes: sortIndexes, migration: instructions, engine: engine, lock: lock
            )
        }
        return Target(store: store, close: { await store.close() })
    }

    /// With its secrets: it is the way back, and lies beside the store, which has them too.
    private func saveReplaced(_ directory: DataDirectory) async throws -> SnapshotSummary {
        try await BlockingWork.run {
            try write(directory, to: .standard, level: Self.standardLevel, includingSecrets: true, suffix: SnapshotFile.Origin.beforeRestore.suffix ?? "")
        }
    }
}

/// A store file that holds all of a verified snapshot.
private struct FinishedStore: Sendable {
    let working: WorkingDirectory
    let storePath: String
    let plan: RestorePlan
}

private struct Target: Sendable {
    let store: any StoreReplacing
    let close: @Sendable () async -> Void
}
