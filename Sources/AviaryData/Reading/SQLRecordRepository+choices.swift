package import AviaryDomain
import Foundation

extension SQLRecordRepository {
    /// As long as others on the thread can do without it.
    private static let searchLimit: Duration = .milliseconds(25)
    /// Nobody types a longer part of a title to find it.
    private static let longestSearch = 200

    package func choices(matching text: String, limit: Int) async throws -> [RecordChoice] {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let title = schema.titleProperty, !text.isEmpty, limit > 0 else { return try await choices(limit: limit) }
        guard text.utf8.count <= Self.longestSearch else { return [] }
        var found = try bounded(prefixStatement(title), [.text(text), .text(text + "\u{10FFFF}"), .integer(Int64(limit))])
        guard found.count < limit else { return found }
        var condition = ConditionSQL(schema, table.dialect, readers.aids)
        let filter = try condition.filter(schema.searchExpression(for: text, in: [title]))
        let column = table.dialect.name(title.name)
        let words = try bounded(
            "SELECT id, \(column) FROM \(table.name) WHERE \(filter) LIMIT ?", condition.values + [.integer(Int64(limit))]
        )
        let known = Set(found.map(\.id))
        found += words.filter { !known.contains($0.id) }
        return Array(found.prefix(limit))
    }

    /// By the sort index of the title, where there is one.
    private func prefixStatement(_ title: PropertySchema) -> String {
        let dialect = table.dialect, column = dialect.name(title.name)
        return "SELECT id, \(column) FROM \(table.name) WHERE \(dialect.comparisonIgnoringCase(column, ">=", "?")) "
            + "AND \(dialect.comparisonIgnoringCase(column, "<", "?")) ORDER BY \(dialect.ignoringCase(column)), id LIMIT ?"
    }

    /// Nothing where the records are too many to be looked at in time: a longer text finds them.
    private func bounded(_ sql: String, _ values: [FieldValue]) throws -> [RecordChoice] {
        do {
            return try readers.read(within: Self.searchLimit) { connection in
                try connection.rows(sql, values) { row in
                    guard let id = row.uuid(0) else { throw RecordDecodingError(model: schema.name) }
                    let title = row.text(1) ?? ""
                    return RecordChoice(id: id, title: title.isBlank ? id.canonicalText : title)
                }
            }
        } catch ReadError.tookTooLong {
            return []
        }
    }
}
