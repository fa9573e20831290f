import AviaryDomain

/// The search table of a model, `aviary_search.Animal`, with a row of folded texts for each record, its text index, and
/// the list of the index's parts.
///
/// The rows have keys of their own, because the row numbers of the model's table do not survive a VACUUM. Removing
/// a row from the index requires the texts that were added. The table stores both.
final class SearchTable: Sendable {
    static let namePrefix = "aviary_search."
    static let indexSuffix = ".words"
    static let partsSuffix = ".parts"
    static let key = "number"

    let model: ModelSchema
    let properties: [String]
    let dialect: any SQLDialect
    /// The quoted name.
    let name: String
    let index: TextIndex
    let merging: TextIndexMerging?
    /// The quoted columns of the model's table.
    private let columns: [String]
    /// The quoted columns of the search table and its index, in the same order.
    private let textColumns: [String]

    /// Creates the table of a model; nil if no property of the model is searched.
    convenience init?(_ model: ModelSchema, _ dialect: any SQLDialect) {
        let properties = model.searchedProperties.map(\.name)
        guard !properties.isEmpty else { return nil }
        self.init(model, properties, dialect)
    }

    private init(_ model: ModelSchema, _ properties: [String], _ dialect: any SQLDialect) {
        self.model = model
        self.properties = properties
        self.dialect = dialect
        name = dialect.name(Self.tableName(of: model.name))
        columns = properties.map(dialect.name)
        textColumns = properties.map { dialect.name(SearchColumn.columnName(of: $0)) }
        index = Self.index(of: model.name, textColumns, dialect)
        merging = dialect.merging(ofTextIndex: Self.tableName(of: model.name) + Self.indexSuffix)
    }

    private static func index(of model: String, _ columns: [String], _ dialect: any SQLDialect) -> TextIndex {
        let table = tableName(of: model)
        return TextIndex(
            name: dialect.name(table + indexSuffix), parts: dialect.name(table + partsSuffix),
            table: dialect.name(table), key: key, columns: columns)
    }

    // No Swift identifier contains a dot.
    static func tableName(of model: String) -> String { namePrefix + model }

    /// The statements that create the table and its index and fill them from the model's table.
    var creation: [String] {
        // During the filling the engine would merge the same texts several times.
        tableCreation + (merging?.disabling ?? []) + (merging?.filled(filling) ?? filling)
            + triggers.flatMap(\.definition.statements)
    }

    private var tableCreation: [String] {
        let definitions = [
            ColumnDefinition(Self.key, .integer, "PRIMARY KEY NOT NULL"),
            ColumnDefinition("id", .text, "NOT NULL UNIQUE"),
        ]
        return [dialect.createTable(name, definitions + textColumns.map { ColumnDefinition($0, .text) }, .numbered)]
            + dialect.createTextIndex(index)
    }

    private var filling: [String] { [copy(), dialect.rebuildTextIndex(index)].compactMap(\.self) }

    /// The triggers that note changed records.
    ///
    /// The index is updated once before the commit: updates inside savepoints would halve the speed of the store.
    var triggers: [SearchTrigger] {
        ["INSERT", "UPDATE OF \(columns.joined(separator: ", "))", "DELETE"].map { event in
            SearchTrigger(event, of: self)
        }
    }

    /// The statements that apply the noted changes.
    var update: [String] {
        let changed =
            " WHERE id IN (SELECT id FROM \(SearchNotes.table) WHERE model = \(dialect.literal(.text(model.name))))"
        return [
            dialect.removeFromTextIndex(index).map { $0 + changed },
            "DELETE FROM \(name)\(changed)",
            copy(changed),
            dialect.addToTextIndex(index).map { $0 + changed },
        ].compactMap(\.self)
    }

    /// The model's table itself: the index contains masked rows, too. See ``RowMask``.
    private var stored: String { dialect.stored(dialect.name(model.name)) }

