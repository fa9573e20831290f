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
    /// Returns the constraint of a column that contains ids of a table, checked at the commit; empty for an engine that
    /// does not check references itself. See ``WriterConnection/hasDanglingReferences``.
    func reference(to table: String) -> String
    /// The column with the row numbers of a table of layout ``TableLayout/numbered``. Statements can also write it.
    var rowNumber: String { get }
    /// Returns the statement after which new rows of the table get numbers above all that statements have written; nil if
    /// the engine needs none.
    func continueNumbering(of table: String) -> String?

    // MARK: Values of any type

    /// Returns the form in which a column of the type ``ColumnDefinition/ColumnType/any`` stores a value.
    func any(_ value: FieldValue) -> FieldValue
    /// Returns the value that a column of that type stores in a form.
    func value(ofAny stored: FieldValue) -> FieldValue

    // MARK: Order and comparison

    /// Returns an expression, for an order or an index, that ignores the case of ASCII letters.
    func ignoringCase(_ expression: String) -> String
    /// Returns the condition `expression operator parameter` that ignores the case of ASCII letters.
    func comparisonIgnoringCase(_ expression: String, _ operation: String, _ parameter: String) -> String
    /// Returns a term of an order. Nulls are the smallest values.
    func order(_ expression: String, upwards: Bool) -> String
    /// Returns a term of an order by a column that is never null, in the order of its own index.
    func orderOfKey(_ column: String, upwards: Bool) -> String
    /// Returns a term of an index that supports ``order(_:upwards:)``.
    func indexed(_ expression: String) -> String
    /// Returns the columns of an index whose equal entries are in the order of the table's key, an integer.
    func indexed(_ column: String, thenByKey key: String) -> String
    /// Returns the column in a form for which the engine uses no index.
    func withoutIndex(_ column: String) -> String

    // MARK: Conditions

    /// Returns the condition that a truth value, 0 or 1, is 1. It is null if the value is.
    func truth(_ value: String) -> String
    /// Returns the truth value of a condition.
    func value(ofCondition condition: String) -> String
    /// The condition that is never true.
    var `false`: String { get }
    /// Returns a condition that is true if the column has the value of the parameter, which is not null, and false if it
    /// has another or none. An index of the column serves it.
    func equals(_ column: String, _ parameter: String) -> String
    /// Returns a condition that is true if both values are equal or both are null.
    func same(_ left: String, _ right: String) -> String
    func different(_ left: String, _ right: String) -> String
    /// Returns a condition that is true if the text contains the bytes of the part.
    func contains(_ text: String, part: String) -> String
    /// Returns a condition that is true if the text starts with the prefix.
    ///
    /// - Parameter again: A function that returns the prefix once more; its parameters follow those of the first. It is
    ///   called only if the text of the condition contains the prefix twice.
    func starts<Failure: Error>(
        _ text: String, with prefix: String, again: () throws(Failure) -> String
    ) throws(Failure) -> String
    /// Returns the folded text for a search, as `String.folded` does.
    func folded(_ text: String) -> String
    /// Returns a condition that is true if a text index contains the row of its table.
    ///
    /// - Parameter index: The name of the index, without quotes.
    func isInTextIndex(_ index: String, _ key: String) -> String
    /// Returns an expression that fails if an integer calculation overflows.
    ///
    /// - Parameter again: A function that returns the calculation once more; its parameters follow those of the first. It
    ///   is called only if the text of the expression contains the calculation twice.
    func checkedInteger<Failure: Error>(
        _ calculation: String, again: () throws(Failure) -> String
    ) throws(Failure) -> String
    /// Returns an expression that fails if a calculation with non-null numbers has no result.
    func checkedDouble(_ calculation: String) -> String
    /// Returns an expression for the value that fails if the condition is false. The condition's parameters come
    /// first.
    func checked(_ value: String, where condition: String) -> String
    /// Returns a number as a floating-point number.
    func real(_ value: String) -> String
    /// Returns the parameter of a text such that it is compared by its bytes.
    func textParameter(_ parameter: String) -> String

    // MARK: Lists

    /// The table expression `list` of integers with the column `value`. It contains one parameter, a ``value(ofList:)``.
    var list: String { get }
    /// The table expression like ``list`` of texts.
    var textList: String { get }
    func value(ofList numbers: ArraySlice<Int64>) -> FieldValue
    /// Returns the value for the parameter; nil if the list cannot represent one of the values exactly.
    func value(ofList values: [FieldValue]) -> FieldValue?
    /// The join, followed by `ON`, whose loops run in the order in which they are written.
    var orderedJoin: String { get }

    // MARK: JSON

    /// Returns an expression for the value at a ``path(_:)``; null if there is none.
    ///
    /// - Parameter storage: The type of the value.
    func part(of json: String, under path: String, as storage: PropertyType.Storage) -> String
    func path(_ keys: [String]) -> FieldValue
    func elementCount(_ json: String) -> String
    /// Returns a condition that is true if one of the elements equals the value.
    func elements(of json: String, include value: String) -> String

    // MARK: Text indexes

    /// Returns the statements that create a text index of a table with a list of its parts.
    ///
    /// The texts of the table are ``indexedText(_:)`` values. The index finds parts with at least ``leastIndexedPart``
    /// characters, the list shorter ones. The list follows the index and takes no space.
    func createTextIndex(_ index: TextIndex) -> [String]
    /// Returns the statements that drop a text index and its list, before its table is dropped.
    ///
    /// - Parameters:
    ///   - name: The quoted name of the index.
    ///   - parts: The quoted name of the list.
    func dropTextIndex(_ name: String, parts: String) -> [String]
    /// Indicates whether the list of parts is a table.
    var hasPartList: Bool { get }
    /// Returns an expression for a folded text in the form in which a text index and its part list find all its parts.
    func indexedText(_ folded: String) -> String
    // An engine that updates the index with its table needs none of the next three statements.
    /// Returns the statement that rebuilds the index from its table.
    func rebuildTextIndex(_ index: TextIndex) -> String?
    /// Returns the statement that adds rows of the table to the index. A condition may follow.
    func addToTextIndex(_ index: TextIndex) -> String?
    /// Returns the statement that removes rows from the index while the table still contains them. A condition may
    /// follow.
    func removeFromTextIndex(_ index: TextIndex) -> String?
    /// Returns the statements that merge the segments of an index; nil for an engine that does so itself.
    ///
    /// - Parameter index: The name of the index, without quotes.
    func merging(ofTextIndex index: String) -> TextIndexMerging?
    /// The number of characters from which a text index finds a part itself. Its part list finds shorter parts.
    var leastIndexedPart: Int { get }
    /// Returns queries that together find the keys of the rows that fulfil the search. A key can come several times.
    func keys(of search: TextSearch, in index: TextIndex) -> [SQLText]
    /// Returns the statements that create a trigger, which runs a statement after each change of a kind.
    ///
    /// `NEW` and `OLD` are the changed row.
    func createTrigger(_ name: String, after event: String, on table: String, _ statement: String) -> TriggerDefinition
    func dropTrigger(_ name: String) -> String

    // MARK: Other statements

    /// Returns the statement that inserts a row and replaces one with the same key.
    func replacement(into table: String, _ columns: [String], key: String) -> String
    /// The beginning of a statement that inserts one row into the table of a model.
    var rowInsertion: String { get }
    /// The beginning of a statement that updates one row of the table of a model.
    var rowUpdate: String { get }
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

/// A text index of a table. All names are quoted.
package struct TextIndex: Sendable {
    let name: String
    /// The list of the parts of the indexed texts.
    let parts: String
    let table: String
    /// The column with the numbers of the table's rows.
    let key: String
    let columns: [String]
}

/// A part of a statement with the values of its parameters.
package struct SQLText: Sendable {
    let text: String
    let values: [FieldValue]

    init(_ text: String, _ values: [FieldValue]) {
        self.text = text
        self.values = values
    }
}

/// The definition of a trigger.
package struct TriggerDefinition: Sendable, Hashable {
    let statements: [String]
    /// The text with which ``Connection/triggers()`` describes the trigger.
    let description: String
}

/// The key by which a table stores its rows.
package enum TableLayout: Sendable {
    /// A table that stores rows by a number of their own, in ``SQLDialect/rowNumber``.
    case numbered
    /// A table like a numbered one whose rows are not found by their numbers.
    case unnumbered
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
