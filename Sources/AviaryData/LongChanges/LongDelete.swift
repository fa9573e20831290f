import AviaryDomain
import Foundation

/// The preparation of a delete of many records: it follows the delete rules in steps and notes all rows that they
/// concern.
///
/// A row that is noted keeps all others from changing what was found: nobody can change it or refer to it until the
/// delete is committed or given up. What was found therefore stays complete while others write.
struct LongDelete {
    /// The number of rows whose relations are read together, and that one step reads of a relation.
    private static let rowsTogether = 256
    private static let relatedTogether = 1000

    let tables: ModelTables
    let connection: any WriterConnection
    private(set) var change: LongChange

    init(_ change: LongChange, tables: ModelTables, connection: any WriterConnection) {
        self.change = change
        self.tables = tables
        self.connection = connection
    }

    /// Notes the first of the records to delete.
    ///
    /// - Returns: The records that are left when the time has come.
    /// - Throws: ``StoreError`` if one of the records has another version.
    mutating func list(
        _ roots: ArraySlice<DeleteRoot>, until end: ContinuousClock.Instant
    ) throws -> ArraySlice<DeleteRoot> {
        var rest = roots
        repeat {
            try note(rest.prefix(Self.rowsTogether))
            rest = rest.dropFirst(Self.rowsTogether)
        } while !rest.isEmpty && ContinuousClock.now < end
        return rest
    }

    private mutating func note(_ roots: ArraySlice<DeleteRoot>) throws {
        // A change set may name a record twice.
        var rows: [String: Set<Int64>] = [:]
        for root in roots {
            let sql =
                "SELECT \(connection.dialect.rowNumber), aviary_version FROM \(root.table.stored) WHERE id = ?"
            let found = try connection.firstRow(sql, [.text(root.id.canonicalText)]) { ($0.integer(0), $0.integer(1)) }
            guard let (row, version) = found else { continue }
            if let expected = root.version, expected != version,
                let current = try root.table.record(root.id.canonicalText, in: connection)
            {
                throw StoreError.conflict(model: root.table.model.name, current: current)
            }
            rows[root.table.model.name, default: []].insert(row)
        }
        for (model, rows) in rows.sorted(by: { $0.key < $1.key }) {
            let count = try PendingRowTable.add(rows.sorted(), of: model, .delete, in: connection)
            change.requested[model, default: 0] += count
            change.deleted[model, default: 0] += count
            change.total += count
        }
    }

    /// Performs a part of the phase.
    ///
    /// - Returns: A Boolean value that indicates whether the delete can be committed.
    /// - Throws: ``StoreError`` if a delete rule denies it or it exceeds the limit, ``EngineError``.
    mutating func step(until end: ContinuousClock.Instant) throws -> Bool {
        repeat {
            let pending = try PendingRowTable.rows(after: change.cursor, atMost: Self.rowsTogether, in: connection)
            let rows = Array(pending.prefix { $0.model == pending.first?.model && $0.kind == .delete })
            guard let first = rows.first else {
                if let other = pending.first {
                    // The rows that lose a reference have no rows that depend on them.
                    change.cursor = other.sequence
                    continue
                }
                guard change.phase == .preparing else { return try finish() }
                change.phase = .checking
                change.cursor = 0
                change.place = RelationPlace()
                change.done = 0
                continue
            }
            guard let table = tables[first.model] else {
                throw StoreError.malformed("there is no model \(first.model).")
            }
            let relations = Relation.all(of: table, tables).filter {
                $0.concernsRecords && ($0.rule == .cascade) == (change.phase == .preparing)
            }
            if try follow(rows, of: table, relations) { continue }
            try follow(first, of: table, relations, until: end)
        } while ContinuousClock.now < end
        return false
    }

