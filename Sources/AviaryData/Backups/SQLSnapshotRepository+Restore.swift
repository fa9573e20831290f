package import AviaryDomain
import Foundation

extension SQLSnapshotRepository {
    package func restore(
        from path: String, isGood: @escaping @Sendable () async throws -> Bool,
        confirming: @Sendable (RestorePlan) async throws -> Bool
    ) async throws -> RestoreSummary? {
        let directory = try DataDirectory(path: dataPath)
        let finished = try await build(from: path, in: directory)
        defer { withExtendedLifetime(finished.working) {} }
        guard try await confirming(finished.plan) else { return nil }
        try cancellationToken.check()
        if let commit = try await begin(directory, with: finished) {
            return RestoreSummary(snapshot: finished.plan.snapshot, commit: commit, replaced: nil)
        }
        let hadStore = try engine.hasStore(directory)
        let target = try await target(in: directory), holder = UUID()
        do {
            let beforehand = try await BlockingWork.run {
                // A store that cannot be saved remains, and the next restore tries again.
                _ = saveLeftStores()
                guard hadStore else { return UnpublishedSnapshot?.none }
                let snapshot = try writeBeforehand(directory)
                try bringAlong(directory, toStoreAt: finished.storePath)
                return snapshot
            }
            let replaced = try ReplacedStore(at: ReplacedStore.path(in: directory, for: holder))
            defer { withExtendedLifetime(replaced) {} }
            let commit = try await replace(
                replaced, in: directory, by: finished, in: target.store, holder: holder, isGood: isGood)
            await target.close()
            let saved = try await BlockingWork.run { uncancelled.saved(replaced, beforehand, in: directory) }
            let older = try await BlockingWork.run { removeOldReplaced(but: path) }
            return RestoreSummary(
                snapshot: finished.plan.snapshot, commit: commit, replaced: saved.summary, removed: older.removed,
                notRemoved: older.notRemoved, unsaved: saved.problem
            )
        } catch {
            await target.close()
            throw error
        }
    }

    /// Brings along what the current store has, so that little is left for the time while its writes are held.
    private func bringAlong(_ directory: DataDirectory, toStoreAt path: String) throws {
        try directory.beforeRestore {
            try read(directory) { live in
                try StoreReplacement.bringAlong(
                    from: live, toStoreAt: path, engine: engine, tables: ModelTables(schema, engine.dialect), at: Date()
                )
            }
        }
        // Most of the file is on disk before writers wait for the rest.
        try AtomicFile.flush(path)
    }

    /// Replaces the contents of the store while its writes are held.
    private func replace(
        _ replaced: ReplacedStore, in directory: DataDirectory, by finished: FinishedStore,
        in store: any StoreReplacing, holder: UUID, isGood: @escaping @Sendable () async throws -> Bool
    ) async throws -> Int64 {
        do {
            try await store.acquireWriteLease(for: holder)
            guard try await isGood() else { throw AccountEndedError() }
            try cancellationToken.check()
            report(SnapshotProgress(.replacing))
            return try await replace(
                directory, by: finished.storePath, keeping: replaced.storePath, in: store, holder: holder)
        } catch {
            // The hold expires by itself if the store cannot be asked to release it.
            try? await store.releaseWriteLease(for: holder)
            // The next restore finds out if this is not known yet.
            if let isReplaced = try? replaced.isReplaced(by: engine, in: directory), !isReplaced {
                replaced.remove(by: engine)
            }
            throw error
        }
    }

    /// Completes the snapshot of the replaced store. The restore itself is complete, so no error ends it.
    private func saved(
        _ replaced: ReplacedStore, _ beforehand: UnpublishedSnapshot?, in directory: DataDirectory
    ) -> (summary: SnapshotSummary?, problem: String?) {
        do {
            return (try save(replaced, beforehand, in: directory), nil)
        } catch {
            // Without a snapshot of this state, the earlier one is better than none.
            return (try? beforehand?.publish(), "\(replaced.path): \(error.redactedText)")
        }
    }

    /// Makes the finished store the store of a directory that has none. A rename is faster than copying its pages.
    ///
    /// - Returns: The number of the last commit; nil if there is a store, or a process that is about to create it.
    private func begin(_ directory: DataDirectory, with finished: FinishedStore) async throws -> Int64? {
        guard try !engine.hasStore(directory) else { return nil }
        return try await BlockingWork.run {
            guard let lock = try? StoreLock(directory) else { return nil }  // the process that has it is asked instead
            defer { withExtendedLifetime(lock) {} }
            report(SnapshotProgress(.replacing))
            let commit = try StoreReplacement.complete(storeAt: finished.storePath, engine: engine)
            return try engine.place(storeAt: finished.storePath, in: directory) ? commit : nil
        }
    }

    /// Replaces the contents of the store.
    ///
    /// If the store does not answer in time, the file shows whether the store replaced them.
    private func replace(
        _ directory: DataDirectory, by path: String, keeping kept: String, in store: any StoreReplacing, holder: UUID
    ) async throws -> Int64 {
        let before = try restoreEpoch(of: directory)
        do {
            return try await store.replaceContents(withStoreAt: path, keepingReplacedAt: kept, holder: holder)
        } catch {
            guard error == .unanswered else { throw error }
            guard try restoreEpoch(of: directory) != before else { throw SnapshotError(.unanswered) }
            return try read(directory) { try StorePosition.read(from: $0)?.commit } ?? 0
        }
    }

    private func restoreEpoch(of directory: DataDirectory) throws -> FieldValue {
        try read(directory) { try MetaTable.value(.restoreEpoch, in: $0) }
    }

