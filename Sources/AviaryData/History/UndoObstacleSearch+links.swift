import AviaryDomain
import Foundation

extension UndoObstacleSearch {
    /// The effect of the whole commit on one link, however many steps it took.
    private struct NetLink {
        let first: LinkChange
        var last: LinkChange

        var existedBefore: Bool { !first.isThereAfter }
        var existsAfter: Bool { last.isThereAfter }
    }

    private struct LinkKey: Hashable {
        let relation: String
        let link: Link
    }

    func linkObstacles() throws -> [UndoObstacle] {
        let links = netLinks()
        var obstacles: [UndoObstacle] = []
        for net in links.values where net.existedBefore != net.existsAfter {
            if let obstacle = try newerState(net) ?? missingEnd(net) { obstacles.append(obstacle) }
        }
        for record in net.values where !record.existedBefore && record.existsAfter {
            for side in tables[record.key.model]?.links ?? [] {
                if let obstacle = try otherLinks(of: record.key, by: side, links) { obstacles.append(obstacle) }
            }
        }
        return obstacles
    }

    private func netLinks() -> [LinkKey: NetLink] {
        var links: [LinkKey: NetLink] = [:]
        for change in changes {
            guard let change = LinkChange(change, tables: tables) else { continue }
            let key = LinkKey(relation: change.side.table.relation.name, link: change.link)
            links[key, default: NetLink(first: change, last: change)].last = change
        }
        return links
    }

    /// The link is not as the commit left it, or was meanwhile not so.
    private func newerState(_ net: NetLink) throws -> UndoObstacle? {
        let change = net.last
        let key = RecordKey(model: change.side.end.own.model, id: change.record)
        let commit = try laterChanges(of: key).first { later in
            LinkChange(later, tables: tables).map { $0.link == change.link && $0.side.table === change.side.table }
                ?? false
        }?.commit
        let isThere = try change.side.table.contains(change.link, in: connection)
        guard commit != nil || isThere != net.existsAfter else { return nil }
        return .changedSince(model: key.model, id: key.id, property: change.side.end.own.property, commit: commit)
    }

    /// A record that the link would lead to is gone, and does not come back with this.
    private func missingEnd(_ net: NetLink) throws -> UndoObstacle? {
        guard net.existedBefore else { return nil }
        let change = net.last, end = change.side.end
        for key in [
            RecordKey(model: end.own.model, id: change.record), RecordKey(model: end.other.model, id: change.other),
        ] {
            guard self.net[key]?.existedBefore != true, let table = tables[key.model] else { continue }
            let isThere = try connection.firstRow(table.find, [.text(key.id.canonicalText)]) { _ in true } ?? false
            if !isThere {
                return .missingReference(model: end.own.model, id: change.record, property: end.own.property)
            }
        }
        return nil
    }

    /// Links of a record that goes, but for those that this commit made.
    private func otherLinks(
        of key: RecordKey, by side: LinkSide, _ links: [LinkKey: NetLink]
    ) throws -> UndoObstacle? {
        let sql = "SELECT source, target FROM \(side.table.name) WHERE \(side.own) = ? LIMIT ?"
        let limit = FieldValue.integer(Int64(changes.count + Self.laterLimit))
        let others = try connection.rows(sql, [.text(key.id.canonicalText), limit]) { $0.link(0) }.count { link in
            links[LinkKey(relation: side.table.relation.name, link: side.table.canonical(link))]?.existsAfter != true
        }
        return others == 0 ? nil : .referenced(model: key.model, by: side.end.other.model, count: others)
    }
}
