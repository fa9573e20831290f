import AviaryDomain
import Foundation

extension ChangeApplication {
    /// Links two records. An existing link remains, and the history does not record it.
    mutating func link(_ side: LinkSide, _ id: UUID, _ target: UUID) throws {
        let link = side.link(id.canonicalText, target.canonicalText)
        guard try !side.table.contains(link, in: connection) else { return }
        try side.table.add(link, in: connection)
        try changed(link, .link, of: side.table)
    }

    mutating func unlink(_ side: LinkSide, _ id: UUID, _ target: UUID) throws {
        let link = side.link(id.canonicalText, target.canonicalText)
        guard try side.table.contains(link, in: connection) else { return }
        try side.table.remove(link, in: connection)
        try changed(link, .unlink, of: side.table)
    }

    private mutating func changed(_ link: Link, _ kind: RecordChange.Kind, of table: LinkTable) throws {
        counts.touch(link, of: table, tables)
        try history.changed(link, kind, of: table, tables)
    }
}

extension RelatedCountCheck {
    mutating func touch(_ link: Link, of table: LinkTable, _ tables: ModelTables) {
        for (side, id) in tables.ends(of: link, in: table) { touch(id, side.count) }
    }
}

extension ModelTables {
    /// The link's two records, each with its side; one when both are the same.
    func ends(of link: Link, in table: LinkTable) -> [(side: LinkSide, id: String)] {
        let relation = table.relation
        var ends: [(side: LinkSide, id: String)] = []
        if let side = linkSide(relation.source.property, of: relation.source.model) { ends.append((side, link.source)) }
        if relation.isSymmetric, link.source == link.target { return ends }
        if let side = linkSide(relation.target.property, of: relation.target.model) { ends.append((side, link.target)) }
        return ends
    }
}
