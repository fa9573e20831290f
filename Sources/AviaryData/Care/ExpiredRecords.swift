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

    /// - Parameter limit: At most so many of each model.
    /// - Returns: How many are gone.
    func remove(atMost limit: Int, at now: Date, in connection: any Connection) throws -> Int {
        var removed = try remove(
            SignInAttempts.self, "lastFailureAt", before: now - Self.attemptLifetime, atMost: limit, in: connection
        )
        removed += try remove(SignInLink.self, "expiresAt", before: now - Self.linkLifetime, atMost: limit, in: connection)
        let idle = now - limits.idle - limits.remembered, absolute = now - limits.absolute - limits.remembered
        removed += try remove(AccountSession.self, "lastSeenAt", before: idle, atMost: limit, in: connection)
        removed += try remove(AccountSession.self, "beganAt", before: absolute, atMost: limit, in: connection)
        removed += try remove(AuditEvent.self, "time", before: now - Self.eventLifetime, atMost: limit, in: connection)
        let excess = try TotalTable.count(AuditEvent.modelName, in: connection) - eventLimit
        if excess > 0 {
            removed += try remove(AuditEvent.self, "time", before: .distantFuture, atMost: min(limit, excess), in: connection)
        }
        return removed
    }

    /// The oldest first.
    private func remove<M: Model>(
        _ model: M.Type, _ property: String, before time: Date, atMost limit: Int, in connection: any Connection
    ) throws -> Int {
        guard let table = tables[M.modelName] else { return 0 }
        let column = table.dialect.name(property)
        let ids = try connection.rows(
            "SELECT id FROM \(table.name) WHERE \(column) < ? ORDER BY \(column), id LIMIT ?",
            [.text(time.rfc3339 ?? Self.last), .integer(Int64(limit))]
        ) { $0.value(0) }
        for id in ids { try connection.run(table.remove, [id]) }
        if !ids.isEmpty { try TotalTable.add(-ids.count, to: M.modelName, in: connection) }
        return ids.count
    }
}
