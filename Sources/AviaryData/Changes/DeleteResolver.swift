import AviaryDomain
import Foundation

/// A resolver of delete rules, which follows them from the requested records, breadth first and to any depth.
///
/// The resolver only reads. The store uses it before it deletes, and the readers use it to show a delete
/// beforehand.
struct DeleteResolver {
    let tables: ModelTables
    let connection: any Connection

    /// Resolves the delete of records.
    ///
    /// - Parameter limit: The maximum number of rows that the delete may concern; nil for any number.
    /// - Throws: ``RowLimitError`` if there are more, ``EngineError``.
    func resolve(_ roots: [DeleteRoot], atMost limit: Int? = nil) throws -> DeleteResolution {
        var left = limit ?? .max
        var resolution = DeleteResolution()
        // Each row is followed once, so that cycles end.
        var going: [String: Set<Int64>] = [:]
        var referrers: [DeleteResolution.Referrers] = []
        var links: [LinksOfRows] = []
        var level = try rows(of: roots, going: &going)
        resolution.requested = level.reduce(0) { $0 + $1.rows.count }
        while !level.isEmpty {
            resolution.deletions += level
            var next: [DeleteResolution.Rows] = []
            for rows in level {
                for key in rows.table.foreignKeys {
                    guard let holder = tables[key.model] else { continue }
                    let found = try self.referrers(by: key, of: rows, in: holder, atMost: left)
                    guard found.count <= left else { throw RowLimitError() }
                    left -= found.count
                    guard key.deleteRule == .cascade else {
                        referrers.append(.init(key: key, table: holder, rows: found))
                        continue
                    }
                    let new = found.filter { going[key.model, default: []].insert($0).inserted }
                    guard !new.isEmpty else { continue }
                    next.append(.init(table: holder, rows: new))
                    resolution.cascades[key.model, default: 0] += new.count
                }
                for side in rows.table.links {
                    let found = try self.links(side, of: rows, atMost: left)
                    guard found.others.count <= left else { throw RowLimitError() }
                    left -= found.others.count
                    guard side.end.own.deleteRule == .cascade else {
                        links.append(found)
                        continue
                    }
                    let new = found.others.filter { going[found.model, default: []].insert($0).inserted }
                    guard !new.isEmpty, let other = tables[found.model] else { continue }
                    next.append(.init(table: other, rows: new))
                    resolution.cascades[found.model, default: 0] += new.count
                }
            }
            level = next
        }
        sort(referrers, going: going, into: &resolution)
        sort(links, going: going, into: &resolution)
        return resolution
    }

    /// Sorts the referring records by their delete rules.
    ///
    /// Only the records that remain are affected, and these are known at the end.
    private func sort(
        _ referrers: [DeleteResolution.Referrers], going: [String: Set<Int64>], into resolution: inout DeleteResolution
    ) {
        for candidate in referrers {
            let gone = going[candidate.key.model] ?? []
            let staying = candidate.rows.filter { !gone.contains($0) }
            guard !staying.isEmpty else { continue }
            let affected = DeleteResolution.Referrers(key: candidate.key, table: candidate.table, rows: staying)
            switch candidate.key.deleteRule {
            case .nullify: resolution.nullifications.append(affected)
            case .deny: resolution.denials.append(affected)
            case .noAction: resolution.unresolved.append(affected)
            case .cascade: break
            }
        }
    }

    private func rows(
        of roots: [DeleteRoot], going: inout [String: Set<Int64>]
    ) throws -> [DeleteResolution.Rows] {
        var rows: [String: [Int64]] = [:]
        for root in roots {
            let sql = "SELECT \(connection.dialect.rowNumber) FROM \(root.table.name) WHERE id = ?"
            let row = try connection.firstRow(sql, [.text(root.id.canonicalText)]) { $0.integer(0) }
            guard let row, going[root.table.model.name, default: []].insert(row).inserted else { continue }
            rows[root.table.model.name, default: []].append(row)
        }
        return tables.all.compactMap { table in
            rows[table.model.name].map { DeleteResolution.Rows(table: table, rows: $0) }
        }
    }

    private func referrers(
        by key: ForeignKey, of target: DeleteResolution.Rows, in holder: ModelTable, atMost limit: Int
    ) throws -> [Int64] {
        let dialect = connection.dialect
        let row = dialect.rowNumber, join = dialect.orderedJoin
        // The join order is fixed: from the list to the ids, and from these to the index of the reference.
        let sql = """
            SELECT holder.\(row) FROM \(dialect.list) \(join) \(target.table.name) AS target ON target.\(row) = list.value \
            \(join) \(holder.name) AS holder ON holder.\(dialect.name(key.property)) = target.id LIMIT ?
            """
        var found: [Int64] = []
        try RowNumberList(target.rows).forEachList(dialect) { list in
            guard found.count <= limit else { return }
            found += try connection.rows(sql, [list, .moreThan(limit)]) { $0.integer(0) }
        }
        return found
    }
}

extension DeleteResolver {
    /// The links of the rows to delete, for one side.
    struct LinksOfRows {
        let side: LinkSide
        /// The rows at the other ends.
        let others: [Int64]
        /// The links in the order of ``others``; only for a side that forbids the delete.
        let pairs: [LinkRow]

        var model: String { side.end.other.model }
    }

