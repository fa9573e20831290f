import AviaryDomain
import Foundation

/// Follows the delete rules from the records asked for, breadth first, to any depth; only reads.
///
/// Serves the store, which then does it, and the readers, which show it beforehand.
struct DeleteResolver {
    let tables: ModelTables
    let connection: any Connection

    func resolve(_ roots: [DeleteRoot]) throws -> DeleteResolution {
        var resolution = DeleteResolution()
        // A row is followed once, which ends cycles.
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
                    let found = try self.referrers(by: key, of: rows, in: holder)
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
                    let found = try self.links(side, of: rows)
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

    /// Sorts the referring records. Only those that remain are affected, and these are known at the end.
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
        by key: ForeignKey, of target: DeleteResolution.Rows, in holder: ModelTable
    ) throws -> [Int64] {
        let dialect = connection.dialect
        let row = dialect.rowNumber, join = dialect.orderedJoin
        // From the list over the ids to the index on the reference.
        let sql = """
            SELECT holder.\(row) FROM \(dialect.list) \(join) \(target.table.name) AS target ON target.\(row) = list.value \
            \(join) \(holder.name) AS holder ON holder.\(dialect.name(key.property)) = target.id
            """
        var found: [Int64] = []
        try RowList(target.rows).forEachList(dialect) { list in
            found += try connection.rows(sql, [list]) { $0.integer(0) }
        }
        return found
    }
}