    private func copy(_ condition: String = "") -> String {
        "INSERT INTO \(name) (id, \(textColumns.joined(separator: ", "))) "
            + "SELECT id, \(texts) FROM \(stored)\(condition)"
    }

    /// The texts of the model's table as the search table has them.
    private var texts: String {
        columns.map { dialect.indexedText(dialect.folded($0)) }.joined(separator: ", ")
    }

    /// Returns the query for the ids of the records that a search of the model finds.
    static func ids(of search: TextSearch, in model: String, _ dialect: any SQLDialect) -> SQLText {
        let queries = dialect.keys(of: search, in: index(of: model, [], dialect))
        let keys = queries.map(\.text).joined(separator: " UNION ALL ")
        return SQLText(
            "SELECT id FROM \(dialect.name(tableName(of: model))) WHERE \(key) IN (\(keys))", queries.flatMap(\.values))
    }

    /// Returns the statement that counts the records that a search of the model finds, up to a limit.
    ///
    /// The records themselves are not read, and no list of all of them is made. Beside longer parts, the texts of the
    /// search table are compared with short ones.
    static func count(
        of search: TextSearch, in model: String, upTo limit: Int, _ dialect: any SQLDialect
    ) -> SQLText {
        let most = FieldValue.integer(Int64(limit))
        let queries = dialect.keys(of: search, in: index(of: model, [], dialect))
        let parts = queries.map { "SELECT * FROM (SELECT DISTINCT * FROM (\($0.text)) AS one LIMIT ?) AS part" }
        return SQLText(
            "SELECT count(*) FROM (SELECT * FROM (\(parts.joined(separator: " UNION "))) AS found LIMIT ?) AS counted",
            queries.flatMap { $0.values + [most] } + [most])
    }

    /// The required names of the table's columns.
    var columnNames: [String] { [Self.key, "id"] + properties.map(SearchColumn.columnName) }
}

/// A property with a text index.
struct SearchColumn: Sendable, Hashable {
    let model: String
    let property: String

    /// Returns the search columns of the file.
    ///
    /// An index without a list of its parts is from a former version. It does not count, because it cannot find short
    /// parts.
    static func all(in connection: any Connection) throws -> Set<SearchColumn> {
        var columns: Set<SearchColumn> = []
        let tables = Set(try connection.tableNames())
        let hasPartList = connection.dialect.hasPartList
        for table in tables
        where SearchIndexes.isSearchTable(table) && (!hasPartList || tables.contains(table + SearchTable.partsSuffix)) {
            let model = String(table.dropFirst(SearchTable.namePrefix.count))
            for column in try connection.columnNames(ofTable: table).dropFirst(2) {
                columns.insert(SearchColumn(model: model, property: propertyName(ofColumn: column)))
            }
        }
        return columns
    }

    private static let prefix = "aviary_"
    /// The names, in lower case, of the other columns of a search table and of an FTS5 index.
    private static let otherColumns: Set<String> = [SearchTable.key, "id", "rank"]

    /// Returns the name of a property's column in the search table and its index.
    ///
    /// It is the property's name, unless another column has it: the search table has a key, and FTS5 has the column
    /// `rank`, whatever their case. No property has the name of a row's number. The prefix makes the name unique, because no property begins with it.
    /// All other names stay as they are, so that existing files keep their indexes.
    static func columnName(of property: String) -> String {
        otherColumns.contains(property.lowercased()) ? prefix + property : property
    }

    /// Returns the name of the property with this column.
    private static func propertyName(ofColumn column: String) -> String {
        column.hasPrefix(prefix) ? String(column.dropFirst(prefix.count)) : column
    }
}

/// A trigger that notes changed records.
struct SearchTrigger: Sendable {
    /// The number of the form of the search tables. The definition of each trigger contains it, so that a file whose
    /// tables have another form gets new ones, in a newer program and in an older one.
    private static let form = 2

    let name: String
    let definition: TriggerDefinition

