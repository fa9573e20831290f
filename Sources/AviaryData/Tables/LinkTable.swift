import AviaryDomain

/// The table of a many-to-many relation, `aviary_link.Book.authors`: a row for each link.
///
/// A symmetric relation has a row for each direction, so that all relations are read in the same way.
final class LinkTable: Sendable {
    static let namePrefix = "aviary_link."

    let relation: LinkRelation
    let dialect: any SQLDialect
    /// The name of the table in the engine, without quotes.
    let tableName: String
    /// Quoted.
    let name: String
    private let insert: Query
    private let find: Query
    private let removal: Query

    init(_ relation: LinkRelation, _ dialect: any SQLDialect) {
        self.relation = relation
        self.dialect = dialect
        // A dot is in no Swift identifier: no model has this name, and no two relations share one.
        tableName = Self.namePrefix + relation.name
        let name = dialect.name(tableName)
        self.name = name
        insert = Query("INSERT INTO \(name) (source, target) VALUES (?, ?)")
        find = Query("SELECT 1 FROM \(name) WHERE source = ? AND target = ?")
        removal = Query("DELETE FROM \(name) WHERE source = ? AND target = ?")
    }

    /// The statements that create it, with an index from the other side.
    var creation: [String] { [createTable(named: name), createIndex] }

    /// The keys are a net only: the delete rules are resolved before the commit.
    func createTable(named creationName: String) -> String {
        let columns = [("source", relation.source.model), ("target", relation.target.model)].map { column, model in
            ColumnDefinition(column, .text, "NOT NULL REFERENCES \(dialect.name(model))(id) \(dialect.deferred)")
        }
        return dialect.createTable(creationName, columns, .keyedBy(["source", "target"]))
    }

    var createIndex: String { "CREATE INDEX \(dialect.name(tableName + ".target")) ON \(name) (target, source)" }

    func contains(_ link: Link, in connection: any Connection) throws -> Bool {
        try connection.firstRow(find, link.values) { _ in true } ?? false
    }

    /// The link must not be there.
    func add(_ link: Link, in connection: any Connection) throws(EngineError) {
        for row in rows(of: link) { try connection.run(insert, row.values) }
    }

    func remove(_ link: Link, in connection: any Connection) throws(EngineError) {
        for row in rows(of: link) { try connection.run(removal, row.values) }
    }

    /// - Returns: The rows that keep the link.
    func rows(of link: Link) -> [Link] {
        relation.isSymmetric && link.source != link.target ? [link, link.reversed] : [link]
    }

    /// The one of two links that says the same that stands for both.
    func canonical(_ link: Link) -> Link {
        relation.isSymmetric && link.target < link.source ? link.reversed : link
    }
}

/// A link by the ids of its records, as the file has them.
struct Link: Hashable, Sendable {
    let source: String
    let target: String

    var reversed: Link { Link(source: target, target: source) }
    var values: [FieldValue] { [.text(source), .text(target)] }
}