    /// Follows the relations of several rows at once.
    ///
    /// - Returns: False, with nothing noted, if the first of them has too many related rows.
    private mutating func follow(_ rows: [PendingRow], of table: ModelTable, _ relations: [Relation]) throws -> Bool {
        var count = rows.count
        while count > 0 {
            let part = rows.prefix(count)
            guard change.place.relation == 0, change.place.row == 0, change.place.id.isEmpty else { return false }
            let list = RowNumberList(part.map(\.row)), limit = Self.relatedTogether
            var found: [(Relation, [Int64])] = []
            for relation in relations {
                var related: [Int64] = []
                try list.forEachList(connection.dialect) { value in
                    related += try connection.rows(
                        relation.ofList(table, connection.dialect), [value, .integer(Int64(limit) + 1)]
                    ) { $0.integer(0) }
                }
                found.append((relation, related))
                if related.count > limit { break }
            }
            if found.contains(where: { $0.1.count > limit }) {
                if count == 1 { return false }
                count = max(1, count / 8)
                continue
            }
            for (relation, related) in found { try note(related, by: relation) }
            if change.phase == .checking { try countEntries(of: list, in: table) }
            change.cursor = part.last?.sequence ?? change.cursor
            change.done += part.count
            return true
        }
        return false
    }

    /// Follows the relations of a row with many related rows, in parts.
    private mutating func follow(
        _ row: PendingRow, of table: ModelTable, _ relations: [Relation], until end: ContinuousClock.Instant
    ) throws {
        let id = try connection.firstRow(
            "SELECT id FROM \(table.stored) WHERE \(connection.dialect.rowNumber) = ?", [.integer(row.row)]
        ) { $0.text(0) ?? "" }
        let limit = Self.relatedTogether
        while let id, change.place.relation < relations.count {
            let relation = relations[change.place.relation]
            let related = try relation.rows(of: id, after: change.place, atMost: limit, in: connection)
            try note(related.map(\.row), by: relation)
            if related.count < limit {
                change.place = RelationPlace(relation: change.place.relation + 1)
            } else if let last = related.last {
                (change.place.row, change.place.id) = (last.row, last.id)
            }
            guard ContinuousClock.now < end else { return }
        }
        if change.phase == .checking { try countEntries(of: RowNumberList([row.row]), in: table) }
        change.cursor = row.sequence
        change.place = RelationPlace()
        change.done += 1
    }

    private mutating func note(_ related: [Int64], by relation: Relation) throws {
        guard !related.isEmpty else { return }
        let rows = Array(Set(related)).sorted()
        switch relation.rule {
        case .cascade:
            let count = try PendingRowTable.add(rows, of: relation.holder.model.name, .delete, in: connection)
            change.deleted[relation.holder.model.name, default: 0] += count
            change.total += count
        case .nullify:
            // A row that is deleted itself is pending already.
            let count = try PendingRowTable.add(rows, of: relation.holder.model.name, .nullify, in: connection)
            guard count > 0, case .reference(let key) = relation.kind else { return }
            change.nullified[relation.holder.model.name, default: 0] += count
            change.references.insert(
                RowMask.Reference(model: key.model, property: key.property, target: key.target))
        case .deny, .noAction:
            let deleted = try PendingRowTable.count(
                of: relation.holder.model.name, among: rows, .delete, in: connection)
            if deleted < rows.count { throw relation.denial(count: rows.count - deleted) }
        }
    }

    /// Counts the history entries of the links that end with the rows: one for each of the two records.
    private mutating func countEntries(of list: RowNumberList, in table: ModelTable) throws {
        for side in table.links {
            let sql =
                "SELECT count(*) FROM \(connection.dialect.list) \(connection.dialect.orderedJoin) \(table.stored) AS own "
                + "ON own.\(connection.dialect.rowNumber) = list.value \(connection.dialect.orderedJoin) "
                + "\(side.table.stored) AS link ON link.\(side.own) = own.id"
            try list.forEachList(connection.dialect) { value in
                change.entryLimit += 2 * (try connection.firstRow(sql, [value]) { $0.integer(0) } ?? 0)
            }
        }
    }

