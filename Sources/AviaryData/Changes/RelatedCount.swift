import AviaryDomain

/// The bounds of the number of related records of a to-many property, with the statements that count them.
final class RelatedCount: Sendable {
    let model: String
    let property: String
    let allowed: ModelCount
    private let countUpTo: Query
    private let count: Query

    /// - Parameters:
    ///   - table: Has a row for each related record.
    ///   - column: With the id of the record that has the property.
    /// - Returns: Nil when the property asks for nothing.
    init?(model: String, property: String, allowed: ModelCount, table: String, column: String) {
        guard allowed != .any else { return nil }
        self.model = model
        self.property = property
        self.allowed = allowed
        countUpTo = Query("SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE \(column) = ? LIMIT ?)")
        count = Query("SELECT count(*) FROM \(table) WHERE \(column) = ?")
    }

    /// Returns the number of related records when it violates the bounds; nil when it does not.
    func violation(by id: String, in connection: any Connection) throws -> Int? {
        // No more are counted than it takes to tell.
        let (tooMany, isEndless) = (allowed.maximum ?? 0).addingReportingOverflow(1)
        let limit = isEndless ? .max : max(allowed.minimum, tooMany)
        let least = try connection.firstRow(countUpTo, [.text(id), .integer(Int64(limit))]) { Int($0.integer(0)) } ?? 0
        guard !allowed.contains(least) else { return nil }
        return try current(of: id, in: connection)
    }

    func current(of id: String, in connection: any Connection) throws -> Int {
        try connection.firstRow(count, [.text(id)]) { Int($0.integer(0)) } ?? 0
    }
}
