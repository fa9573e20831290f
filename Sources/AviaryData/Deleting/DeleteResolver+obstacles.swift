import AviaryDomain
import Foundation

// The store finds these when it does the delete, the numbers of related records at the end of the change set. Whoever is asked
// beforehand wants to know them then.
extension DeleteResolver {
    /// The number of records that an obstacle names. The others are only counted.
    private static let mostNamed = 3

    func plan(_ roots: [DeleteRoot]) throws -> DeletePlan {
        let resolution = try resolve(roots)
        let plan = resolution.plan
        return DeletePlan(
            requested: plan.requested, cascades: plan.cascades, nullifies: plan.nullifies, unlinks: plan.unlinks,
            obstacles: try referrers(inTheWayOf: resolution) + wrongCounts(after: resolution)
        )
    }

    /// Returns the referring records that prevent the delete, also those that are checked again at the end of a change
    /// set, because no change follows here.
    private func referrers(inTheWayOf resolution: DeleteResolution) throws -> [DeleteObstacle] {
        var rows: [String: Set<Int64>] = [:]
        for referrers in resolution.denials + resolution.unresolved {
            rows[referrers.key.model, default: []].formUnion(referrers.rows)
        }
        var linked: [String: Set<String>] = [:]
        for links in resolution.deniedLinks + resolution.unresolvedLinks {
            linked[links.side.end.other.model, default: []].formUnion(links.pairs.map(links.side.otherID))
        }
        return try Set(rows.keys).union(linked.keys).sorted().map { model in
            let (rows, linked) = (rows[model] ?? [], linked[model] ?? [])
            // One that both refers and is linked is one record: who it is tells its id alone.
            let referring = try ids(of: rows.sorted().prefix(linked.isEmpty ? Self.mostNamed : rows.count), in: model)
            let others = linked.subtracting(referring)
            return .referrers(
                model: model, count: rows.count + others.count,
                first: (referring + others.sorted()).prefix(Self.mostNamed).compactMap { UUID(canonicalText: $0) }
            )
        }
    }

    private func ids(of rows: ArraySlice<Int64>, in model: String) throws -> [String] {
        guard let table = tables[model] else { return [] }
        let sql = "SELECT id FROM \(table.name) WHERE \(connection.dialect.rowNumber) = ?"
        return try rows.compactMap { row in try connection.firstRow(sql, [.integer(row)]) { $0.text(0) ?? "" } }
    }

    /// Returns the remaining records that would have too few related records, or already have too many.
    private func wrongCounts(after resolution: DeleteResolution) throws -> [DeleteObstacle] {
        var going: [String: Set<Int64>] = [:]
        for rows in resolution.deletions { going[rows.table.model.name, default: []].formUnion(rows.rows) }
        var lost: [ObjectIdentifier: (count: RelatedCount, records: [String: Int])] = [:]
        func add(_ statement: String, of rows: DeleteResolution.Rows, to count: RelatedCount) throws {
            let gone = going[count.model] ?? []
            try RowList(rows.rows).forEachList(connection.dialect) { list in
                let found = try connection.rows(statement, [list]) {
                    (row: $0.integer(0), id: $0.text(1) ?? "", count: Int($0.integer(2)))
                }
                for other in found where !gone.contains(other.row) {
                    lost[ObjectIdentifier(count), default: (count, [:])].records[other.id, default: 0] += other.count
                }
            }
        }
        for rows in resolution.deletions {
            for reference in rows.table.references {
                guard let count = reference.inverse, let target = tables[reference.target] else { continue }
                try add(lostReferences(reference, of: rows.table, to: target), of: rows, to: count)
            }
            for side in rows.table.links where !side.forbidsDelete {
                guard let other = tables[side.end.other.model],
                    let count = other.links.first(where: { $0.isOpposite(to: side) })?.count
                else { continue }
                try add(lostLinks(side, of: rows.table, to: other), of: rows, to: count)
            }
        }
        var obstacles: [DeleteObstacle] = []
        for (count, records) in lost.values.sorted(by: {
            ($0.count.model, $0.count.property) < ($1.count.model, $1.count.property)
        }) {
            let wrong = try records.filter { id, lost in
                try !count.allowed.contains(count.current(of: id, in: connection) - lost)
            }
            guard !wrong.isEmpty else { continue }
            let first = wrong.keys.sorted().prefix(Self.mostNamed).compactMap { UUID(canonicalText: $0) }
            obstacles.append(
                .relatedCount(
                    model: count.model, property: count.property, count: wrong.count, allowed: count.allowed,
                    first: first
                ))
        }
        return obstacles
    }

    private func lostReferences(_ reference: ReferenceColumn, of table: ModelTable, to target: ModelTable) -> String {
        let dialect = connection.dialect, row = dialect.rowNumber, join = dialect.orderedJoin
        return """
            SELECT other.\(row), other.id, count(*) FROM \(dialect.list) \(join) \(table.name) AS own ON own.\(row) = list.value \
            \(join) \(target.name) AS other ON other.id = own.\(reference.column) GROUP BY other.id
            """
    }

    private func lostLinks(_ side: LinkSide, of table: ModelTable, to other: ModelTable) -> String {
        let dialect = connection.dialect, row = dialect.rowNumber, join = dialect.orderedJoin
        return """
            SELECT other.\(row), other.id, count(*) FROM \(dialect.list) \(join) \(table.name) AS own ON own.\(row) = list.value \
            \(join) \(side.table.name) AS link ON link.\(side.own) = own.id \
            \(join) \(other.name) AS other ON other.id = link.\(side.other) GROUP BY other.id
            """
    }
}

extension LinkSide {
    /// A symmetric relation is its own other side.
    fileprivate func isOpposite(to side: LinkSide) -> Bool {
        table === side.table && (own == side.other || table.relation.isSymmetric)
    }

    /// The record at the other end.
    fileprivate func otherID(_ link: Link) -> String { end.isInverse ? link.source : link.target }
}
