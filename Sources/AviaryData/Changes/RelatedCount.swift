import AviaryDomain
import Foundation

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

/// Notes the records that may have got too few or too many related ones, and looks at them when the change set ends:
/// inside of one, a record may lose what it gets again.
struct RelatedCountCheck {
    private struct Touched {
        let count: RelatedCount
        var ids: Set<String>
    }

    private var touched: [ObjectIdentifier: Touched] = [:]

    /// - Parameter count: Nil where nothing is asked for.
    mutating func touch(_ id: String, _ count: RelatedCount?) {
        guard let count else { return }
        touched[ObjectIdentifier(count), default: Touched(count: count, ids: [])].ids.insert(id)
    }

    /// A value of a reference, before or after.
    mutating func touch(_ value: FieldValue, of reference: ReferenceColumn) {
        if let count = reference.inverse, case .text(let id) = value { touch(id, count) }
    }

    /// All that a record of the table refers to.
    mutating func touchReferences(of table: ModelTable, _ values: [FieldValue]) {
        for reference in table.references where reference.index < values.count {
            touch(values[reference.index], of: reference)
        }
    }

    /// - Returns: The first record that has too few or too many.
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
