import AviaryDomain

/// An executor of a delete resolution.
struct DeleteExecutor {
    let tables: ModelTables
    let connection: any Connection
    /// The version of the records that the delete changes.
    let commit: Int64
    private(set) var history: HistoryWriter
    private(set) var counts: RelatedCountCheck

    init(
        tables: ModelTables, connection: any Connection, commit: Int64, history: HistoryWriter,
        counts: RelatedCountCheck
    ) {
        self.tables = tables
        self.connection = connection
        self.commit = commit
        self.history = history
        self.counts = counts
    }

    /// Executes a resolution.
    ///
    /// - Returns: The number of deleted rows of each model.
    mutating func run(_ resolution: DeleteResolution) throws -> [String: Int] {
        for referrers in resolution.nullifications {
            try nullify(referrers)
        }
        for links in resolution.endedLinks {
            try end(links.pairs, of: links.side.table)
        }
        for rows in resolution.deletions {
            for side in rows.table.links where !side.forbidsDelete { try endLinks(of: rows, by: side) }
        }
        var removed: [String: Int] = [:]
        // Referring rows are deleted first, so that the engine counts no dangling references.
        for rows in resolution.deletions.reversed() {
            try delete(rows)
            removed[rows.table.model.name, default: 0] += rows.rows.count
        }
        return removed
    }

    private mutating func nullify(_ referrers: DeleteResolution.Referrers) throws {
        let table = referrers.table
        let column = table.dialect.name(referrers.key.property)
        let reading = "SELECT id, \(column) FROM \(table.name) WHERE \(table.isListed)"
        let writing = "UPDATE \(table.stored) SET \(column) = NULL, aviary_version = ? WHERE \(table.isListed)"
        let index = table.model.storedIndex(of: referrers.key.property)
        if !history.keeps(table) { history.skip(referrers.rows.count, of: table) }
        try RowNumberList(referrers.rows).forEachList(table.dialect) { list in
            if let index, history.keeps(table) {
                let rows = try connection.rows(reading, [list]) { (id: $0.text(0) ?? "", before: $0.value(1)) }
                for row in rows {
                    let change = FieldChange(before: row.before, after: .null)
                    try history.updated(row.id, [(index, change)], in: table)
                }
            }
            try connection.run(writing, .integer(commit), list)
        }
    }

    private mutating func endLinks(of rows: DeleteResolution.Rows, by side: LinkSide) throws {
        let table = rows.table
        let reading = """
            SELECT source, target FROM \(side.table.name) \
            WHERE \(side.own) IN (SELECT id FROM \(table.name) WHERE \(table.isListed))
            """
        try RowNumberList(rows.rows).forEachList(table.dialect) { list in
            try end(connection.rows(reading, [list]) { $0.link(0) }, of: side.table)
        }
    }

    private mutating func end(_ links: [LinkRow], of table: LinkTable) throws {
        // A symmetric link was found from both of its records if both are deleted.
        for link in Set(links.map(table.canonical)) where try table.contains(link, in: connection) {
            try table.remove(link, in: connection)
            counts.touch(link, of: table, tables)
            try history.changed(link, .unlink, of: table, tables)
        }
    }

    private mutating func delete(_ rows: DeleteResolution.Rows) throws {
        let table = rows.table
        let reading = "SELECT \(table.selection) FROM \(table.name) WHERE \(table.isListed)"
        let writing = "DELETE FROM \(table.stored) WHERE \(table.isListed)"
        if !history.keeps(table) { history.skip(rows.rows.count, of: table) }
        try RowNumberList(rows.rows).forEachList(table.dialect) { list in
            if table.refersToCounted || history.keeps(table) {
                for record in try connection.rows(reading, [list], read: { try table.record($0) }) {
                    counts.touchReferences(of: table, record.values)
                    guard history.keeps(table) else { continue }
                    try history.deleted(record.id.canonicalText, record.values, in: table)
                }
            }
            try connection.run(writing, list)
        }
    }
}

extension ModelTable {
    /// The condition that selects the rows of a ``RowNumberList``, which is bound as one parameter.
    fileprivate var isListed: String { "\(dialect.rowNumber) IN (SELECT list.value FROM \(dialect.list))" }
}

/// The effects of a delete on rows, with the delete rules resolved.
struct DeleteResolution {
    struct Rows {
        let table: ModelTable
        let rows: [Int64]
    }

    struct Referrers {
        let key: ForeignKey
        let table: ModelTable
        let rows: [Int64]
    }

    /// Links of deleted rows, for a side whose delete rule forbids or checks the delete.
    struct Links {
        let side: LinkSide
        let pairs: [LinkRow]
    }

    /// The number of requested records that exist.
    var requested = 0
    /// The rows to delete, in the order in which they were found.
    ///
    /// In reverse order, no row is deleted before the rows that refer to it, except in cycles.
    var deletions: [Rows] = []
    var nullifications: [Referrers] = []
    /// The referring records for which a delete rule denies the delete.
    var denials: [Referrers] = []
    /// The referring records that are left to the check at the end of the change set.
    var unresolved: [Referrers] = []
    var cascades: [String: Int] = [:]

    /// Links between rows that are both deleted, for sides whose delete rule would deny deleting one of them alone.
    var endedLinks: [Links] = []
    var deniedLinks: [Links] = []
    var unresolvedLinks: [Links] = []
    /// The remaining rows that lose links, by model.
    var unlinked: [String: Set<Int64>] = [:]

    /// The error of the first delete rule that denies the delete.
    var denial: StoreError? {
        if let denial = denials.first {
            return .deleteDenied(model: denial.key.target, referencedBy: denial.key.model, count: denial.rows.count)
        }
        return deniedLinks.first.map { $0.denial(count: $0.pairs.count) }
    }

    var plan: DeletePlan {
        var nullified: [String: Set<Int64>] = [:]
        for referrers in nullifications where !referrers.rows.isEmpty {
            nullified[referrers.key.model, default: []].formUnion(referrers.rows)
        }
        return DeletePlan(
            requested: requested, cascades: cascades, nullifies: nullified.mapValues(\.count),
            unlinks: unlinked.mapValues(\.count)
        )
    }
}

extension DeleteResolution.Links {
    func denial(count: Int) -> StoreError {
        .deleteDenied(model: side.end.own.model, referencedBy: side.end.other.model, count: count)
    }
}
