import AviaryDomain
import Foundation

/// The table `aviary_commit` of the commits with their authors and times.
///
/// A row is the receipt of its change set, and the head of its entries in the history for as long as these are
/// kept.
enum CommitTable {
    static let name = "aviary_commit"
    /// The lifetime of a receipt, in seconds. It is longer than that of any draft.
    static let receiptLifetime: TimeInterval = 8 * 86_400

    // All B-trees grow at their ends: numbers and times increase, and the ids of change sets are of version 7.
    static func creation(_ dialect: any SQLDialect) -> [String] {
        [
            dialect.createTable("aviary_commit", definitions, .numbered),
            "CREATE UNIQUE INDEX aviary_commit_change_set ON aviary_commit (change_set)",
            "CREATE INDEX aviary_commit_author ON aviary_commit (author)",
            "CREATE INDEX aviary_commit_time ON aviary_commit (time)",
        ]
    }

    private static let definitions = [
        ColumnDefinition("number", .integer, "PRIMARY KEY"), ColumnDefinition("change_set", .text, "NOT NULL"),
        ColumnDefinition("fingerprint", .blob, "NOT NULL"), ColumnDefinition("author", .text, "NOT NULL"),
        ColumnDefinition("time", .integer, "NOT NULL"), ColumnDefinition("undoes", .integer),
        ColumnDefinition("first_change", .integer, "NOT NULL"), ColumnDefinition("changes", .integer, "NOT NULL"),
        ColumnDefinition("unrecorded", .integer, "NOT NULL"),
    ]

    static let columns = definitions.map(\.name)

    static let summaryColumns = "number, change_set, author, time, changes, undoes"

    struct Receipt {
        let commit: Int64
        let fingerprint: [UInt8]
    }

    private static let insert = Query(
        "INSERT INTO aviary_commit (\(columns.joined(separator: ", "))) VALUES (\(SQL.placeholders(columns.count)))"
    )
    private static let receipt = Query("SELECT number, fingerprint FROM aviary_commit WHERE change_set = ?")
    private static let changes = Query("SELECT first_change, changes FROM aviary_commit WHERE number = ?")
    private static let summary = Query("SELECT \(summaryColumns) FROM aviary_commit WHERE number = ?")
    private static let unrecorded = Query("SELECT unrecorded FROM aviary_commit WHERE number = ?")
    private static let following = Query(
        "SELECT number, first_change, changes FROM aviary_commit WHERE number > ? AND number <= ? ORDER BY number LIMIT ?"
    )
    private static let deletion = Query("DELETE FROM aviary_commit WHERE number = ?")

    static func receipt(_ changeSet: String, in connection: any Connection) throws -> Receipt? {
        try connection.firstRow(receipt, [.text(changeSet)]) { row in
            Receipt(commit: row.integer(0), fingerprint: row.blob(1))
        }
    }

    /// Returns the numbers of the commit's changes in `aviary_change`, regardless of whether they are kept; nil if
    /// the commit is not known.
    static func changes(of commit: Int64, in connection: any Connection) throws -> Range<Int64>? {
        try connection.firstRow(changes, [.integer(commit)]) { row in
            row.integer(0)..<(row.integer(0) + row.integer(1))
        }
    }

    /// Returns the number of changes of the commit that the history does not contain.
    static func unrecorded(by commit: Int64, in connection: any Connection) throws -> Int64 {
        try connection.firstRow(unrecorded, [.integer(commit)]) { $0.integer(0) } ?? 0
    }

    static func summary(of commit: Int64, in connection: any Connection) throws -> CommitSummary? {
        try connection.firstRow(summary, [.integer(commit)], read: summary)
    }

    /// Returns the summary in a row.
    ///
    /// - Parameter row: A row of ``summaryColumns``.
    static func summary(_ row: any Row) throws -> CommitSummary {
        guard let changeSet = row.uuid(1), let author = row.text(2) else {
            throw RecordDecodingError(model: "aviary_commit")
        }
        return CommitSummary(
            number: row.integer(0), changeSet: changeSet, author: author, time: Date(milliseconds: row.integer(3)),
            changes: Int(row.integer(4)), undoes: row.isNull(5) ? nil : row.integer(5)
        )
    }