    func links(_ side: LinkSide, of rows: DeleteResolution.Rows, atMost limit: Int) throws -> LinksOfRows {
        guard let other = tables[side.end.other.model] else { return LinksOfRows(side: side, others: [], pairs: []) }
        let dialect = connection.dialect
        let row = dialect.rowNumber, join = dialect.orderedJoin
        // The join order is fixed: from the list to the ids, then to the index of the side, and to the rows at the
        // other ends.
        let sql = """
            SELECT other.\(row), link.source, link.target FROM \(dialect.list) \
            \(join) \(rows.table.name) AS own ON own.\(row) = list.value \
            \(join) \(side.table.name) AS link ON link.\(side.own) = own.id \
            \(join) \(other.name) AS other ON other.id = link.\(side.other) LIMIT ?
            """
        var others: [Int64] = []
        var pairs: [LinkRow] = []
        try RowNumberList(rows.rows).forEachList(dialect) { list in
            guard others.count <= limit else { return }
            for (row, link) in try connection.rows(
                sql, [list, .moreThan(limit)], read: { ($0.integer(0), side.forbidsDelete ? $0.link(1) : nil) })
            {
                others.append(row)
                if let link { pairs.append(link) }
            }
        }
        return LinksOfRows(side: side, others: others, pairs: pairs)
    }

    /// Sorts the links after it is known which of the records at the other ends remain.
    func sort(_ links: [LinksOfRows], going: [String: Set<Int64>], into resolution: inout DeleteResolution) {
        for links in links {
            let gone = going[links.model] ?? []
            guard links.side.forbidsDelete else {
                let staying = links.others.filter { !gone.contains($0) }
                if !staying.isEmpty { resolution.unlinked[links.model, default: []].formUnion(staying) }
                continue
            }
            let pairs = zip(links.others, links.pairs)
            func add(_ pairs: [LinkRow], to list: inout [DeleteResolution.Links]) {
                if !pairs.isEmpty { list.append(.init(side: links.side, pairs: pairs)) }
            }
            add(pairs.filter { gone.contains($0.0) }.map(\.1), to: &resolution.endedLinks)
            let staying = pairs.filter { !gone.contains($0.0) }.map(\.1)
            if links.side.end.own.deleteRule == .deny {
                add(staying, to: &resolution.deniedLinks)
            } else {
                add(staying, to: &resolution.unresolvedLinks)
            }
        }
    }
}

/// The reason why a delete is not resolved at once: it concerns too many rows.
struct RowLimitError: Error {}

extension FieldValue {
    /// The limit of a query that finds out whether there are more rows than a number.
    fileprivate static func moreThan(_ limit: Int) -> FieldValue { .integer(limit == .max ? .max : Int64(limit) + 1) }
}

extension LinkSide {
    /// Indicates whether links forbid deleting the record of this side.
    var forbidsDelete: Bool {
        switch end.own.deleteRule {
        case .deny, .noAction: true
        case .cascade, .nullify: false
        }
    }
}

extension Row {
    /// Returns the link in two adjacent columns.
    ///
    /// - Parameter column: The index of the source's column.
    func link(_ column: Int) -> LinkRow { LinkRow(source: text(column) ?? "", target: text(column + 1) ?? "") }
}

// The store finds these obstacles when it deletes, and wrong numbers of related records at the end of the change
// set. A plan reports them beforehand.
extension DeleteResolver {
    /// The number of records that an obstacle names. The others are only counted.
    private static let mostNamed = 3

    func plan(_ roots: [DeleteRoot]) throws -> DeletePlan {
        let resolution = try resolve(roots)
        let plan = resolution.plan
        return DeletePlan(
            requested: plan.requested, cascades: plan.cascades, nullifies: plan.nullifies, unlinks: plan.unlinks,
            obstacles: try referrers(inTheWayOf: resolution) + cardinalityViolations(after: resolution)
        )
    }

    /// Returns the referring records that prevent the delete.
    ///
    /// They include those that a change set checks again at its end, because no change follows here.
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
            // A record that both refers and is linked counts once. Only its id identifies it.
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
    private func cardinalityViolations(after resolution: DeleteResolution) throws -> [DeleteObstacle] {
        var going: [String: Set<Int64>] = [:]
        for rows in resolution.deletions { going[rows.table.model.name, default: []].formUnion(rows.rows) }
        var lost: [ObjectIdentifier: (count: RelatedCount, records: [String: Int])] = [:]
        func add(_ statement: String, of rows: DeleteResolution.Rows, to count: RelatedCount) throws {
            let gone = going[count.model] ?? []
            try RowNumberList(rows.rows).forEachList(connection.dialect) { list in
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
            \(join) \(target.name) AS other ON other.id = own.\(reference.column) GROUP BY other.\(row), other.id
            """
    }

    private func lostLinks(_ side: LinkSide, of table: ModelTable, to other: ModelTable) -> String {
        let dialect = connection.dialect, row = dialect.rowNumber, join = dialect.orderedJoin
        return """
            SELECT other.\(row), other.id, count(*) FROM \(dialect.list) \(join) \(table.name) AS own ON own.\(row) = list.value \
            \(join) \(side.table.name) AS link ON link.\(side.own) = own.id \
            \(join) \(other.name) AS other ON other.id = link.\(side.other) GROUP BY other.\(row), other.id
            """
    }
}

extension LinkSide {
    /// Indicates whether this side is the opposite of another. A symmetric relation is its own opposite.
    fileprivate func isOpposite(to side: LinkSide) -> Bool {
        table === side.table && (own == side.other || table.relation.isSymmetric)
    }

    /// Returns the id of the record at the other end.
    fileprivate func otherID(_ link: LinkRow) -> String { end.isInverse ? link.source : link.target }
}
