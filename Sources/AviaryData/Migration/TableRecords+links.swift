import AviaryDomain
import Foundation

extension TableRecords {
    func links(of id: UUID, _ relation: RelationName) throws -> [UUID] {
        let side = try side(relation)
        let sql = "SELECT \(side.other) FROM \(side.table.name) WHERE \(side.own) = ? ORDER BY \(side.other)"
        return try connection.rows(sql, [.text(id.canonicalText)]) { $0.text(0) ?? "" }.compactMap(
            UUID.init(canonicalText:))
    }

    /// Enumerates the links by both ids, so that changes during the enumeration hide no link and show none twice.
    func enumerateLinks(_ relation: RelationName, _ body: (UUID, UUID) throws -> Void) throws {
        let side = try side(relation)
        let (own, other) = (side.own, side.other)
        let once = side.table.relation.isSymmetric ? " AND \(own) <= \(other)" : ""
        let next =
            "SELECT \(own), \(other) FROM \(side.table.name) WHERE (\(own), \(other)) > (?, ?)\(once) "
            + "ORDER BY \(own), \(other) LIMIT \(Self.batchSize)"
        var last = ("", "")
        while true {
            let rows = try connection.rows(next, [.text(last.0), .text(last.1)]) {
                ($0.text(0) ?? "", $0.text(1) ?? "")
            }
            guard let final = rows.last else { return }
            for row in rows {
                guard let id = UUID(canonicalText: row.0), let other = UUID(canonicalText: row.1) else { continue }
                try body(id, other)
            }
            last = final
        }
    }

    func link(_ id: UUID, _ other: UUID, _ relation: RelationName) throws {
        let side = try side(relation)
        for (id, model) in [(id, side.end.own.model), (other, side.end.other.model)] {
            guard try table(model).record(id.canonicalText, in: connection) != nil else {
                throw MigrationError.notFound(model: model, id: id)
            }
        }
        let link = side.link(id.canonicalText, other.canonicalText)
        if try !side.table.contains(link, in: connection) { try side.table.add(link, in: connection) }
    }

    func unlink(_ id: UUID, _ other: UUID, _ relation: RelationName) throws {
        let side = try side(relation)
        try side.table.remove(side.link(id.canonicalText, other.canonicalText), in: connection)
    }

    /// All that a record has.
    func endLinks(of id: UUID, in table: ModelTable) throws {
        for side in table.links {
            let columns = side.table.relation.isSymmetric ? [side.own, side.other] : [side.own]
            for column in columns {
                try connection.run("DELETE FROM \(side.table.name) WHERE \(column) = ?", [.text(id.canonicalText)])
            }
        }
    }

    private func side(_ relation: RelationName) throws(MigrationError) -> LinkSide {
        guard let side = tables.linkSide(relation.property, of: relation.model) else {
            throw .unknownRelation(relation.description)
        }
        return side
    }
}
