import AviaryDomain

// Damage that a statement finds fails the work of that statement only: most of a file is intact if one of its pages
// is damaged.
/// An error of the text indexes, which are damaged or which the engine cannot open.
struct DamagedSearchIndex: Error {
    let cause: EngineError
}

/// An error of the removal of expired entries.
struct DamagedHistory: Error {
    let cause: EngineError
}

extension Store {
    /// Indicates whether damage in the file is known. Nothing expired is removed from it then.
    var isDamaged: Bool {
        if case .damaged = maintenance.checker.result { true } else { false }
    }

    func meet(_ damage: EngineError) {
        let models = tables.all.filter { damage.operation.contains($0.name) }.map(\.model.name)
        let place = models.isEmpty ? "" : "In \(TextFormatter.list(models)): "
        maintenance.checker.met(place + damage.finding)
    }

    /// Updates the text indexes for the changes of the open transaction, and merges a part of them.
    ///
    /// A server may report the error of an earlier insertion here, which has nothing to do with the indexes.
    func updateSearchIndex() throws {
        do {
            let changed = try tables.search.update(in: connection)
            try tables.search.merge(changed, after: batch?.changes ?? 1, &mergeDebts, in: connection)
        } catch let error as EngineError
            where (error.kind == .damage || error.kind == .other) && SearchIndexes.isConcerned(by: error.operation)
        {
            throw DamagedSearchIndex(cause: error)
        }
    }

    /// Rebuilds the text indexes and repeats the jobs that could not be committed because of them.
    func rebuildSearchIndex(after cause: EngineError, then jobs: [Job]) {
        do {
            guard !maintenance.isRebuildingSearchIndex else { throw cause }
            maintenance.isRebuildingSearchIndex = true
            defer { maintenance.isRebuildingSearchIndex = false }
            try transaction { try tables.search.rebuild(in: connection) }
            mergeDebts = [:]
            run(jobs)
            commitBatch()
        } catch {
            if let error = error as? EngineError { meet(error) }
            for job in jobs { job.answer(.failure(StoreError(failedCommit: error))) }
        }
    }

    /// Rebuilds the derived data of the next damaged table; nil if there is none, or a check is still running.
    ///
    /// If the table itself is unreadable, it remains as it is.
    func rebuildDamaged() throws -> MaintenanceStep? {
        guard isDamaged else { return nil }
        let damaged = maintenance.checker.damagedTables
        for table in damaged where maintenance.rebuiltTables.insert(table).inserted {
            do {
                try transaction {
                    if SearchIndexes.isPart(table) {
                        maintenance.rebuiltTables.formUnion(damaged.filter(SearchIndexes.isPart))
                        try tables.search.rebuild(in: connection)
                    } else if table == RecordCountTable.name {
                        try StoreLayout.rebuildTotals(in: connection)
                    } else {
                        try connection.file?.rebuildIndexes(ofTable: table)
                    }
                }
            } catch let error as EngineError where error.kind == .damage {
                maintenance.hasUnreadableTable = true
                continue
            }
            // After the last table, a check finds out whether the file is intact now.
            let isLast = damaged.allSatisfy(maintenance.rebuiltTables.contains)
            if isLast, !maintenance.hasUnreadableTable { maintenance.checker.start() }
            return .rebuilt(table)
        }
        return nil
    }
}
