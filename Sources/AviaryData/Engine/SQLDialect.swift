package import AviaryDomain

/// The SQL that differs between engines.
///
/// All SQL text is built with it; the rest of the text is common to all engines.
///
/// Parameters are written `?`, or `?1` if a value is used twice. An engine with another notation translates it when
/// it prepares a statement.
package protocol SQLDialect: Sendable {
    // MARK: Names

    /// Returns the quoted name, so that no model or property name is taken for SQL.
    func name(_ name: String) -> String
    /// Returns the quoted name such that it denotes the stored table even where a mask has the same name. See
    /// ``RowMask``.
    func stored(_ name: String) -> String
    /// The names, in lower case, of the columns that every table has implicitly.
    var ownColumns: Set<String> { get }
    /// The prefix, in lower case, of the engine's own tables.
    var ownTablePrefix: String { get }

    // MARK: Tables

    /// Returns the statement that creates a table.
    ///
    /// - Parameter name: The name as it appears in the text, quoted if necessary.
    func createTable(_ name: String, _ columns: [ColumnDefinition], _ layout: TableLayout) -> String
    /// Returns the statement that adds a column.
    ///
    /// It takes constant time, regardless of the number of rows. Existing rows get the value that the definition's
    /// constraints specify.
    func addColumn(_ column: ColumnDefinition, to table: String) -> String
    /// Returns the value as a literal for a definition. Values in other statements are always parameters.
    func literal(_ value: FieldValue) -> String
    /// The clause after `REFERENCES` that defers the check to the commit.
    var deferred: String { get }
    /// The column with the row numbers of a table of layout ``TableLayout/numbered``. Statements can also write it.
    var rowNumber: String { get }

    // MARK: Transactions

    /// The statement that begins a transaction whose statements all see one snapshot.
    var beginReading: String { get }
    /// The statement that begins a transaction that may write from its first statement on.
    var beginWriting: String { get }

    // MARK: Order and comparison

    /// Returns an expression, for an order or an index, that ignores the case of ASCII letters.
    func ignoringCase(_ expression: String) -> String
    /// Returns the condition `expression operator parameter` that ignores the case of ASCII letters.
    func comparisonIgnoringCase(_ expression: String, _ operation: String, _ parameter: String) -> String
    /// Returns a term of an order. Nulls are the smallest values.
    func order(_ expression: String, upwards: Bool) -> String
    /// Returns a term of an index that supports ``order(_:upwards:)``.
    func indexed(_ expression: String) -> String
    /// Returns the columns of an index whose equal entries are in the order of the table's key, an integer.
    func indexed(_ column: String, thenByKey key: String) -> String
    /// Returns the column in a form for which the engine uses no index.
    func withoutIndex(_ column: String) -> String

    // MARK: Conditions

    /// Returns a condition that is true if both values are equal or both are null.
    func same(_ left: String, _ right: String) -> String
    func different(_ left: String, _ right: String) -> String
    /// Returns a condition that is true if the text contains the bytes of the part.
    func contains(_ text: String, part: String) -> String
    /// Returns a condition that is true if the text starts with the prefix.
    ///
    /// - Parameter again: The prefix once more; its parameters follow those of the first.
    func starts(_ text: String, with prefix: String, again: String) -> String
    /// Returns the folded text for a search, as `String.folded` does.
    func folded(_ text: String) -> String
    /// Returns a condition that is true if a text index contains the row of its table.
    ///
    /// - Parameter index: The name of the index, without quotes.
    func isInTextIndex(_ index: String, _ key: String) -> String
    /// Returns an expression that fails if an integer calculation overflows.
    ///
    /// - Parameter again: The calculation once more; its parameters follow those of the first.
    func checkedInteger(_ calculation: String, again: String) -> String
    /// Returns an expression that fails if a calculation with non-null numbers has no result.
    func checkedDouble(_ calculation: String) -> String
    /// Returns an expression for the value that fails if the condition is false. The condition's parameters come
    /// first.
    func checked(_ value: String, where condition: String) -> String

    // MARK: Lists

    /// The table expression `list` with the column `value`. It contains one parameter, a ``value(ofList:)``.
    var list: String { get }
    func value(ofList numbers: ArraySlice<Int64>) -> FieldValue
    /// Returns the value for the parameter; nil if the list cannot represent one of the values exactly.
    func value(ofList values: [FieldValue]) -> FieldValue?
    /// The join, followed by `ON`, whose loops run in the order in which they are written.
    var orderedJoin: String { get }

    // MARK: JSON

    /// Returns an expression for the value at a ``path(_:)``; null if there is none.
    func part(of json: String, under path: String) -> String
    func path(_ keys: [String]) -> FieldValue
    func elementCount(_ json: String) -> String
    /// Returns a condition that is true if one of the elements equals the value.
    func elements(of json: String, include value: String) -> String

    // MARK: Text indexes

    /// Returns the statement that creates a text index of a table. The index is not updated automatically.
    ///
    /// The texts of the table are ``indexedText(_:)`` values. The index finds parts with at least ``leastIndexedPart``
    /// characters.
    func createTextIndex(_ name: String, over table: String, key: String, _ columns: [String]) -> String
    /// Returns the statement that creates a list of the parts of a text index, in which shorter parts are found. The
    /// list follows the index and takes no space.
    ///
    /// - Parameters:
    ///   - name: The quoted name of the list.
    ///   - index: The quoted name of the index.
    func createPartList(_ name: String, of index: String) -> String
    /// Returns an expression for a folded text in the form in which a text index and its part list find all its parts.
    func indexedText(_ folded: String) -> String
    /// Returns the statement that rebuilds the index from its table.
    func rebuildTextIndex(_ name: String) -> String
    /// Returns the statement that adds rows of the table to the index. A condition may follow.
    func addToTextIndex(_ name: String, from table: String, key: String, _ columns: [String]) -> String
    /// Returns the statement that removes rows from the index while the table still contains them. A condition may
    /// follow.
    func removeFromTextIndex(_ name: String, from table: String, key: String, _ columns: [String]) -> String
    /// Returns a query for the keys of the rows whose texts contain the part. It has one parameter, a
    /// ``value(ofPart:in:)``.
    func textMatches(in index: String) -> String
    func value(ofPart part: String, in column: String) -> FieldValue
    /// The number of characters from which a text index finds a part itself. Its part list finds shorter parts.
    var leastIndexedPart: Int { get }
    /// Returns a query for the keys of the rows whose texts contain a part that is shorter than ``leastIndexedPart`` and
    /// not empty. A key can come several times. The parameters are ``values(ofShortPart:in:)``.
    func shortMatches(in list: String) -> String
    func values(ofShortPart part: String, in column: String) -> [FieldValue]
    /// Returns the statement that creates a trigger, which runs a statement after each change of a kind.
    ///
    /// `NEW` and `OLD` are the changed row.
    func createTrigger(_ name: String, after event: String, on table: String, _ statement: String) -> String

    // MARK: Other statements

    /// Returns the statement that inserts a row and replaces one with the same key.
    func replacement(into table: String, _ columns: [String], key: String) -> String
    /// Returns an expression for the length of a text in bytes.
    func byteLength(_ column: String) -> String
}

