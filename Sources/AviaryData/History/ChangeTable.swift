import AviaryDomain
import Foundation

/// The table `aviary_change` of the history's entries: a row for each change of a record, in the order of the
/// changes.
enum ChangeTable {
    static func creation(_ dialect: any SQLDialect) -> [String] {
        [
            dialect.createTable("aviary_change", definitions, .numbered),
            "CREATE INDEX aviary_change_record ON aviary_change (\(dialect.indexed("record", thenByKey: "number")))",
            "CREATE INDEX aviary_change_model ON aviary_change (\(dialect.indexed("model", thenByKey: "number")))",
        ]
    }

    private static let definitions = [
        // The name is quoted in the way of all dialects, because it is a keyword of SQL.
        ColumnDefinition("number", .integer, "PRIMARY KEY"), ColumnDefinition(#""commit""#, .integer, "NOT NULL"),
        ColumnDefinition("model", .text, "NOT NULL"), ColumnDefinition("record", .text, "NOT NULL"),
        ColumnDefinition("kind", .integer, "NOT NULL"), ColumnDefinition("fields", .text, "NOT NULL"),
    ]

    static let columnNames = definitions.map(\.name)
    static let columns = definitions.map(\.name).joined(separator: ", ")
    /// The approximate number of bytes that a row takes in addition to its fields, including its index entries.
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

    /// Returns the number of the oldest row; nil if there is none.
    static func firstNumber(in connection: any Connection) throws -> Int64? {
        try connection.firstRow(first) { $0.integer(0) }
    }

    /// Returns the number of the oldest row's commit; nil if there is none.
    static func oldestCommit(in connection: any Connection) throws -> Int64? {
        try connection.firstRow(firstCommit) { $0.integer(0) }
    }

    /// Removes some of the oldest rows.
    ///
    /// - Parameter isOver: A function that indicates whether a row of a commit may be removed, after a number of
    ///   bytes was removed before it.
    /// - Returns: The number of removed bytes.
    static func trim(
        atMost limit: Int, in connection: any Connection, while isOver: (_ commit: Int64, _ freed: Int) -> Bool
    ) throws -> Int {
        // Usually nothing is due, and a row must be read to know its size.
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

extension ChangeTable {
    private static let ofCommit = Query(
        """
        SELECT \(columns) FROM aviary_change WHERE number >= ? AND number < ? ORDER BY number LIMIT ?
        """
    )
    /// The search for changes of one model, which uses its index.
    static let modelSearch =
        "SELECT \(columns) FROM aviary_change WHERE model = ? AND number >= ? AND number < ? ORDER BY number LIMIT ?"
    private static let inModel = Query(modelSearch)
    static let allOfRecord = ofRecord("ORDER BY number DESC")
    static let laterOfRecord = ofRecord("AND number >= ? ORDER BY number LIMIT ?")
    static let earlierOfRecord = ofRecord("AND number < ? ORDER BY number DESC LIMIT ?")

    /// Returns a query that uses the index of the record only.
    ///
    /// For a range of numbers SQLite would use the model's index, and a model may have nearly all of the changes.
    private static func ofRecord(_ rest: String) -> Query {
        Query { "SELECT \(columns) FROM aviary_change WHERE record = ? AND \($0.withoutIndex("model")) = ? \(rest)" }
    }

    private static let counts = Query(
        """
        SELECT model, kind, count(*) FROM \
        (SELECT model, kind FROM aviary_change WHERE number >= ? AND number < ? ORDER BY number LIMIT ?) AS entry \
        GROUP BY model, kind ORDER BY model, kind
        """
    )

    /// Returns the changes of a commit.
    ///
    /// - Parameters:
    ///   - numbers: The range of numbers that `aviary_commit` stores.
    ///   - models: The models to which the result is limited; nil for all models.
    static func changes(
        _ numbers: Range<Int64>, models: Set<String>?, limit: Int, in connection: any Connection
    ) throws -> [RecordChange] {
        guard let models else { return try changes(numbers, limit: limit, in: connection) }
        // A seek for each model: in a commit of very many changes, those of a model may be few, or all at the end.
        let found = try models.flatMap { model in
            try connection.rows(
                inModel,
                [.text(model), .integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(Int64(limit))],
                read: change
            )
        }
        return Array(found.sorted { $0.number < $1.number }.prefix(limit))
    }

    /// Returns the number of changes by model and kind.
    ///
    /// - Parameter limit: The maximum number of changes to count; nil for all.
    static func tally(_ numbers: Range<Int64>, limit: Int?, in connection: any Connection) throws -> [ChangeTally] {
        let limit = Int64(min(limit ?? numbers.count, numbers.count))
        return try connection.rows(
            counts, [.integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(limit)]
        ) { row in
            guard let model = row.text(0), let kind = RecordChange.Kind(rawValue: row.integer(1)) else {
                throw RecordDecodingError(model: "aviary_change")
            }
            return ChangeTally(model: model, kind: kind, count: Int(row.integer(2)))
        }
    }

    /// Returns the changes of the record before a number, newest first.
    static func lastChanges(
        of record: UUID, _ model: String, before number: Int64, limit: Int, in connection: any Connection
    ) throws -> [RecordChange] {
        try connection.rows(
            earlierOfRecord, [.text(record.canonicalText), .text(model), .integer(number), .integer(Int64(limit))],
            read: change
        )
    }

    /// Passes on the changes of the record, newest first, until the function returns false.
    static func forEachChange(
        of record: UUID, _ model: String, in connection: any Connection, wantsMore: (RecordChange) -> Bool
    ) throws {
        let row = try connection.statement(allOfRecord)
        defer { row.reset() }
        try row.bind([.text(record.canonicalText), .text(model)])
        while try row.step() {
            guard wantsMore(try change(row)) else { return }
        }
    }

    /// Returns the changes of a commit.
    ///
    /// - Parameter numbers: The range of numbers that `aviary_commit` stores.
    static func changes(_ numbers: Range<Int64>, limit: Int, in connection: any Connection) throws -> [RecordChange] {
        try connection.rows(
            ofCommit, [.integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(Int64(limit))], read: change
        )
    }

    private static let backwards = Query(
        "SELECT \(columns) FROM aviary_change WHERE number >= ? AND number < ? ORDER BY number DESC LIMIT ?")

    /// Returns the last changes of a range, newest first.
    static func lastChanges(_ numbers: Range<Int64>, limit: Int, in connection: any Connection) throws -> [RecordChange]
    {
        try connection.rows(
            backwards, [.integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(Int64(limit))],
            read: change)
    }

    /// Returns the changes of the record from a number on.
    static func changes(
        of record: UUID, _ model: String, from number: Int64, limit: Int, in connection: any Connection
    ) throws -> [RecordChange] {
        try connection.rows(
            laterOfRecord, [.text(record.canonicalText), .text(model), .integer(number), .integer(Int64(limit))],
            read: change)
    }

    static func change(_ row: any Row) throws -> RecordChange {
        guard let model = row.text(2), let record = row.uuid(3), let kind = RecordChange.Kind(rawValue: row.integer(4)),
            let fields = row.text(5)
        else { throw RecordDecodingError(model: "aviary_change") }
        var reader = JSONReader(Array(fields.utf8))
        return RecordChange(
            number: row.integer(0), commit: row.integer(1), model: model, record: record, kind: kind,
            fields: try reader.fieldChanges(kind)
        )
    }

    /// Indicates whether the values of ``columns`` are those of an entry.
    static func isReadable(_ values: [FieldValue]) -> Bool {
        guard values.count == columnNames.count, case .text(let record) = values[3], UUID(canonicalText: record) != nil,
            case .integer(let number) = values[4], let kind = RecordChange.Kind(rawValue: number),
            case .text(let fields) = values[5]
        else { return false }
        var reader = JSONReader(Array(fields.utf8))
        // The caller reports that the entry cannot be read.
        return (try? reader.fieldChanges(kind)) != nil
    }
}

// The format of the fields in `aviary_change`: `{"name":"Kea"}` for an inserted or deleted record,
// `{"name":["Kea","Kiwi"]}` for an update, `{"authors":"…"}` for a link, `{"key":{}}` for a secret. It is
// self-describing, so that entries can be read after the models have changed: a number with a point or an exponent
// is a real, and a list with one base64 text is a blob.
extension JSONWriter {
    mutating func value(_ value: FieldValue) {
        switch value {
        case .null: raw("null")
        case .integer(let number): integer(number)
        case .real(let number): real(number)
        case .text(let text): self.text(text)
        case .blob(let bytes):
            raw("[")
            text(Data(bytes).base64EncodedString())
            raw("]")
        }
    }
}

extension JSONWriter {
    /// Writes the placeholder of a secret value.
    mutating func secret() { raw("{}") }
}

extension JSONReader {
    fileprivate mutating func fieldValue() throws -> FieldValue {
        let value = try value()
        guard let fieldValue = FieldValue(value) else { throw JSONError.otherType(expected: .storedValue) }
        return fieldValue
    }

    /// Reads the fields of a change of the kind.
    mutating func fieldChanges(_ kind: RecordChange.Kind) throws -> [String: FieldChange] {
        var fields: [String: FieldChange] = [:]
        try object { name, reader in
            if try reader.start() == UInt8(ascii: "{") {
                try reader.skip()
                fields[name] = .secret
                return
            }
            switch kind {
            case .insert, .link: fields[name] = FieldChange(before: .null, after: try reader.fieldValue())
            case .delete, .unlink: fields[name] = FieldChange(before: try reader.fieldValue(), after: .null)
            case .update:
                var values: [FieldValue] = []
                try reader.array { values.append(try $0.fieldValue()) }
                guard values.count == 2 else { throw JSONError.otherType(expected: .twoValues) }
                fields[name] = FieldChange(before: values[0], after: values[1])
            }
        }
        try finish()
        return fields
    }
}

extension FieldValue {
    fileprivate init?(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .number(.integer(let number)): self = .integer(number)
        case .number(.real(let number)): self = .real(number)
        case .text(let text): self = .text(text)
        case .list(let elements):
            guard elements.count == 1, let text = elements.first?.text, let data = Data(base64Encoded: text) else {
                return nil
            }
            self = .blob([UInt8](data))
        case .boolean, .object: return nil
        }
    }
}
