import AviaryDomain
import Foundation

/// The table of a many-to-many relation, such as `aviary_link.Book.authors`, with a row for each link.
///
/// A symmetric relation has a row for each direction, so that all relations are read in the same way.
final class LinkTable: Sendable {
    static let namePrefix = "aviary_link."

    let relation: LinkRelation
    let dialect: any SQLDialect
    /// The name of the table in the engine, without quotes.
    let tableName: String
    /// The quoted name, for statements that read.
    let name: String
    /// The name of the table itself, for statements that write. See ``RowMask``.
    let stored: String
    private let insert: Query
    private let find: Query
    private let removal: Query

    init(_ relation: LinkRelation, _ dialect: any SQLDialect) {
        self.relation = relation
        self.dialect = dialect
        // No Swift identifier contains a dot, so no model has this name, and no two relations have the same one.
        tableName = Self.namePrefix + relation.name
        let name = dialect.name(tableName)
        self.name = name
        let stored = dialect.stored(name)
        self.stored = stored
        insert = Query("INSERT INTO \(stored) (source, target) VALUES (?, ?)")
        find = Query("SELECT 1 FROM \(name) WHERE source = ? AND target = ?")
        removal = Query("DELETE FROM \(stored) WHERE source = ? AND target = ?")
    }

    /// The statements that create the table, with an index from the other side.
    var creation: [String] { [createTable(named: name), createIndex] }

    /// Returns the statement that creates the table. Its foreign keys are only a safety net: the delete rules are
    /// resolved before the commit.
    func createTable(named creationName: String) -> String {
        let columns = [("source", relation.source.model), ("target", relation.target.model)].map { column, model in
            ColumnDefinition(column, .text, "NOT NULL \(dialect.reference(to: dialect.name(model)))")
        }
        return dialect.createTable(creationName, columns, .keyedBy(["source", "target"]))
    }

    var createIndex: String { "CREATE INDEX \(dialect.name(tableName + ".target")) ON \(name) (target, source)" }

    func contains(_ link: LinkRow, in connection: any Connection) throws -> Bool {
        try connection.firstRow(find, link.values) { _ in true } ?? false
    }

    /// Adds a link, which must not exist.
    func add(_ link: LinkRow, in connection: any Connection) throws(EngineError) {
        for row in rows(of: link) { try connection.run(insert, row.values) }
    }

    func remove(_ link: LinkRow, in connection: any Connection) throws(EngineError) {
        for row in rows(of: link) { try connection.run(removal, row.values) }
    }

    /// Returns the rows of a link.
    func rows(of link: LinkRow) -> [LinkRow] {
        relation.isSymmetric && link.source != link.target ? [link, link.reversed] : [link]
    }

    /// Returns the representative of a link and its reverse in a symmetric relation.
    func canonical(_ link: LinkRow) -> LinkRow {
        relation.isSymmetric && link.target < link.source ? link.reversed : link
    }
}

/// A link by the ids of its records, as stored in the file.
struct LinkRow: Hashable, Sendable {
    let source: String
    let target: String

    var reversed: LinkRow { LinkRow(source: target, target: source) }
    var values: [FieldValue] { [.text(source), .text(target)] }
}

/// A link table as seen from one of its two sides.
struct LinkSide: Sendable {
    let table: LinkTable
    let end: LinkEnd
    /// The bounds of the side's property; nil if it has none.
    let count: RelatedCount?

    init(_ table: LinkTable, isInverse: Bool) {
        self.table = table
        end = LinkEnd(table.relation, isInverse: isInverse)
        count = RelatedCount(end, in: table)
    }

    /// The column with the ids of this side.
    var own: String { end.ownColumn }
    /// The column with the ids of the other side.
    var other: String { end.opposite.ownColumn }

    func link(_ id: String, _ other: String) -> LinkRow {
        table.canonical(end.isInverse ? LinkRow(source: other, target: id) : LinkRow(source: id, target: other))
    }
}

extension LinkEnd {
    fileprivate var ownColumn: String { isInverse ? "target" : "source" }
}

extension RelatedCount {
    fileprivate convenience init?(_ end: LinkEnd, in table: LinkTable) {
        self.init(
            model: end.own.model, property: end.own.property, allowed: end.own.count, table: table.name,
            column: end.ownColumn
        )
    }
}

// In a file of a program that did not list relations in the recorded schema, the link tables describe them: their
// names, and the tables that they refer to.
extension LinkTable {
    /// Returns the relation of a link table from its name; nil for another table.
    static func relation(ofTable table: String) -> (model: String, property: String, name: String)? {
        guard table.hasPrefix(namePrefix) else { return nil }
        let name = table.dropFirst(namePrefix.count)
        guard let dot = name.firstIndex(of: ".") else { return nil }
        return (String(name[..<dot]), String(name[name.index(after: dot)...]), String(name))
    }

    static func summary(
        of relation: (model: String, property: String, name: String), in connection: any Connection
    ) throws -> SchemaSummary.Relation {
        let table = namePrefix + relation.name
        let target = try connection.references(ofTable: table)["target"] ?? relation.model
        return SchemaSummary.Relation(
            model: relation.model, property: relation.property, target: target,
            isSymmetric: target == relation.model ? try maybeSymmetric(table, in: connection) : false
        )
    }

    /// Returns false if a link exists in one direction only; nil if each link exists in both, which may be by
    /// chance.
    private static func maybeSymmetric(_ table: String, in connection: any Connection) throws -> Bool? {
        let name = connection.dialect.name(table)
        let sql =
            "SELECT 1 FROM \(name) AS one WHERE NOT EXISTS "
            + "(SELECT 1 FROM \(name) AS other WHERE other.source = one.target AND other.target = one.source) LIMIT 1"
        return try connection.firstRow(sql) { _ in false }
    }

    /// Returns the number of links of the relation in a file.
    static func count(_ relation: SchemaSummary.Relation, in connection: any Connection) throws -> Int {
        let condition = relation.isSymmetric == true ? " WHERE source <= target" : ""
        let sql = "SELECT count(*) FROM \(connection.dialect.name(namePrefix + relation.name))\(condition)"
        return try connection.firstRow(sql) { Int($0.integer(0)) } ?? 0
    }
}
