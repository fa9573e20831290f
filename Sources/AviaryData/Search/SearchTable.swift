import AviaryDomain

/// The words of a model's texts: `aviary_search.Animal`, a row for each record with its folded texts, and an index over it.
///
/// The rows have keys of their own. The model's table has none that a tidied file would keep, and what is taken out of the
/// index must be told as it was put in: both stand here.
final class SearchTable: Sendable {
    static let namePrefix = "aviary_search."
    static let indexSuffix = ".words"
    static let key = "number"

    let model: ModelSchema
    let properties: [String]
    let dialect: any SQLDialect
    /// Quoted.
    let name: String
    let index: String
    private let columns: [String]

    /// Nil when none of the model's properties is searched.
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

    // A dot is in no Swift identifier.
    static func tableName(of model: String) -> String { namePrefix + model }

    /// All of it, for a model's table as it stands.
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

    /// What changes is noted, and told to the index once before the commit: inside of savepoints that costs half of the
    /// store's speed.
    var triggers: [SearchTrigger] {
        ["INSERT", "UPDATE OF \(columns.joined(separator: ", "))", "DELETE"].map { event in
            SearchTrigger(event, of: self)
        }
    }

    /// Takes the noted changes over.
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

    private func copy(_ condition: String = "") -> String {
        "INSERT INTO \(name) (id, \(columns.joined(separator: ", "))) "
            + "SELECT id, \(columns.map(dialect.folded).joined(separator: ", ")) FROM \(dialect.name(model.name))\(condition)"
    }

    /// The ids of records in whose property the part stands. It holds one parameter.
    static func matches(_ model: String, _ dialect: any SQLDialect) -> String {
        let table = tableName(of: model)
        return "SELECT id FROM \(dialect.name(table)) WHERE \(key) IN "
            + "(\(dialect.textMatches(in: dialect.name(table + indexSuffix))))"
    }

    /// As the table must be.
    var columnNames: [String] { [Self.key, "id"] + properties }
}