    /// Adds a commit.
    ///
    /// - Parameters:
    ///   - changes: The numbers of its changes in `aviary_change`.
    ///   - unrecorded: The number of changes that are not in the table because the history excludes their models.
    static func add(
        _ number: Int64, _ submission: PreparedChangeSet, at time: Date, changes: Range<Int64>, unrecorded: Int,
        in connection: any Connection
    ) throws(EngineError) {
        try add(
            number, changeSet: submission.idText, fingerprint: submission.fingerprint, by: submission.author,
            undoes: submission.undoes, at: time, changes: changes, unrecorded: unrecorded, in: connection)
    }

    /// Adds a commit that no submission caused, like ``add(_:_:at:changes:unrecorded:in:)``.
    static func add(
        _ number: Int64, changeSet: String, fingerprint: [UInt8], by author: String, undoes: Int64?, at time: Date,
        changes: Range<Int64>, unrecorded: Int, in connection: any Connection
    ) throws(EngineError) {
        try connection.run(
            insert,
            [
                .integer(number), .text(changeSet), .blob(fingerprint), .text(author),
                .integer(time.milliseconds), undoes.map(FieldValue.integer) ?? .null,
                .integer(changes.lowerBound), .integer(Int64(changes.count)), .integer(Int64(unrecorded)),
            ])
    }

    private static let progress = Query("UPDATE aviary_commit SET changes = ?, unrecorded = ? WHERE number = ?")

    /// Updates the number of entries of a commit that is completed in steps.
    static func setChanges(_ changes: Int64, unrecorded: Int, of commit: Int64, in connection: any Connection)
        throws(EngineError)
    {
        try connection.run(progress, [.integer(changes), .integer(Int64(unrecorded)), .integer(commit)])
    }

    /// Examines the rows after a number, and removes those that are too old for a receipt and have no entries any
    /// more.
    ///
    /// Rows that stay may lie between them: some models have a history and others do not.
    ///
    /// - Parameters:
    ///   - lastOld: The number of the last commit that is too old for a receipt.
    ///   - historyStart: The number of the first change that is kept.
    /// - Returns: The number after which the next call continues.
    static func trim(
        after number: Int64, to lastOld: Int64, atMost limit: Int, historyStart: Int64, in connection: any Connection
    ) throws -> Int64 {
        let values: [FieldValue] = [.integer(number), .integer(lastOld), .integer(Int64(limit))]
        let rows = try connection.rows(following, values) { row in
            let (first, count) = (row.integer(1), row.integer(2))
            return (number: row.integer(0), hasEntries: count > 0 && first + count > historyStart)
        }
        for row in rows where !row.hasEntries {
            try connection.run(deletion, [.integer(row.number)])
        }
        // After the last old row, the next call starts from the beginning.
        return rows.count == limit ? rows.last?.number ?? 0 : 0
    }

    private static let ends = Query("SELECT min(number), max(number) FROM aviary_commit")
    private static let next = Query("SELECT number, time FROM aviary_commit WHERE number >= ? ORDER BY number LIMIT 1")

    /// Returns the numbers and times of some rows, about evenly distributed, in the order of their numbers.
    static func sample(_ count: Int64, in connection: any Connection) throws -> [(number: Int64, time: Int64)] {
        guard let (first, last) = try connection.firstRow(ends, read: { ($0.integer(0), $0.integer(1)) }), last > 0,
            first > 0, first <= last
        else { return [] }
        let distance = max(1, (last - first) / count)
        return try (Array(stride(from: first, to: last, by: Int(distance))) + [last]).compactMap { number in
            try connection.firstRow(next, [.integer(number)]) { ($0.integer(0), $0.integer(1)) }
        }
    }
}

extension Date {
    /// The number of milliseconds since 1970.
    var milliseconds: Int64 { Int64(timeIntervalSince1970 * 1000) }

    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
