import AviaryDomain

/// The search table of a model, `aviary_search.Animal`, with a row of folded texts for each record, and its text
/// index.
///
/// The rows have keys of their own, because the row numbers of the model's table do not survive a VACUUM. Removing
/// a row from the index requires the texts that were added. The table stores both.
final class SearchTable: Sendable {
    static let namePrefix = "aviary_search."
    static let indexSuffix = ".words"
    static let key = "number"

    let model: ModelSchema
    let properties: [String]
    let dialect: any SQLDialect
    /// The quoted name.
    let name: String
    let index: String
    private let columns: [String]

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
        index = dialect.name(Self.tableName(of: model.name) + Self.indexSuffix)
        columns = properties.map(dialect.name)
    }

    // No Swift identifier contains a dot.
    static func tableName(of model: String) -> String { namePrefix + model }

    /// The statements that create the table and its index and fill them from the model's table.
    var creation: [String] { tableCreation + filling + triggers.map(\.creation) }

    private var tableCreation: [String] {
        let definitions = [
            ColumnDefinition(Self.key, .integer, "PRIMARY KEY NOT NULL"),
            ColumnDefinition("id", .text, "NOT NULL UNIQUE"),
        ]
        return [
            dialect.createTable(name, definitions + columns.map { ColumnDefinition($0, .text) }, .numbered),
            dialect.createTextIndex(index, over: name, key: Self.key, columns),
        ]
    }

    private var filling: [String] { [copy(), dialect.rebuildTextIndex(index)] }

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
            dialect.removeFromTextIndex(index, from: name, key: Self.key, columns) + changed,
            "DELETE FROM \(name)\(changed)",
            copy(changed),
            dialect.addToTextIndex(index, from: name, key: Self.key, columns) + changed,
        ]
    }

    /// The model's table itself: the index contains masked rows, too. See ``RowMask``.
    private var stored: String { dialect.stored(dialect.name(model.name)) }

    private func copy(_ condition: String = "") -> String {
        "INSERT INTO \(name) (id, \(columns.joined(separator: ", "))) "
            + "SELECT id, \(columns.map(dialect.folded).joined(separator: ", ")) FROM \(stored)\(condition)"
    }

    /// Returns a query for the ids of the records whose property contains the part. It has one parameter.
    static func matches(_ model: String, _ dialect: any SQLDialect) -> String {
        let table = tableName(of: model)
        return "SELECT id FROM \(dialect.name(table)) WHERE \(key) IN "
            + "(\(dialect.textMatches(in: dialect.name(table + indexSuffix))))"
    }

    /// The required names of the table's columns.
    var columnNames: [String] { [Self.key, "id"] + properties }
}

/// A property with a text index.
struct SearchColumn: Sendable, Hashable {
    let model: String
    let property: String

    /// Returns the search columns of the file.
    static func all(in connection: any Connection) throws -> Set<SearchColumn> {
        var columns: Set<SearchColumn> = []
        for table in try connection.tableNames() where SearchIndexes.isSearchTable(table) {
            let model = String(table.dropFirst(SearchTable.namePrefix.count))
            for property in try connection.columnNames(ofTable: table).dropFirst(2) {
                columns.insert(SearchColumn(model: model, property: property))
            }
        }
        return columns
    }
}

/// A trigger that notes changed records.
struct SearchTrigger: Sendable {
    let name: String
    let creation: String

    init(_ event: String, of table: SearchTable) {
        let dialect = table.dialect
        let kind = event.prefix { $0 != " " }
        name = SearchTable.tableName(of: table.model.name) + "." + kind.lowercased()
        let row = kind == "DELETE" ? "OLD" : "NEW"
        creation = dialect.createTrigger(
            dialect.name(name), after: event, on: dialect.name(table.model.name),
            "INSERT INTO \(SearchNotes.table) (model, id) VALUES (\(dialect.literal(.text(table.model.name))), \(row).id)"
        )
    }
}

/// The table `aviary_search` of the records that the open transaction has changed. It is empty between
/// transactions.
enum SearchNotes {
    static let table = "aviary_search"

    static func creation(_ dialect: any SQLDialect) -> String {
        dialect.createTable(
            table, [ColumnDefinition("model", .text, "NOT NULL"), ColumnDefinition("id", .text, "NOT NULL")], .numbered)
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
        let columns = properties.map(dialect.name)
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
            "SELECT id, \(columns.map(dialect.folded).joined(separator: ", ")) FROM \(stored) "
                + "WHERE id > ? AND id <= ?", end)
        let kept = try rows(
            "SELECT id, \(columns.joined(separator: ", ")) FROM \(name) WHERE id > ? AND id <= ?", end)
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