    private func read<Value>(_ directory: DataDirectory, _ body: (any Connection) throws -> Value) throws -> Value {
        let connection = try engine.openReader(directory)
        defer { connection.close() }
        return try body(connection)
    }

    private func build(from path: String, in directory: DataDirectory) async throws -> FinishedStore {
        try await BlockingWork.run {
            try directory.createSnapshotsDirectory()
            // The directory is on the same disk as the store, which needs room for the new store anyway.
            let working = try WorkingDirectory(in: directory.snapshotsPath)
            // The path is absolute because the process that opens the file may have another working directory.
            let storePath = URL(fileURLWithPath: working.path + "/store.sqlite").path
            let loaded = try loader(path, sortIndexes: sortIndexes).load(intoStoreAt: storePath)
            let effects = RestoreEffects(tables: ModelTables(schema, engine.dialect), engine: engine, roles: roles)
            let plan = try effects.plan(of: loaded, inStoreAt: working.path, for: directory)
            return FinishedStore(working: working, storePath: storePath, plan: plan)
        }
    }

    /// Returns the store of this directory: a new one, or that of the process that has the lock.
    private func target(in directory: DataDirectory) async throws -> Target {
        let lock: StoreLock
        do {
            lock = try await BlockingWork.run { try StoreLock(directory) }
        } catch {
            guard let store = try await runningStore() else { throw error }
            return Target(store: store, close: {})
        }
        let store = try await BlockingWork.run {
            try Store(
                directory: directory, schema: schema, sortIndexes: sortIndexes, migration: instructions, engine: engine,
                lock: lock
            )
        }
        return Target(store: store, close: { await store.close() })
    }

    /// Removes old snapshots that earlier restores saved before they replaced the store.
    ///
    /// An error does not fail the restore, which is complete. The next restore removes the files that remain.
    ///
    /// - Parameter path: The path of the restored snapshot, which is kept because the user may need it once more.
    /// - Returns: The names of the removed files, and the reasons why others were not removed.
    private func removeOldReplaced(but path: String) -> (removed: [String], notRemoved: [String]) {
        let folder = SnapshotFolder(dataPath)
        // The file is identified by its fingerprint: the path may be a symbolic link, or the file may have been
        // standard input.
        let restored = try? FileFingerprint(path)  // nil where it is gone meanwhile, and then so is what was to be kept
        var removed: [String] = [], notRemoved: [String] = []
        for file in BackupRetention.removableReplaced(folder.files(), keeping: keptReplaced, at: Date()) {
            do {
                guard try FileFingerprint(folder.path(of: file.name)) != restored else { continue }
                try folder.remove(file.name)
                removed.append(file.name)
            } catch {
                notRemoved.append(error.redactedText)
            }
        }
        return (removed, notRemoved)
    }
}

/// A store file that contains all of a verified snapshot.
private struct FinishedStore: Sendable {
    let working: WorkingDirectory
    let storePath: String
    let plan: RestorePlan
}

private struct Target: Sendable {
    let store: any StoreReplacing
    let close: @Sendable () async -> Void
}

/// The differences between the current store and the one that is about to replace it.
struct RestoreEffects {
    let tables: ModelTables
    let engine: any StoreEngine
    /// The names of the program's roles; nil if they are not known.
    var roles: Set<String>?

    /// Returns the effects of a restore.
    ///
    /// - Parameter path: The path of the directory that holds the finished store.
    func plan(of loaded: SnapshotLoader.Loaded, inStoreAt path: String, for directory: DataDirectory) throws
        -> RestorePlan
    {
        let then = try state(of: DataDirectory(found: path))
        let now = try engine.hasStore(directory) ? try directory.beforeRestore { try state(of: directory) } : nil
        let models = tables.schema.snapshotModels.filter { !$0.isBuiltIn }.map { model in
            RestorePlan.Model(
                name: model.name, now: now.map { $0.counts[model.name] ?? 0 }, then: then.counts[model.name] ?? 0)
        }
        return RestorePlan(
            snapshot: loaded.summary, models: models, steps: loaded.steps,
            accounts: AccountEffect.all(now: now?.accounts ?? [], then: then.accounts ?? [], roles: roles)
        )
    }

    /// Returns the accounts whose roles the program does not have; nil if its roles are not known or the accounts
    /// cannot be read.
    func unknownRoles(inStoreAt path: String) throws -> [SnapshotSummary.UnknownRole]? {
        guard let roles, let accounts = try state(of: DataDirectory(found: path)).accounts else { return nil }
        return accounts.filter { !roles.contains($0.role) }
            .map { SnapshotSummary.UnknownRole(account: $0.name, role: $0.role) }.sorted { $0.account < $1.account }
    }

    private struct State {
        var counts: [String: Int] = [:]
        /// The accounts; nil if they were not read.
        var accounts: [Account]?
    }

    private func state(of directory: DataDirectory) throws -> State {
        let connection = try engine.openReader(directory)
        defer { connection.close() }
        try connection.checkIsStore()
        return try connection.snapshot {
            let known = try RecordCountTable.models(in: connection)
            var state = State()
            for model in known { state.counts[model] = try RecordCountTable.count(model, in: connection) }
            // A file of an older program may store accounts in other columns. Its accounts are not compared.
            if let table = tables[Account.modelName], known.contains(Account.modelName),
                Set(try connection.columnNames(ofTable: Account.modelName)).isSuperset(
                    of: table.model.storedProperties.map(\.name))
            {
                state.accounts = try connection.rows("SELECT \(table.selection) FROM \(table.name)") {
                    try Account(table.record($0))
                }
            }
            return state
        }
    }
}
