import AviaryDomain
import Foundation

/// Records that nobody needs any more, of the models that every application has. No history tells of them, so they go
/// without a commit of their own.
struct ExpiredRecords {
    /// Older ones go when there are more.
    static let eventLimit = 100_000
    private static let day: TimeInterval = 86_400
    private static let eventLifetime = 365 * day
    private static let attemptLifetime = day
    private static let linkLifetime = day
    /// Later than any time that is stored.
    private static let last = "9999-12-31T23:59:59.999Z"

    let tables: ModelTables
    var limits = SessionLimits()
    var eventLimit = Self.eventLimit

    /// What a record says of its time may be wrong: it goes when it was also written so long ago by the store's own clock.
    ///
    /// - Parameter limit: At most so many of each model.
    /// - Returns: How many are gone.
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

    /// Failed sign-ins first: anybody can make as many as they like, and they are not to push out what else is told.
    private func removeExcessEvents(atMost limit: Int, in connection: any Connection) throws -> Int {
        let excess = min(limit, try TotalTable.count(AuditEvent.modelName, in: connection) - eventLimit)
        guard excess > 0 else { return 0 }
        let failed = (property: "kind", value: FieldValue.text(AuditEvent.Kind.signInFailed.rawValue))
        let removed = try remove(
            AuditEvent.self, "time", before: .distantFuture, where: failed, atMost: excess, in: connection)
        guard removed < excess else { return removed }
        return removed
            + (try remove(AuditEvent.self, "time", before: .distantFuture, atMost: excess - removed, in: connection))
    }

    /// The oldest first.
    ///
    /// - Parameter lastCommit: Records that a later commit wrote stay.
    private func remove<M: Model>(
        _ model: M.Type, _ property: String, before time: Date,
        where condition: (property: String, value: FieldValue)? = nil,
        atMost limit: Int, writtenUntil lastCommit: Int64 = .max, in connection: any Connection
    ) throws -> Int {
        guard let table = tables[M.modelName] else { return 0 }
        let column = table.dialect.name(property)
        let also = condition.map { " AND \(table.dialect.name($0.property)) = ?" } ?? ""
        let ids = try connection.rows(
            "SELECT id FROM \(table.name) WHERE \(column) < ? AND aviary_version <= ?\(also) "
                + "ORDER BY \(column), id LIMIT ?",
            [.text(time.rfc3339 ?? Self.last), .integer(lastCommit)] + (condition.map { [$0.value] } ?? [])
                + [.integer(Int64(limit))]
        ) { $0.value(0) }
        for id in ids { try connection.run(table.remove, [id]) }
        if !ids.isEmpty { try TotalTable.add(-ids.count, to: M.modelName, in: connection) }
        return ids.count
    }
}
