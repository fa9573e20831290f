package import AviaryDomain
import Foundation

extension SQLRecordRepository {
    /// The greatest duration of a search, for which other work on the thread can wait.
    private static let searchLimit: Duration = .milliseconds(25)
    /// The greatest length of a search text. Nobody types a longer part of a title.
    private static let longestSearch = 200

    package func choices(matching text: String, limit: Int) async throws -> ChoiceMatches {
        try await choices(matching: text, limit: limit, within: Self.searchLimit)
    }

    func choices(matching text: String, limit: Int, within time: Duration) async throws -> ChoiceMatches {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let title = schema.titleProperty, !text.isEmpty, limit > 0 else {
            return ChoiceMatches(choices: try await choices(limit: limit), isComplete: true)
        }
        guard text.utf8.count <= Self.longestSearch else { return ChoiceMatches(choices: [], isComplete: true) }
        // By the sort index of the title, where there is one.
        let first = try titles(
            title, where: .starts(property: title.name, withSpellingsOf: text),
            orderedBy: table.dialect.ignoringCase(table.dialect.name(title.name)), limit, within: time
        )
        guard first.choices.count < limit else { return first }
        let words = try titles(title, where: schema.searchExpression(for: text, in: [title]), limit, within: time)
        let known = Set(first.choices.map(\.id))
        let found = first.choices + words.choices.filter { !known.contains($0.id) }
        return ChoiceMatches(choices: Array(found.prefix(limit)), isComplete: first.isComplete && words.isComplete)
    }

    /// Returns the titles that are found within the time.
    private func titles(
        _ title: PropertySchema, where expression: QueryExpression, orderedBy order: String? = nil, _ limit: Int,
        within time: Duration
    ) throws -> ChoiceMatches {
        var condition = ConditionSQL(schema, table.dialect, readers.aids)
        let filter = try condition.filter(expression)
        let sql =
            "SELECT id, \(table.dialect.name(title.name)) FROM \(table.name) WHERE \(filter)"
            + (order.map { " ORDER BY \($0), id" } ?? "") + " LIMIT ?"
        let values = condition.values + [.integer(Int64(limit))]
        var choices: [RecordChoice] = []
        do {
            try readers.read(within: time) { connection in
                _ = try connection.rows(sql, values) { row in
                    guard let id = row.uuid(0) else { throw RecordDecodingError(model: schema.name) }
                    let title = row.text(1) ?? ""
                    choices.append(RecordChoice(id: id, title: title.isBlank ? id.canonicalText : title))
                }
            }
            return ChoiceMatches(choices: choices, isComplete: true)
        } catch ReadError.tookTooLong {
            return ChoiceMatches(choices: choices, isComplete: false)
        }
    }
}
