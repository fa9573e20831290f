import AviaryDomain
import Foundation

/// `aviary_change`: what commits did to records, a row each, in the order in which it was done.
enum ChangeTable {
    static func creation(_ dialect: any SQLDialect) -> [String] {
        [
            dialect.createTable("aviary_change", definitions, .numbered),
            "CREATE INDEX aviary_change_record ON aviary_change (\(dialect.indexed("record", thenByKey: "number")))",
            "CREATE INDEX aviary_change_model ON aviary_change (\(dialect.indexed("model", thenByKey: "number")))",
        ]
    }

    private static let definitions = [
        // Quoted, as all dialects quote: a word of SQL.
        ColumnDefinition("number", .integer, "PRIMARY KEY"), ColumnDefinition(#""commit""#, .integer, "NOT NULL"),
        ColumnDefinition("model", .text, "NOT NULL"), ColumnDefinition("record", .text, "NOT NULL"),
        ColumnDefinition("kind", .integer, "NOT NULL"), ColumnDefinition("fields", .text, "NOT NULL"),
    ]

    static let columns = definitions.map(\.name).joined(separator: ", ")
    /// What a row takes beside its fields, the indexes included; about.
    private static let overhead = 180

    private static let insert = Query("INSERT INTO aviary_change (\(columns)) VALUES (?, ?, ?, ?, ?, ?)")
    private static let first = Query("SELECT number FROM aviary_change ORDER BY number LIMIT 1")
    private static let deletion = Query("DELETE FROM aviary_change WHERE number <= ?")
    private static let oldest = Query { dialect in
        """
        SELECT change.number, \(dialect.byteLength("change.fields")), aviary_commit.time FROM aviary_change AS change \
        JOIN aviary_commit ON aviary_commit.number = change."commit" ORDER BY change.number LIMIT ?
        """
    }

    static func add(
        _ number: Int64, commit: Int64, model: String, record: String, kind: RecordChange.Kind, fields: String,
        in connection: any Connection
    ) throws(EngineError) {
        try connection.run(insert, [
            .integer(number), .integer(commit), .text(model), .text(record), .integer(kind.rawValue), .text(fields),
        ])
    }

    static func size(fields: String) -> Int { overhead + fields.utf8.count }

    /// The number of the oldest row; nil when there is none.
    static func firstNumber(in connection: any Connection) throws -> Int64? {
        try connection.firstRow(first) { $0.integer(0) }
    }

    /// Removes some of the oldest rows.
    ///
    /// - Parameter isOver: Whether a row of this commit time may go, when so many bytes have gone before it.
    /// - Returns: How many bytes are gone.
    static func trim(
        atMost limit: Int, in connection: any Connection, while isOver: (_ time: Date, _ freed: Int) -> Bool
    ) throws -> Int {
        var freed = 0
        var last: Int64?
        let rows = try connection.rows(oldest, [.integer(Int64(limit))]) { row in
            (number: row.integer(0), size: overhead + Int(row.integer(1)), time: Date(milliseconds: row.integer(2)))
        }
        for row in rows {
            guard isOver(row.time, freed) else { break }
            freed += row.size
            last = row.number
        }
        guard let last else { return 0 }
        try connection.run(deletion, [.integer(last)])
        return freed
    }
}