    init(_ event: String, of table: SearchTable) {
        let dialect = table.dialect
        let kind = event.prefix { $0 != " " }
        name = SearchTable.tableName(of: table.model.name) + "." + kind.lowercased()
        let row = kind == "DELETE" ? "OLD" : "NEW"
        definition = dialect.createTrigger(
            dialect.name(name), after: event, on: dialect.name(table.model.name),
            "/* form \(Self.form) */ INSERT INTO \(SearchNotes.table) (model, id) "
                + "VALUES (\(dialect.literal(.text(table.model.name))), \(row).id)"
        )
    }
}

/// The table `aviary_search` of the records that the open transaction has changed. It is empty between
/// transactions.
enum SearchNotes {
    static let table = "aviary_search"

    static func creation(_ dialect: any SQLDialect) -> String {
        dialect.createTable(
            table, [ColumnDefinition("model", .text, "NOT NULL"), ColumnDefinition("id", .text, "NOT NULL")],
            .unnumbered)
    }

    private static let models = Query("SELECT DISTINCT model FROM \(table)")
    private static let removal = Query("DELETE FROM \(table)")

    static func changedModels(in connection: any Connection) throws -> [String] {
        try connection.rows(models) { $0.text(0) ?? "" }
    }

    static func clear(in connection: any Connection) throws(EngineError) {
        try connection.run(removal)
    }
}

extension SearchTable {
    /// Compares the indexed texts of a slice of records with the stored ones, and checks that the index contains
    /// them.
    ///
    /// - Returns: The problems, and the id of the last record of the slice; nil after the last record.
    func problems(after id: String, atMost limit: Int, in connection: any Connection) throws -> (
        [DataProblem], last: String?
    ) {
        let tables = Set(try connection.tableNames()), plain = Self.tableName(of: model.name)
        guard tables.contains(model.name) else { return ([], nil) }
        guard tables.contains(plain) else {
            return ([.derived("The text index of \(model.name) is not there.")], nil)
        }
        func rows(_ sql: String, _ end: String?) throws -> [String: [FieldValue]] {
            let found = try connection.rows(sql, [.text(id), end.map(FieldValue.text) ?? .text(Self.lastID)]) { row in
                (row.text(0) ?? "", row.values(1..<columns.count + 1))
            }
            return Dictionary(found, uniquingKeysWith: { first, _ in first })
        }
        let ids = try connection.rows(
            "SELECT id FROM \(stored) WHERE id > ? ORDER BY id LIMIT ?",
            [.text(id), .integer(Int64(limit))]
        ) { $0.text(0) ?? "" }
        // After the last record the search table must have no row.
        let end = ids.count < limit ? nil : ids.last
        let wanted = try rows(
            "SELECT id, \(texts) FROM \(stored) "
                + "WHERE id > ? AND id <= ?", end)
        let kept = try rows(
            "SELECT id, \(textColumns.joined(separator: ", ")) FROM \(name) WHERE id > ? AND id <= ?", end)
        var problems: [DataProblem] = []
        for (id, values) in wanted where kept[id] != values {
            problems.append(
                .derived("The text index of \(model.name) does not have the texts of \(id) as they are stored."))
        }
        for id in kept.keys where wanted[id] == nil {
            problems.append(.derived("The text index of \(model.name) has texts of \(id), which does not exist."))
        }
        let missing = try connection.firstRow(
            "SELECT count(*) FROM \(name) WHERE id > ? AND id <= ? AND NOT "
                + dialect.isInTextIndex(Self.tableName(of: model.name) + Self.indexSuffix, Self.key),
            [.text(id), .text(end ?? Self.lastID)]
        ) { $0.integer(0) }
        if let missing, missing > 0 {
            problems.append(.derived("The text index of \(model.name) lacks the words of \(missing) records."))
        }
        return (problems, end)
    }

    /// A text that follows every id.
    private static let lastID = "~"
}
