import AviaryDomain
import Foundation

/// The bounds of the number of related records of a to-many property, with the statements that count them.
final class RelatedCount: Sendable {
    let model: String
    let property: String
    let allowed: ModelCount
    private let countUpTo: Query
    private let count: Query

    /// Creates the bounds of a property; nil if every number is allowed.
    ///
    /// - Parameters:
    ///   - table: The table that has a row for each related record.
    ///   - column: The column with the id of the record that has the property.
    init?(model: String, property: String, allowed: ModelCount, table: String, column: String) {
        guard allowed != .any else { return nil }
        self.model = model
        self.property = property
        self.allowed = allowed
        countUpTo = Query("SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE \(column) = ? LIMIT ?) AS found")
        count = Query("SELECT count(*) FROM \(table) WHERE \(column) = ?")
    }

    /// Returns the number of related records if it violates the bounds; nil if it does not.
    func violation(by id: String, in connection: any Connection) throws -> Int? {
        // The statement counts no more records than the decision needs.
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

/// The records that may have too few or too many related records after a change set.
///
/// The check runs at the end of the change set, because a record may lose a related record and get it back within
/// it.
struct RelatedCountCheck {
    private struct Touched {
        let count: RelatedCount
        var ids: Set<String>
    }

    private var touched: [ObjectIdentifier: Touched] = [:]

    /// Notes a record.
    ///
    /// - Parameter count: The bounds to check; nil if there are none.
    mutating func touch(_ id: String, _ count: RelatedCount?) {
        guard let count else { return }
        touched[ObjectIdentifier(count), default: Touched(count: count, ids: [])].ids.insert(id)
    }

    /// Notes the record that a reference refers to, before or after a change.
    mutating func touch(_ value: FieldValue, of reference: ReferenceColumn) {
        if let count = reference.inverse, case .text(let id) = value { touch(id, count) }
    }

    /// Notes all records that a record of the table refers to.
    mutating func touchReferences(of table: ModelTable, _ values: [FieldValue]) {
        for reference in table.references where reference.index < values.count {
            touch(values[reference.index], of: reference)
        }
    }

    /// Returns an error for the first record that has too few or too many related records.
    func violation(in tables: ModelTables, _ connection: any Connection) throws -> StoreError? {
        for touched in touched.values {
            let count = touched.count
            guard let table = tables[count.model] else { continue }
            for text in touched.ids {
                guard let found = try count.violation(by: text, in: connection),
                    try connection.firstRow(table.find, [.text(text)], read: { _ in true }) != nil,
                    let id = UUID(canonicalText: text)
                else { continue }
                return .relatedCount(
                    model: count.model, id: id, property: count.property, count: found, allowed: count.allowed
                )
            }
        }
        return nil
    }
}
