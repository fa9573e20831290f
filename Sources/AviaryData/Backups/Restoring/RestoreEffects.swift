import AviaryDomain

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
        let now = directory.hasStore ? try directory.beforeRestore { try state(of: directory) } : nil
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
