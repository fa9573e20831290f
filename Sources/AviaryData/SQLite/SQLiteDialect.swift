import AviaryDomain

/// SQL as SQLite reads it.
struct SQLiteDialect: SQLDialect {
    func name(_ name: String) -> String {
        Self.quoted(name, with: "\"")
    }

    /// Returns the quoted text.
    ///
    /// It works by Unicode scalars: a mark that combines with the quotation mark before it makes one `Character` of
    /// both, and SQLite reads bytes.
    private static func quoted(_ text: String, with mark: Unicode.Scalar) -> String {
        var quoted = String.UnicodeScalarView([mark])
        for scalar in text.unicodeScalars {
            quoted.append(scalar)
            if scalar == mark { quoted.append(mark) }
        }
        quoted.append(mark)
        return String(quoted)
    }

    let ownColumns: Set<String> = ["rowid", "_rowid_", "oid"]
    let ownTablePrefix = "sqlite_"

    func createTable(_ name: String, _ columns: [ColumnDefinition], _ layout: TableLayout) -> String {
        var definitions = columns.map(\.sql)
        if case .keyedBy(let key) = layout { definitions.append("PRIMARY KEY (\(key.joined(separator: ", ")))") }
        let options =
            switch layout {
            case .numbered: "STRICT"
            case .keyed, .keyedBy: "STRICT, WITHOUT ROWID"
            }
        return "CREATE TABLE \(name) (\(definitions.joined(separator: ", "))) \(options)"
    }

    func addColumn(_ column: ColumnDefinition, to table: String) -> String {
        "ALTER TABLE \(table) ADD COLUMN \(column.sql)"
    }

    func literal(_ value: FieldValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): Self.quoted(text, with: "'")
        case .blob(let bytes): "x'" + bytes.map { String(0x100 | Int($0), radix: 16).dropFirst() }.joined() + "'"
        }
    }

    let deferred = "DEFERRABLE INITIALLY DEFERRED"
    let rowNumber = "rowid"

    let beginReading = "BEGIN"
    // Not to fail later, when another connection has written in between.
    let beginWriting = "BEGIN IMMEDIATE"

    func ignoringCase(_ expression: String) -> String { expression + " COLLATE NOCASE" }

    /// Returns a comparison that ignores case. SQLite accepts the collation on either side.
    func comparisonIgnoringCase(_ expression: String, _ operation: String, _ parameter: String) -> String {
        "\(ignoringCase(expression)) \(operation) \(parameter)"
    }

    func order(_ expression: String, upwards: Bool) -> String { expression + (upwards ? " ASC" : " DESC") }
    func indexed(_ expression: String) -> String { expression }
    /// All indexes end in the row's number, which an integer key is.
    func indexed(_ column: String, thenByKey key: String) -> String { column }
    func withoutIndex(_ column: String) -> String { "+" + column }

    func same(_ left: String, _ right: String) -> String { "(\(left) IS \(right))" }
    func different(_ left: String, _ right: String) -> String { "(\(left) IS NOT \(right))" }
    func contains(_ text: String, part: String) -> String { "(instr(\(text), \(part)) > 0)" }

    func starts(_ text: String, with prefix: String, again: String) -> String {
        "(substr(\(text), 1, length(\(prefix))) = \(again))"
    }

    func folded(_ text: String) -> String { "\(SQLiteConnection.foldFunction)(\(text))" }

    func checkedInteger(_ calculation: String, again: String) -> String {
        "CASE typeof(\(calculation)) WHEN 'real' THEN \(Self.failure) ELSE \(again) END"
    }

    func checked(_ value: String, where condition: String) -> String {
        "CASE WHEN \(condition) THEN \(value) ELSE \(Self.failure) END"
    }

    func checkedDouble(_ calculation: String) -> String { "coalesce(\(calculation), \(Self.failure))" }

    /// The one function of SQLite's own that fails for a number: the least integer has no absolute value. Not a
    /// constant to SQLite, which would calculate it before the statement begins.
    private static let failure = "abs(-9223372036854775807 - 1)"

    let list = "json_each(?) AS list"

    func value(ofList numbers: ArraySlice<Int64>) -> FieldValue {
        .text("[" + numbers.map(String.init).joined(separator: ",") + "]")
    }

    func value(ofList values: [FieldValue]) -> FieldValue? { JSONList.text(values).map(FieldValue.text) }

    let orderedJoin = "CROSS JOIN"

    func replacement(into table: String, _ columns: [String], key: String) -> String {
        "INSERT OR REPLACE INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(SQL.placeholders(columns.count)))"
    }

    func byteLength(_ column: String) -> String { "length(CAST(\(column) AS BLOB))" }
}

extension ColumnDefinition {
    fileprivate var sql: String {
        "\(name) \(type.sql)" + (constraints.isEmpty ? "" : " " + constraints)
    }
}

extension ColumnDefinition.ColumnType {
    fileprivate var sql: String {
        switch self {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .blob: "BLOB"
        case .any: "ANY"
        }
    }
}
