import AviaryDomain

// Damage that a statement meets fails what the statement was for, and nothing else: most of a file is whole when a page of it is not.
/// The words of texts could not be brought in line: they are damaged, or the engine cannot even open them.
struct DamagedWords: Error {
    let cause: EngineError
}

/// What is kept no longer could not be removed.
struct DamagedPast: Error {
    let cause: EngineError
}

extension Store {
    /// Whether something in the file is known to be damaged. Nothing is removed from it by itself then.
    var isDamaged: Bool {
        if case .damaged = care.checker.result { true } else { false }
    }

    func meet(_ damage: EngineError) {
        let models = tables.all.filter { damage.operation.contains($0.name) }.map(\.model.name)
        let place = models.isEmpty ? "" : "In \(Words.list(models)): "
        care.checker.met(place + damage.finding)
    }

    /// Brings the words of texts in line with what the open transaction has changed.
    func updateWords() throws {
        do {
            try tables.search.update(in: connection)
        } catch let error as EngineError where error.kind == .damage || error.kind == .other {
            throw DamagedWords(cause: error)
        }
    }

    /// Makes the words anew and does again what could not be committed for their sake.
    func rebuildWords(after cause: EngineError, then jobs: [Job]) {
        do {
            guard !care.isRebuildingWords else { throw cause }
            care.isRebuildingWords = true
            defer { care.isRebuildingWords = false }
            try connection.transaction { try tables.search.rebuild(in: connection) }
            run(jobs)
            commitBatch()
        } catch {
            if let error = error as? EngineError { meet(error) }
            for job in jobs { job.answer(.failure(StoreError(failedCommit: error))) }
        }
    }

    /// Makes what is derived anew, of the next table that was found damaged; nil when there is none, or a check is still under way.
    /// Where the table itself cannot be read, everything stays as it is.
    func rebuildDamaged() throws -> CareStep? {
        guard isDamaged else { return nil }
        let damaged = care.checker.damagedTables
        for table in damaged where care.rebuiltTables.insert(table).inserted {
            do {
                try connection.transaction {
                    if SearchIndexes.isPart(table) {
                        care.rebuiltTables.formUnion(damaged.filter(SearchIndexes.isPart))
                        try tables.search.rebuild(in: connection)
                    } else if table == TotalTable.name {
                        try StoreLayout.rebuildTotals(in: connection)
                    } else {
                        try connection.rebuildIndexes(ofTable: table)
                    }
                }
            } catch let error as EngineError where error.kind == .damage {
                care.hasUnreadableTable = true
                continue
            }
            // The last of them: whether the file is whole now is seen by looking.
            let isLast = damaged.allSatisfy(care.rebuiltTables.contains)
            if isLast, !care.hasUnreadableTable { care.checker.start() }
            return .rebuilt(table)
        }
        return nil
    }
}