    private mutating func finish() throws -> Bool {
        let cascades = change.deleted.merging(change.requested, uniquingKeysWith: -).filter { $0.value > 0 }
        let plan = DeletePlan(
            requested: change.requested.values.reduce(0, +), cascades: cascades, nullifies: change.nullified)
        if let limit = change.cascadeLimit, plan.cascadeCount > limit { throw StoreError.needsConfirmation(plan) }
        // A row may lose several references, each with an entry of its own.
        change.entryLimit += Int64(change.deleted.values.reduce(0, +))
        change.entryLimit += Int64(change.nullified.values.reduce(0, +)) * Int64(max(1, change.references.count))
        return true
    }
}

extension LongDelete {
    /// A relation by which the delete of a record concerns others.
    struct Relation {
        enum Kind {
            case reference(ForeignKey)
            case links(LinkSide)
        }

        let kind: Kind
        let rule: DeleteRule
        /// The table of the records that the delete concerns.
        let holder: ModelTable

        var isOfLinks: Bool { if case .links = kind { true } else { false } }
        /// Indicates whether a delete changes or counts the related records. The links of a deleted record just end.
        var concernsRecords: Bool { !isOfLinks || rule != .nullify }

        /// Returns the relations by which records depend on a model's records.
        static func all(of table: ModelTable, _ tables: ModelTables) -> [Relation] {
            table.foreignKeys.compactMap { key in
                tables[key.model].map { Relation(kind: .reference(key), rule: key.deleteRule, holder: $0) }
            }
                + table.links.compactMap { side in
                    tables[side.end.other.model].map {
                        Relation(kind: .links(side), rule: side.end.own.deleteRule, holder: $0)
                    }
                }
        }

        /// Returns a query for the related rows of a list of rows.
        func ofList(_ table: ModelTable, _ dialect: any SQLDialect) -> String {
            let row = dialect.rowNumber, join = dialect.orderedJoin
            let own = "FROM \(dialect.list) \(join) \(table.stored) AS own ON own.\(row) = list.value"
            switch kind {
            case .reference(let key):
                return "SELECT holder.\(row) \(own) "
                    + "\(join) \(holder.stored) AS holder ON holder.\(dialect.name(key.property)) = own.id LIMIT ?"
            case .links(let side):
                return "SELECT holder.\(row) \(own) \(join) \(side.table.stored) AS link ON link.\(side.own) = own.id "
                    + "\(join) \(holder.stored) AS holder ON holder.id = link.\(side.other) LIMIT ?"
            }
        }

        /// Returns the next related rows of a record.
        func rows(
            of id: String, after place: RelationPlace, atMost limit: Int, in connection: any Connection
        ) throws -> [(row: Int64, id: String)] {
            let dialect = connection.dialect, row = dialect.rowNumber
            switch kind {
            case .reference(let key):
                let sql =
                    "SELECT \(row) FROM \(holder.stored) WHERE \(dialect.name(key.property)) = ? AND \(row) > ? "
                    + "ORDER BY \(row) LIMIT ?"
                return try connection.rows(sql, [.text(id), .integer(place.row), .integer(Int64(limit))]) {
                    ($0.integer(0), "")
                }
            case .links(let side):
                let sql =
                    "SELECT holder.\(row), holder.id FROM \(side.table.stored) AS link "
                    + "\(dialect.orderedJoin) \(holder.stored) AS holder ON holder.id = link.\(side.other) "
                    + "WHERE link.\(side.own) = ? AND link.\(side.other) > ? ORDER BY link.\(side.other) LIMIT ?"
                return try connection.rows(sql, [.text(id), .text(place.id), .integer(Int64(limit))]) {
                    ($0.integer(0), $0.text(1) ?? "")
                }
            }
        }

        func denial(count: Int) -> StoreError {
            switch kind {
            case .reference(let key):
                .deleteDenied(model: key.target, referencedBy: key.model, count: count)
            case .links(let side):
                .deleteDenied(model: side.end.own.model, referencedBy: side.end.other.model, count: count)
            }
        }
    }
}
