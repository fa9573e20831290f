package import AviaryDomain
import Foundation

/// The removal of expired records of the built-in models.
///
/// The history excludes these models, so the removal needs no commit.
struct ExpiredRecords {
    /// The maximum number of events of one kind. The oldest ones are removed first, and no kind displaces another.
    static let eventLimit = 20_000
    private static let day: TimeInterval = 86_400
    private static let eventLifetime = 365 * day
    private static let attemptLifetime = day
    private static let linkLifetime = day
    /// A time later than any stored time.
    private static let last = "9999-12-31T23:59:59.999Z"

    let tables: ModelTables
    var limits = SessionLimits.longest
    var eventLimit = Self.eventLimit

    /// Removes expired records.
    ///
    /// A record's own time may be wrong. The record is therefore removed only if it was also written that long ago
    /// according to the store's own clock.
    ///
    /// - Parameter limit: The maximum number of records of each model to remove.
    /// - Returns: The number of removed records.
    func remove(atMost limit: Int, by clock: StoreClock, in connection: any Connection) throws -> Int {
        func remove<M: Model>(
            _ model: M.Type, _ property: String, olderThan age: TimeInterval, unwrittenFor pause: TimeInterval? = nil
        ) throws -> Int {
            try self.remove(
                model, property, before: clock.date - age, atMost: limit,
                writtenUntil: clock.lastCommit(before: pause ?? age), in: connection)
        }
        var removed = try remove(SignInAttempts.self, "lastFailureAt", olderThan: Self.attemptLifetime)
        removed += try remove(SignInLink.self, "expiresAt", olderThan: Self.linkLifetime)
        removed += try remove(AccountSession.self, "lastSeenAt", olderThan: limits.idle + limits.remembered)
        removed += try remove(
            AccountSession.self, "beganAt", olderThan: limits.absolute + limits.remembered,
            unwrittenFor: limits.remembered)
        removed += try remove(AuditEvent.self, "time", olderThan: Self.eventLifetime)
        return removed + (try removeExcessEvents(atMost: limit, in: connection))
    }

    /// Removes events of each kind that has too many.
    ///
    /// The oldest events of the account with the most events are removed first, so that no account can displace the
    /// events of others.
    private func removeExcessEvents(atMost limit: Int, in connection: any Connection) throws -> Int {
        // With fewer events than one kind may have, there is nothing to count.
        guard try RecordCountTable.count(AuditEvent.modelName, in: connection) > eventLimit,
            let table = tables[AuditEvent.modelName]
        else { return 0 }
        let (kind, account) = (table.dialect.name("kind"), table.dialect.name("account"))
        let kinds = try connection.rows("SELECT \(kind), COUNT(*) FROM \(table.name) GROUP BY \(kind)", []) {
            (kind: $0.value(0), count: Int($0.integer(1)))
        }
        var removed = 0
        for (name, count) in kinds {
            var excess = min(limit - removed, count - eventLimit)
            while excess > 0 {
                let most = try connection.rows(
                    "SELECT \(account), COUNT(*) FROM \(table.name) WHERE \(kind) = ? GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 2",
                    [name]
                ) { (account: $0.value(0), count: Int($0.integer(1))) }
                guard let first = most.first else { break }
                // The share lasts until the next account has as many events.
                let share = max(1, first.count - (most.dropFirst().first?.count ?? 0))
                let gone = try remove(
                    AuditEvent.self, "time", before: .distantFuture,
                    where: [("kind", name), ("account", first.account)], atMost: min(excess, share), in: connection)
                guard gone > 0 else { break }
                removed += gone
                excess -= gone
            }
        }
        return removed
    }

    /// Removes the oldest records.
    ///
    /// - Parameter lastCommit: The newest version to remove. Records that a later commit wrote stay.
    private func remove<M: Model>(
        _ model: M.Type, _ property: String, before time: Date,
        where conditions: [(property: String, value: FieldValue)] = [],
        atMost limit: Int, writtenUntil lastCommit: Int64 = .max, in connection: any Connection
    ) throws -> Int {
        guard let table = tables[M.modelName] else { return 0 }
        let column = table.dialect.name(property)
        let also = conditions.map { " AND \(table.dialect.same(table.dialect.name($0.property), "?"))" }.joined()
        let ids = try connection.rows(
            "SELECT id FROM \(table.name) WHERE \(column) < ? AND aviary_version <= ?\(also) "
                + "ORDER BY \(column), id LIMIT ?",
            [.text(time.rfc3339 ?? Self.last), .integer(lastCommit)] + conditions.map(\.value)
                + [.integer(Int64(limit))]
        ) { $0.value(0) }
        for id in ids { try connection.run(table.remove, [id]) }
        if !ids.isEmpty { try RecordCountTable.add(-ids.count, to: M.modelName, in: connection) }
        return ids.count
    }
}

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
                try transaction {
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
