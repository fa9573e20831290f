package import AviaryDomain

extension Store {
    /// Removes the oldest entries of the history, or counts them. What they say can no longer be undone or looked up;
    /// the records and the receipts stay.
    ///
    /// - Parameters:
    ///   - bound: The bound of the entries to keep.
    ///   - isDryRun: A Boolean value that indicates whether to only count.
    /// - Throws: `StoreError` when the store no longer accepts changes; ``EngineError``.
    package func trimHistory(to bound: HistoryBound, isDryRun: Bool) throws -> HistoryTrimReport {
        if let refusal { throw StoreError.unavailable(refusal) }
        checkClocks()
        let all = try count(nil)
        guard let last = try lastCommit(beyond: bound) else {
            return HistoryTrimReport(removed: 0, kept: all, lastCommit: nil)
        }
        let removed = try count(last)
        if !isDryRun, removed > 0 { try removeHistory(to: last) }
        return HistoryTrimReport(removed: removed, kept: all - removed, lastCommit: removed > 0 ? last : nil)
    }

    private func lastCommit(beyond bound: HistoryBound) throws -> Int64? {
        switch bound {
        case .age(let age): return clock.lastCommit(before: Double(age.components.seconds))
        case .entries(let kept):
            // The commit of the newest entry beyond the bound may also have entries within it.
            let commit = try connection.rows(
                "SELECT \"commit\" FROM aviary_change ORDER BY number DESC LIMIT 1 OFFSET ?", [.integer(Int64(kept))]
            ) { $0.integer(0) }.first
            guard let commit else { return nil }
            let next = try connection.rows(
                "SELECT \"commit\" FROM aviary_change ORDER BY number DESC LIMIT 1 OFFSET ?",
                [.integer(Int64(max(0, kept - 1)))]
            ) { $0.integer(0) }.first
            return kept > 0 && next == commit ? commit - 1 : commit
        }
    }

    /// Returns the number of entries, or of those up to a commit.
    private func count(_ last: Int64?) throws -> Int {
        let counts = try connection.rows(
            "SELECT count(*) FROM aviary_change WHERE \"commit\" <= ?", [.integer(last ?? .max)]
        ) { Int($0.integer(0)) }
        return counts.first ?? 0
    }

    private func removeHistory(to last: Int64) throws {
        while let oldest = try ChangeTable.oldestCommit(in: connection), oldest <= last {
            do {
                try connection.transaction {
                    let freed = try ChangeTable.trim(atMost: Self.largestTrim, in: connection) { commit, _ in
                        commit <= last
                    }
                    position.historySize = max(0, position.historySize - freed)
                    try position.write(to: connection)
                }
            } catch {
                position = durablePosition
                throw error
            }
            durablePosition = position
        }
    }
}
