import AviaryDomain
import Foundation

/// A reader of the commits that match a query, newest first.
struct HistoryReader {
    let query: HistoryQuery
    let connection: any Connection

    func commits() throws -> [CommitSummary] {
        // A commit is shown as a whole, so it is omitted after its first entry was removed.
        guard query.limit > 0, let first = try ChangeTable.firstNumber(in: connection) else { return [] }
        guard !query.isFoundByEntries else { return try commitsByEntries(since: first) }
        let (sql, values) = query.heads
        return try connection.rows(sql, [.integer(first)] + values, read: CommitTable.summary)
    }

    private typealias Entry = (number: Int64, commit: Int64)

    /// Returns commits by their entries, in steps from each commit with a matching entry to the one before it.
    ///
    /// A commit of 10,000 entries is a single step.
    private func commitsByEntries(since first: Int64) throws -> [CommitSummary] {
        let searches = query.entries(connection.dialect)
        var end = try query.before.map { try CommitTable.changes(of: $0, in: connection)?.lowerBound ?? first } ?? .max
        // The result of each search remains valid until the walk has passed it.
        var found: [Entry?] = try searches.map { try newest($0, first..<end) }
        var commits: [CommitSummary] = []
        while commits.count < query.limit {
            guard let entry = found.compactMap(\.self).max(by: { $0.number < $1.number }),
                let numbers = try CommitTable.changes(of: entry.commit, in: connection), numbers.lowerBound >= first,
                let summary = try CommitTable.summary(of: entry.commit, in: connection)
            else { break }
            end = numbers.lowerBound
            for (index, search) in searches.enumerated() {
                if let entry = found[index], entry.number >= end { found[index] = try newest(search, first..<end) }
            }
            if query.includes(summary) { commits.append(summary) }
        }
        return commits
    }

    private func newest(_ search: (sql: String, values: [FieldValue]), _ numbers: Range<Int64>) throws -> Entry? {
        let range = [FieldValue.integer(numbers.lowerBound), .integer(numbers.upperBound)]
        return try connection.firstRow(search.sql, range + search.values) { ($0.integer(0), $0.integer(1)) }
    }
}

extension HistoryQuery {
    /// Indicates whether the query is answered from entries.
    ///
    /// A query for a person or a time is answered from commits, of which there are fewer than entries.
    fileprivate var isFoundByEntries: Bool {
        record != nil || models != nil && author == nil && time == nil
    }

    /// The query for the commits themselves. The first parameter is the first entry that is kept.
    var heads: (sql: String, values: [FieldValue]) {
        var sql = "SELECT \(CommitTable.summaryColumns) FROM aviary_commit WHERE changes > 0 AND first_change >= ?"
        var values: [FieldValue] = []
        func add(_ condition: String, _ value: FieldValue) {
            sql += " AND \(condition)"
            values.append(value)
        }
        if let author { add("author = ?", .text(author)) }
        if let time {
            add("time >= ?", .integer(time.lowerBound.milliseconds))
            add("time < ?", .integer(time.upperBound.milliseconds))
        }
        if let before { add("number < ?", .integer(before)) }
        if let models {
            // One index seek for each model, however many entries the commit has.
            let looks = models.sorted().map { model in
                values.append(.text(model))
                return "EXISTS (SELECT 1 FROM aviary_change AS entry WHERE entry.model = ? "
                    + "AND entry.number >= first_change AND entry.number < first_change + changes)"
            }
            sql += " AND (\(looks.isEmpty ? "FALSE" : looks.joined(separator: " OR ")))"
        }
        return (sql + " ORDER BY number DESC LIMIT ?", values + [.integer(Int64(limit))])
    }

    /// Returns the searches for the last matching entry and its commit: one for the record, or one for each model.
    ///
    /// The first parameters are the range of entries to search.
    func entries(_ dialect: any SQLDialect) -> [(sql: String, values: [FieldValue])] {
        let models = self.models.map { $0.sorted() }
        func search(_ condition: String, _ values: [FieldValue]) -> (sql: String, values: [FieldValue]) {
            let sql = #"SELECT number, "commit" FROM aviary_change WHERE number >= ? AND number < ?"#
            return (sql + " AND \(condition) ORDER BY number DESC LIMIT 1", values)
        }
        guard let record else { return (models ?? []).map { search("model = ?", [.text($0)]) } }
        let id = FieldValue.text(record.canonicalText)
        guard let models else { return [search("record = ?", [id])] }
        guard !models.isEmpty else { return [] }
        // The index of the record is the one to use: a record has few entries, a model many.
        let model = dialect.withoutIndex("model")
        return [
            search("record = ? AND \(model) IN (\(SQL.placeholders(models.count)))", [id] + models.map(FieldValue.text))
        ]
    }

    /// Indicates whether the commit fulfils the conditions that entries cannot answer.
    fileprivate func includes(_ commit: CommitSummary) -> Bool {
        if let author, !author.utf8.elementsEqual(commit.author.utf8) { return false }
        return time?.contains(commit.time) ?? true
    }
}
