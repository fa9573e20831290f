import AviaryDomain

/// The SQL of SQLite.
struct SQLiteDialect: SQLDialect {
    func name(_ name: String) -> String {
        Self.quoted(name, with: "\"")
    }

    func stored(_ name: String) -> String { "main.\(name)" }

    /// Returns the quoted text.
    ///
    /// It works on Unicode scalars: a combining mark after a quotation mark would form one `Character` with it, and
    /// SQLite reads bytes.
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
            case .numbered, .unnumbered: "STRICT"
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

    func reference(to table: String) -> String { "REFERENCES \(table)(id) DEFERRABLE INITIALLY DEFERRED" }
    let rowNumber = "rowid"
    /// Returns nothing: SQLite takes the number after the largest.
    func continueNumbering(of table: String) -> String? { nil }

    func any(_ value: FieldValue) -> FieldValue { value }
    func value(ofAny stored: FieldValue) -> FieldValue { stored }

    func ignoringCase(_ expression: String) -> String { expression + " COLLATE NOCASE" }

    /// Returns a comparison that ignores case. SQLite accepts the collation on either side.
    func comparisonIgnoringCase(_ expression: String, _ operation: String, _ parameter: String) -> String {
        "\(ignoringCase(expression)) \(operation) \(parameter)"
    }

    func order(_ expression: String, upwards: Bool) -> String { expression + (upwards ? " ASC" : " DESC") }
    func orderOfKey(_ column: String, upwards: Bool) -> String { order(column, upwards: upwards) }
    func indexed(_ expression: String) -> String { expression }
    /// Returns the column alone: all indexes end in the row's number, which is the integer key.
    func indexed(_ column: String, thenByKey key: String) -> String { column }
    func withoutIndex(_ column: String) -> String { "+" + column }

    func truth(_ value: String) -> String { value }
    func value(ofCondition condition: String) -> String { condition }
    let `false` = "0"
    func equals(_ column: String, _ parameter: String) -> String { same(column, parameter) }

    func same(_ left: String, _ right: String) -> String { "(\(left) IS \(right))" }
    func different(_ left: String, _ right: String) -> String { "(\(left) IS NOT \(right))" }
    func contains(_ text: String, part: String) -> String { "(instr(\(text), \(part)) > 0)" }

    func starts<Failure: Error>(
        _ text: String, with prefix: String, again: () throws(Failure) -> String
    ) throws(Failure) -> String {
        "(substr(\(text), 1, length(\(prefix))) = \(try again()))"
    }

    func folded(_ text: String) -> String { "\(SQLiteConnection.foldFunction)(\(text))" }

    func checkedInteger<Failure: Error>(
        _ calculation: String, again: () throws(Failure) -> String
    ) throws(Failure) -> String {
        "CASE typeof(\(calculation)) WHEN 'real' THEN \(Self.failure) ELSE \(try again()) END"
    }

    func checked(_ value: String, where condition: String) -> String {
        "CASE WHEN \(condition) THEN \(value) ELSE \(Self.failure) END"
    }

    func checkedDouble(_ calculation: String) -> String { "coalesce(\(calculation), \(Self.failure))" }

    /// An expression that always fails: the smallest integer has no absolute value.
    ///
    /// `abs` is the only built-in function of SQLite that fails for a number. SQLite does not treat the expression
    /// as a constant, which it would evaluate before the statement begins.
    private static let failure = "abs(-9223372036854775807 - 1)"

    func real(_ value: String) -> String { "CAST(\(value) AS REAL)" }
    func textParameter(_ parameter: String) -> String { parameter }

    let list = "json_each(?) AS list"
    let textList = "json_each(?) AS list"

    func value(ofList numbers: ArraySlice<Int64>) -> FieldValue {
        .text("[" + numbers.map(String.init).joined(separator: ",") + "]")
    }

    func value(ofList values: [FieldValue]) -> FieldValue? { JSONList.text(values).map(FieldValue.text) }

    let orderedJoin = "CROSS JOIN"

    func replacement(into table: String, _ columns: [String], key: String) -> String {
        "INSERT OR REPLACE INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(SQL.placeholders(columns.count)))"
    }

    // With the default, ABORT, a trigger makes SQLite copy each page that the statement changes to a file first, so that
    // it can undo a part of the statement. A statement of one row that fails has changed nothing.
    let rowInsertion = "INSERT OR FAIL INTO"
    let rowUpdate = "UPDATE OR FAIL"

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

extension SQLiteDialect {
    func part(of json: String, under path: String, as storage: PropertyType.Storage) -> String {
        "json_extract(\(json), \(path))"
    }

    /// Returns the path. No key contains a quotation mark, which SQLite cannot express in a path.
    func path(_ keys: [String]) -> FieldValue { .text("$" + keys.map { ".\"\($0)\"" }.joined()) }

    func elementCount(_ json: String) -> String { "json_array_length(\(json))" }

    func elements(of json: String, include value: String) -> String {
        // The value is outside the subquery because a column may have the name of a column of `json_each`.
        "coalesce(\(value) IN (SELECT value FROM json_each(\(json))), 0)"
    }
}

extension SQLiteDialect {
    func createTrigger(
        _ name: String, after event: String, on table: String, _ statement: String
    ) -> TriggerDefinition {
        let creation = "CREATE TRIGGER \(name) AFTER \(event) ON \(table) BEGIN \(statement); END"
        return TriggerDefinition(statements: [creation], description: creation)
    }

    func dropTrigger(_ name: String) -> String { "DROP TRIGGER \(name)" }
}

/// A list of values as JSON from which SQLite reads exactly the same values.
enum JSONList {
    /// Returns the values as a JSON array; nil if SQLite would read another value.
    ///
    /// SQLite rounds a decimal number itself and ends a text at a NUL.
    static func text(_ values: [FieldValue]) -> String? {
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for value in values {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            switch value {
            case .integer(let number): bytes.append(contentsOf: "\(number)".utf8)
            case .text(let text):
                guard append(text, to: &bytes) else { return nil }
            case .null, .real, .blob: return nil
            }
        }
        bytes.append(UInt8(ascii: "]"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) -> Bool {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case 0: return false
            case 0x01..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                for digit in [byte >> 4, byte & 0x0F] { bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
        return true
    }
}
