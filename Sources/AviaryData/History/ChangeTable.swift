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

    static let columnNames = definitions.map(\.name)
    static let columns = definitions.map(\.name).joined(separator: ", ")
    /// What a row takes beside its fields, the indexes included; about.
    private static let overhead = 180

    private static let insert = Query("INSERT INTO aviary_change (\(columns)) VALUES (?, ?, ?, ?, ?, ?)")
    private static let first = Query("SELECT number FROM aviary_change ORDER BY number LIMIT 1")
    private static let firstCommit = Query(#"SELECT "commit" FROM aviary_change ORDER BY number LIMIT 1"#)
    private static let deletion = Query("DELETE FROM aviary_change WHERE number <= ?")
    private static let oldest = Query { dialect in
        """
        SELECT number, \(dialect.byteLength("fields")), "commit" FROM aviary_change ORDER BY number LIMIT ?
        """
    }

    static func add(
        _ number: Int64, commit: Int64, model: String, record: String, kind: RecordChange.Kind, fields: String,
        in connection: any Connection
    ) throws(EngineError) {
        try connection.run(
            insert,
            [
                .integer(number), .integer(commit), .text(model), .text(record), .integer(kind.rawValue), .text(fields),
            ])
    }

    static func size(fields: String) -> Int { overhead + fields.utf8.count }

    /// The number of the oldest row; nil when there is none.
    static func firstNumber(in connection: any Connection) throws -> Int64? {
        try connection.firstRow(first) { $0.integer(0) }
    }

    /// The number of the commit of which the oldest row is; nil when there is none.
    static func oldestCommit(in connection: any Connection) throws -> Int64? {
        try connection.firstRow(firstCommit) { $0.integer(0) }
    }

    /// Removes some of the oldest rows.
    ///
    /// - Parameter isOver: Whether a row of this commit may go, when so many bytes have gone before it.
    /// - Returns: How many bytes are gone.
    static func trim(
        atMost limit: Int, in connection: any Connection, while isOver: (_ commit: Int64, _ freed: Int) -> Bool
    ) throws -> Int {
        // Most of the time nothing is, and to tell a row's size it has to be read.
        guard let commit = try oldestCommit(in: connection), isOver(commit, 0) else { return 0 }
        let (last, freed) = try lastRow(atMost: limit, in: connection, while: isOver)
        guard let last else { return 0 }
        try connection.run(deletion, [.integer(last)])
        return freed
    }

    private static func lastRow(
        atMost limit: Int, in connection: any Connection, while isOver: (_ commit: Int64, _ freed: Int) -> Bool
    ) throws -> (number: Int64?, freed: Int) {
        let row = try connection.statement(oldest)
        defer { row.reset() }
        try row.bind([.integer(Int64(limit))])
        var freed = 0
        var last: Int64?
        while try row.step(), isOver(row.integer(2), freed) {
            freed += overhead + Int(row.integer(1))
            last = row.integer(0)
        }
        return (last, freed)
    }
}