/// The definition of a column of a new table.
package struct ColumnDefinition: Sendable {
    package enum ColumnType: Sendable {
        case integer, real, text, blob
        /// A column that stores any value unconverted.
        case any
    }

    /// The name as it appears in the text.
    package let name: String
    package let type: ColumnType
    package let constraints: String

    init(_ name: String, _ type: ColumnType, _ constraints: String = "") {
        self.name = name
        self.type = type
        self.constraints = constraints
    }
}

/// The key by which a table stores its rows.
package enum TableLayout: Sendable {
    /// A table that stores rows by a number of their own, in ``SQLDialect/rowNumber``.
    case numbered
    /// A table that stores rows by their primary key, for small rows that are found by no other column.
    case keyed
    /// A table that stores rows by these columns together, which are their primary key.
    case keyedBy([String])
}

/// Fragments of SQL text that are the same for all engines.
enum SQL {
    static func placeholders(_ count: Int) -> String {
        Array(repeating: "?", count: count).joined(separator: ", ")
    }
}

/// The numbers of a table's rows, passed to the engine as lists of bounded length.
///
/// A statement accepts only a limited number of parameters.
struct RowNumberList {
    private static let listLength = 1000
    let rows: [Int64]

    init(_ rows: [Int64]) {
        self.rows = rows
    }

    /// Calls the body for each list.
    ///
    /// - Parameter body: A function that receives the value for the parameter of ``SQLDialect/list``.
    func forEachList(_ dialect: any SQLDialect, _ body: (FieldValue) throws -> Void) rethrows {
        var start = rows.startIndex
        while start < rows.endIndex {
            let end = min(start + Self.listLength, rows.endIndex)
            try body(dialect.value(ofList: rows[start..<end]))
            start = end
        }
    }
}
