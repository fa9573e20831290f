import AviaryDomain

// A file that was written before relations were told of by its schema's lines tells of them by its link tables: their names,
// and what they refer to.
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

    /// Returns false when a link exists in one direction only; nil when each link exists in both, which may also be by
    /// chance.
    private static func maybeSymmetric(_ table: String, in connection: any Connection) throws -> Bool? {
        let name = connection.dialect.name(table)
        let sql =
            "SELECT 1 FROM \(name) AS one WHERE NOT EXISTS "
            + "(SELECT 1 FROM \(name) AS other WHERE other.source = one.target AND other.target = one.source) LIMIT 1"
        return try connection.firstRow(sql) { _ in false }
    }

    /// Returns the number of links that a file has of the relation.
    static func count(_ relation: SchemaSummary.Relation, in connection: any Connection) throws -> Int {
        let condition = relation.isSymmetric == true ? " WHERE source <= target" : ""
        let sql = "SELECT count(*) FROM \(connection.dialect.name(namePrefix + relation.name))\(condition)"
        return try connection.firstRow(sql) { Int($0.integer(0)) } ?? 0
    }
}
