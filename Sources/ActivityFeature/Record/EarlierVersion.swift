package import AviaryDomain
package import Foundation

/// What a record held at some time, as far as the history can tell.
package struct EarlierVersion: Sendable {
    /// By property name. Without what is secret, and without what cannot be told.
    package let values: [String: FieldValue]
    package let time: Date
    package let author: String

    /// Goes back from what is stored now to what was so after a change.
    ///
    /// - Parameters:
    ///   - record: As it is stored now.
    ///   - number: Of the change.
    /// - Returns: Nil when the history does not reach back to it, or the record was deleted in between.
    /// - Throws: ``AccessRefusal``; `ReadError`.
    package init?(
        of record: Record, in schema: ModelSchema, after number: Int64, scope: ActivityScope,
        history: any HistoryRepository
    ) async throws {
        try scope.principal.check(.activity)
        try scope.principal.check(.edit, schema)
        guard let earlier = try await history.values(of: record.id, in: schema.name, asOf: .change(number)),
            let commit = earlier.commit
        else {
            return nil
        }
        var values = Dictionary(
            zip(schema.storedProperties.map(\.name), record.values), uniquingKeysWith: { first, _ in first }
        )
        values.merge(earlier.values) { _, then in then }
        for name in earlier.secrets { values[name] = nil }
        for property in schema.storedProperties
        where property.isSecret || !scope.principal.maySee(property.name, of: schema) {
            values[property.name] = nil
        }
        self.values = values
        time = commit.time
        author = commit.author
    }
}
