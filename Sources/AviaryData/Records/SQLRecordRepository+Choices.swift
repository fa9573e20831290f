package import AviaryDomain
package import Foundation

extension SQLRecordRepository {
    /// The maximum length of a search text, in bytes. No person types a longer part of a title.
    private static let longestSearch = 200

    package func choices(matching text: String, limit: Int) async throws -> ChoiceMatches {
        try await choices(matching: text, limit: limit, within: readers.searchLimit)
    }

    func choices(matching text: String, limit: Int, within time: Duration) async throws -> ChoiceMatches {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, limit > 0,
            let search = schema.titleSearch(for: text, { readers.tables[$0]?.model })
        else { return ChoiceMatches(choices: try await choices(limit: limit), isComplete: true) }
        guard text.utf8.count <= Self.longestSearch else { return ChoiceMatches(choices: [], isComplete: true) }
        guard let title = schema.titleText else { return try titles(where: search, limit, within: time) }
        // The search uses the sort index of the title, if there is one.
        let first = try titles(
            where: .starts(property: title.name, withSpellingsOf: text),
            orderedBy: table.dialect.ignoringCase(table.dialect.name(title.name)), limit, within: time
        )
        guard first.choices.count < limit else { return first }
        let words = try titles(containing: search, limit, within: time)
        let known = Set(first.choices.map(\.id))
        let found = first.choices + words.choices.filter { !known.contains($0.id) }
        return ChoiceMatches(choices: Array(found.prefix(limit)), isComplete: first.isComplete && words.isComplete)
    }

    /// Returns the titles of one text that are found within the time limit, by the text index or by reading titles.
    ///
    /// The index lists all records that contain a part before it returns the first, which takes too long for a part of
    /// many titles. Reading one title after the other meets such a part soon. Half of the time is for each.
    private func titles(
        containing search: QueryExpression, _ limit: Int, within time: Duration
    ) throws -> ChoiceMatches {
        guard readers.aids.finds(search, of: table) else { return try titles(where: search, limit, within: time) }
        let found = try titles(where: search, usingTextIndex: true, limit, within: time / 2)
        guard !found.isComplete else { return found }
        let met = try titles(where: search, usingTextIndex: false, limit, within: time / 2)
        return met.isComplete || met.choices.count > found.choices.count ? met : found
    }

    /// Returns the titles that are found within the time limit.
    ///
    /// - Parameters:
    ///   - order: The order of a title that is one text; without it, the records come by their ids.
    ///   - usesTextIndex: Indicates whether a text index finds also short parts, or none is used; nil to find only parts
    ///     that are long enough.
    private func titles(
        where expression: QueryExpression, orderedBy order: String? = nil, usingTextIndex usesTextIndex: Bool? = nil,
        _ limit: Int, within time: Duration
    ) throws -> ChoiceMatches {
        var condition = ConditionSQL(schema, table.dialect, readers.aids)
        condition.findsShortParts = usesTextIndex == true
        condition.avoidsIndexes = usesTextIndex == false
        let filter = try condition.filter(expression)
        let found = "FROM \(table.name) WHERE \(filter)" + (order.map { " ORDER BY \($0), id" } ?? "") + " LIMIT ?"
        // The condition names columns without a table, so no other table can be joined beside it.
        let sql =
            titles.joins.isEmpty
            ? "SELECT \((["id"] + titles.names).joined(separator: ", ")) \(found)"
            : "SELECT \((["other.id"] + titles.columns).joined(separator: ", ")) FROM \(table.name) AS other"
                + "\(titles.joins) WHERE other.id IN (SELECT id \(found)) ORDER BY other.id"
        let values = condition.values + [.integer(Int64(limit))]
        var choices: [RecordChoice] = []
        do {
            try readers.read(within: time) { connection in
                _ = try connection.rows(sql, values) { choices.append(try titles.choice($0)) }
            }
            return ChoiceMatches(choices: choices, isComplete: true)
        } catch let error as ReadError where error.code == .tookTooLong {
            return ChoiceMatches(choices: choices, isComplete: false)
        }
    }
}

extension SQLRecordRepository {
    package func choices(of ids: [UUID]) async throws -> [RecordChoice] {
        let dialect = table.dialect
        let sql = """
            SELECT \((["other.id"] + titles.columns).joined(separator: ", ")) FROM \(dialect.textList) \
            \(dialect.orderedJoin) \(table.name) AS other ON other.id = list.value\(titles.joins)
            """
        let list = dialect.value(ofList: ids.map { .text($0.canonicalText) }) ?? .null
        return try readers.read { try $0.rows(sql, [list]) { try titles.choice($0) } }
    }

    package func related(to ids: [UUID], by property: String, limit: Int) async throws -> [UUID: RelatedSummary] {
        try await readers.readShortOrLong { connection in
            try connection.snapshot { try related(to: ids, by: property, limit: limit, in: connection) }
        }
    }

    func related(to ids: [UUID], by property: String, limit: Int, in connection: any Connection) throws
        -> [UUID: RelatedSummary]
    {
        guard let sql = relatedStatements(property) else {
            throw PageRequestError.unknownProperty(model: schema.name, property: property)
        }
        let list = table.dialect.value(ofList: ids.map { .text($0.canonicalText) }) ?? .null
        let most = FieldValue.integer(Int64(RelatedSummary.mostCounted + 1))
        var first: [UUID: [RecordChoice]] = [:]
        let found = try connection.rows(sql.first, [list, .integer(Int64(max(0, limit)))]) { row in
            (row.uuid(0), try sql.titles.choice(row, from: 1))
        }
        for case (let id?, let choice) in found { first[id, default: []].append(choice) }
        var summaries: [UUID: RelatedSummary] = [:]
        for case (let id?, let count) in try connection.rows(
            sql.counts, [most, list], read: { ($0.uuid(0), $0.integer(1)) })
        {
            summaries[id] = RelatedSummary(first: first[id] ?? [], count: Int(count))
        }
        return summaries
    }

    /// Returns the statements for a to-many property; nil for any other property.
    private func relatedStatements(_ property: String) -> (counts: String, first: String, titles: TitleColumns)? {
        let dialect = table.dialect
        let rows: (table: String, own: String, id: String, order: String)
        let other: ModelTable?
        if let side = readers.tables.linkSide(property, of: schema.name) {
            rows = (side.table.name, side.own, side.other, side.other)
            other = readers.tables[side.end.other.model]
        } else if let key = table.foreignKeys.first(where: { $0.inverse == property }),
            let holder = readers.tables[key.model]
        {
            rows = (holder.name, dialect.name(key.property), "id", dialect.rowNumber)
            other = holder
        } else {
            return nil
        }
        guard let other else { return nil }
        let titles = TitleColumns(other.model, as: "other", in: readers.tables)
        let ofRecord = "FROM \(rows.table) AS part WHERE part.\(rows.own) = list.value"
        return (
            "SELECT list.value, (SELECT count(*) FROM (SELECT 1 \(ofRecord) LIMIT ?) AS found) FROM \(dialect.textList)",
            """
            SELECT \((["list.value", "other.id"] + titles.columns).joined(separator: ", ")) FROM \(dialect.textList) \
            \(dialect.orderedJoin) \(other.name) AS other \
            ON other.id IN (SELECT part.\(rows.id) \(ofRecord) ORDER BY part.\(rows.order) LIMIT ?)\(titles.joins)
            """,
            titles
        )
    }
}
