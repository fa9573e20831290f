import AviaryDomain
import Foundation

/// Finds the commits that a query asks for, newest first.
struct HistoryReader {
    let query: HistoryQuery
    let connection: any Connection

    func commits() throws -> [CommitSummary] {
        // A commit is told as a whole: no more when its first entry is gone.
        guard query.limit > 0, let first = try ChangeTable.firstNumber(in: connection) else { return [] }
        guard query.record == nil, query.model == nil else { return try commitsByEntries(since: first) }
        let (sql, values) = query.heads
        return try connection.rows(sql, [.integer(first)] + values, read: CommitTable.summary)
    }

    /// From each commit that has a fitting entry to the one before it, so that a commit of 10,000 entries is one step.
    private func commitsByEntries(since first: Int64) throws -> [CommitSummary] {
        let (sql, values) = query.entries(connection.dialect)
        var end = try query.before.map { try CommitTable.changes(of: $0, in: connection)?.lowerBound ?? first } ?? .max
        var commits: [CommitSummary] = []
        while commits.count < query.limit {
            let number = try connection.firstRow(sql, [.integer(first), .integer(end)] + values) { $0.integer(0) }
            guard let number, let numbers = try CommitTable.changes(of: number, in: connection), numbers.lowerBound >= first,
                  let summary = try CommitTable.summary(of: number, in: connection)
            else { break }
            end = numbers.lowerBound
            if query.includes(summary) { commits.append(summary) }
        }
        return commits
    }
}

extension HistoryQuery {
    /// The commits themselves. The first parameter is the first entry that is kept.
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
        return (sql + " ORDER BY number DESC LIMIT ?", values + [.integer(Int64(limit))])
    }

    /// The commit of the last fitting entry. The first parameters are the range of entries to look in.
    func entries(_ dialect: any SQLDialect) -> (sql: String, values: [FieldValue]) {
        var sql = #"SELECT "commit" FROM aviary_change WHERE number >= ? AND number < ?"#
        var values: [FieldValue] = []
        if let record {
            sql += " AND record = ?"
            values.append(.text(record.canonicalText))
        }
        if let model {
            // Beside a record, whose index is the one to use: a record has few entries, a model many.
            sql += " AND \(record == nil ? "model" : dialect.withoutIndex("model")) = ?"
            values.append(.text(model))
        }
        return (sql + " ORDER BY number DESC LIMIT 1", values)
    }

    /// What entries are not found by.
    fileprivate func includes(_ commit: CommitSummary) -> Bool {
        if let author, !author.utf8.elementsEqual(commit.author.utf8) { return false }
        return time?.contains(commit.time) ?? true
    }
}
