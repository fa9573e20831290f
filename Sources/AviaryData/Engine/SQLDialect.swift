package import AviaryDomain

/// What engines write differently. All SQL text is made with it; the rest of the text is what they have in common.
///
/// Parameters are written `?`, or `?1` where one value is used twice. An engine that numbers them otherwise translates
/// when it prepares a statement.
package protocol SQLDialect: Sendable {
    // MARK: Names

    /// The name quoted, so that any model or property name is only ever a name.
    func name(_ name: String) -> String
    /// Names of columns, in lower case, that a table has without being asked.
    var ownColumns: Set<String> { get }
    /// With which, in lower case, the engine's own tables begin.
    var ownTablePrefix: String { get }

    // MARK: Tables

    /// - Parameter name: As it stands in the text.
    func createTable(_ name: String, _ columns: [ColumnDefinition], _ layout: TableLayout) -> String
    /// Takes no time for the rows that are there; they get the value that the definition's constraints give them.
    func addColumn(_ column: ColumnDefinition, to table: String) -> String
    /// The value as it stands in the text of a definition. Values of statements are parameters, always.
    func literal(_ value: FieldValue) -> String
    /// Behind `REFERENCES`: checked when the transaction commits.
    var deferred: String { get }
    /// The column by which a table of layout ``TableLayout/numbered`` numbers its rows. It can be written too.
    var rowNumber: String { get }

    // MARK: Transactions

    /// Begins a transaction whose statements all see one state.
    var beginReading: String { get }
    /// Begins a transaction that may write from its first statement on.
    var beginWriting: String { get }

    // MARK: Order and comparison

    /// As part of an order or an index: without regard to the case of ASCII letters.
    func ignoringCase(_ expression: String) -> String
    /// `expression operator parameter`, without regard to the case of ASCII letters.
    func comparisonIgnoringCase(_ expression: String, _ operation: String, _ parameter: String) -> String
    /// Part of an order. Nulls are least.
    func order(_ expression: String, upwards: Bool) -> String
    /// Part of an index that serves ``order(_:upwards:)``.
    func indexed(_ expression: String) -> String
    /// The columns of an index whose equal entries are in the order of the table's key, an integer.
    func indexed(_ column: String, thenByKey key: String) -> String
    /// The column, so that no index over it is used.
    func withoutIndex(_ column: String) -> String

    // MARK: Conditions

    /// Whether both are the same value, or both null.
    func same(_ left: String, _ right: String) -> String
    func different(_ left: String, _ right: String) -> String
    /// Whether the bytes of the part stand in the text, one after the other.
    func contains(_ text: String, part: String) -> String
    /// - Parameter again: The prefix; its parameters follow those of the first.
    func starts(_ text: String, with prefix: String, again: String) -> String
    /// The text as it is searched, `String.folded`.
    func folded(_ text: String) -> String
    /// Whether a text index, by its name without quotes, has the row of the table that it is over.
    func isInTextIndex(_ index: String, _ key: String) -> String
    /// Fails where a calculation with integers left their range.
    ///
    /// - Parameter again: The calculation; its parameters follow those of the first.
    func checkedInteger(_ calculation: String, again: String) -> String
    /// Fails where a calculation with numbers that are there gives none.
    func checkedDouble(_ calculation: String) -> String
    /// The value; fails where the condition does not hold. The condition's parameters come first.
    func checked(_ value: String, where condition: String) -> String

    // MARK: Lists

    /// A table expression `list` with the column `value`. It holds one parameter, a ``value(ofList:)``.
    var list: String { get }
    func value(ofList numbers: ArraySlice<Int64>) -> FieldValue
    /// Nil where the list cannot hold one of the values exactly.
    func value(ofList values: [FieldValue]) -> FieldValue?
    /// A join that is followed by `ON`, whose loops run in the order in which they are written.
    var orderedJoin: String { get }

    // MARK: JSON

    /// The value at a ``path(_:)``; null where there is none.
    func part(of json: String, under path: String) -> String
    func path(_ keys: [String]) -> FieldValue
    func elementCount(_ json: String) -> String
    /// Whether one of the elements is the value.
    func elements(of json: String, include value: String) -> String

    // MARK: Words in texts

    /// An index over the texts of a table, by which parts of at least ``leastIndexedPart`` characters are found. It does not
    /// follow the table by itself.
    func createTextIndex(_ name: String, over table: String, key: String, _ columns: [String]) -> String
    /// Fills the index anew from its table.
    func rebuildTextIndex(_ name: String) -> String
    /// Adds rows to the index as the table has them. A condition may follow.
    func addToTextIndex(_ name: String, from table: String, key: String, _ columns: [String]) -> String
    /// Takes rows out of the index, as the table still has them. A condition may follow.
    func removeFromTextIndex(_ name: String, from table: String, key: String, _ columns: [String]) -> String
    /// A query for the keys of rows whose texts hold the part. It holds one parameter, a ``value(ofPart:in:)``.
    func textMatches(in index: String) -> String
    func value(ofPart part: String, in column: String) -> FieldValue
    var leastIndexedPart: Int { get }
    /// Runs a statement, in which `NEW` and `OLD` are the row, after each change of that kind.
    func createTrigger(_ name: String, after event: String, on table: String, _ statement: String) -> String

    // MARK: The rest

    /// Inserts a row, in place of one that has the same key.
    func replacement(into table: String, _ columns: [String], key: String) -> String
    /// Of a text, in bytes.
    func byteLength(_ column: String) -> String
}

/// A column of a table that is to be created.
package struct ColumnDefinition: Sendable {
    package enum ColumnType: Sendable {
        case integer, real, text, blob
        /// Whatever is put in, as it is.
        case any
    }

    /// As it stands in the text.
    package let name: String
    package let type: ColumnType
    package let constraints: String

    init(_ name: String, _ type: ColumnType, _ constraints: String = "") {
        self.name = name
        self.type = type
        self.constraints = constraints
    }
}

/// How a table keeps its rows.
package enum TableLayout: Sendable {
    /// By a number of their own, in ``SQLDialect/rowNumber``.
    case numbered
    /// By their primary key: for small rows that are found by nothing else.
    case keyed
    /// By these columns together, which are their primary key.
    case keyedBy([String])
}

/// Fragments of SQL text that all engines write alike.
enum SQL {
    static func placeholders(_ count: Int) -> String {
        Array(repeating: "?", count: count).joined(separator: ", ")
    }
}

/// Rows of a table by their numbers, handed to the engine as lists of bounded length: a statement cannot take any
/// number of parameters.
struct RowList {
    private static let listLength = 1000
    let rows: [Int64]

    init(_ rows: [Int64]) {
        self.rows = rows
    }

    /// - Parameter body: Gets the value for the parameter of ``SQLDialect/list``.
    func forEachList(_ dialect: any SQLDialect, _ body: (FieldValue) throws -> Void) rethrows {
        var start = rows.startIndex
        while start < rows.endIndex {
            let end = min(start + Self.listLength, rows.endIndex)
            try body(dialect.value(ofList: rows[start..<end]))
            start = end
        }
    }
}
