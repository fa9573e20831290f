import AviaryDomain
import Foundation

/// The application of a change set in the open transaction of the store's connection.
struct ChangeApplication {
    let tables: ModelTables
    let connection: any WriterConnection
    let commit: Int64
    let cascadeLimit: Int?
    /// The maximum number of rows that a delete may concern; nil for any number.
    var rowLimit: Int?
    /// The checks against the long change under way; nil if there is none.
    var pending: PendingCheck?
    var history: HistoryWriter
    /// The changes of the number of records of each model.
    private(set) var totals: [String: Int] = [:]
    var counts = RelatedCountCheck()
    private var cascaded = DeletePlan(requested: 0, cascades: [:], nullifies: [:])
    /// The referring records that deletes leave to the end, because they may refer to other records by then.
    private var unresolved: [DeleteResolution.Referrers] = []
    private var unresolvedLinks: [DeleteResolution.Links] = []
    /// The records that are known to exist as long as nothing is deleted.
    var existing = TouchedReferences()
    /// The references to check at the end; nil if the engine checks them.
    private var touched: TouchedReferences?

    init(tables: ModelTables, history: HistoryWriter, cascadeLimit: Int?) {
        self.tables = tables
        self.history = history
        self.cascadeLimit = cascadeLimit
        connection = history.connection
        commit = history.commit
        if connection.hasDanglingReferences == nil { touched = TouchedReferences() }
    }

    /// Applies the steps.
    ///
    /// - Throws: ``StoreError`` if the change set is invalid, ``EngineError`` for every other failure.
    mutating func apply(_ steps: [PreparedChange]) throws {
        for (position, step) in steps.enumerated() {
            switch step {
            case .insert(let table, let id, let values): try insert(id, values, into: table)
            case .update(let table, let id, let version, let columns, let values):
                try update(id, version, zip(columns, values), of: table)
            case .delete(let roots):
                try delete(roots, isFollowed: !steps[(position + 1)...].allSatisfy(\.isDelete))
            case .remove(let table, let id): try remove(id, from: table)
            case .link(let side, let id, let target): try link(side, id, target)
            case .unlink(let side, let id, let target): try unlink(side, id, target)
            }
        }
        try pending?.checkReferences(of: steps)
        // Otherwise RELEASE would succeed and COMMIT would fail, for every change set of the batch.
        if try leavesDanglingReference() {
            // The reference may be that of a masked row.
            if pending != nil, try missingReference(in: steps) == nil { throw PendingCollision(end: .end) }
            throw try danglingReference(after: steps)
        }
        if let violation = try counts.violation(in: tables, connection) { throw violation }
    }

    private mutating func insert(_ id: UUID, _ values: [FieldValue], into table: ModelTable) throws {
        let idText = id.canonicalText
        do {
            try connection.run(table.insert, [.text(idText), .integer(commit)] + values)
        } catch {
            guard error.kind == .constraint else { throw error }
            try pending?.check(holdersOf: values, id: idText, in: table)
            if let current = try table.record(idText, in: connection) {
                throw StoreError.conflict(model: table.model.name, current: current)
            }
            throw try repetition(of: values, id: idText, in: table) ?? error
        }
        touched?.touch(values, of: table)
        totals[table.model.name, default: 0] += 1
        for count in table.counts { counts.touch(idText, count) }
        counts.touchReferences(of: table, values)
        try history.inserted(idText, values, in: table)
    }

    private mutating func update(
        _ id: UUID, _ version: Int64?, _ columns: Zip2Sequence<[Int], [FieldValue]>, of table: ModelTable
    ) throws {
        let idText = id.canonicalText
        guard let current = try table.record(idText, in: connection) else {
            throw StoreError.notFound(model: table.model.name, id: id)
        }
        guard version == nil || current.version == version else {
            throw StoreError.conflict(model: table.model.name, current: current)
        }
        // Writing an unchanged column would update its indexes, and the history would record a change that is none.
        let changed = columns.compactMap { index, value in
            let before = index < current.values.count ? current.values[index] : .null
            return before == value ? nil : (index: index, change: FieldChange(before: before, after: value))
        }
        guard !changed.isEmpty else { return }
        try pending?.check(idText, of: table)
        let indexes = changed.map(\.index), values = changed.map(\.change.after)
        let merged = current.changed(changed.map { ($0.index, $0.change.after) })
        try check(indexes, of: merged, since: current, in: table)
        do {
            try connection.run(table.update(columns: indexes), [.integer(commit)] + values + [.text(idText)])
        } catch {
            guard error.kind == .constraint else { throw error }
            try pending?.check(holdersOf: merged.values, id: idText, in: table)
            throw try repetition(of: merged.values, id: idText, in: table) ?? error
        }
        touched?.touch(merged.values, of: table, changed: indexes)
        for reference in table.references where reference.inverse != nil {
            guard let change = changed.first(where: { $0.index == reference.index })?.change else { continue }
            counts.touch(change.before, of: reference)
            counts.touch(change.after, of: reference)
        }
        try history.updated(idText, changed, in: table)
    }

    /// Deletes records and what their delete rules demand.
    ///
    /// - Parameter isFollowed: Indicates whether later steps may redirect the references that prevent the delete.
    private mutating func delete(_ roots: [DeleteRoot], isFollowed: Bool) throws {
        for root in roots { try check(root) }
        let resolution = try DeleteResolver(tables: tables, connection: connection).resolve(roots, atMost: rowLimit)
        try pending?.check(resolution)
        if !isFollowed, let denial = resolution.denial { throw denial }
        cascaded.add(resolution.plan)
        if let cascadeLimit, cascaded.cascadeCount > cascadeLimit {
            throw StoreError.needsConfirmation(cascaded)
        }
        unresolved += resolution.denials + resolution.unresolved
        unresolvedLinks += resolution.deniedLinks + resolution.unresolvedLinks
        var executor = DeleteExecutor(
            tables: tables, connection: connection, commit: commit, history: history, counts: counts
        )
        for (model, count) in try executor.run(resolution) {
            totals[model, default: 0] -= count
        }
        history = executor.history
        counts = executor.counts
    }

    /// Checks that the record has the expected version.
    ///
    /// The version of this change set's own commit is accepted, too: its changes are not somebody else's.
    private func check(_ root: DeleteRoot) throws {
        guard let version = root.version, let current = try root.table.record(root.id.canonicalText, in: connection)
        else { return }
        guard [version, commit].contains(current.version) else {
            throw StoreError.conflict(model: root.table.model.name, current: current)
        }
    }

    private mutating func remove(_ id: UUID, from table: ModelTable) throws {
        let idText = id.canonicalText
        guard let current = try table.record(idText, in: connection) else {
            throw StoreError.notFound(model: table.model.name, id: id)
        }
        try pending?.check(idText, of: table)
        try connection.run(table.remove, [.text(idText)])
        touched?.touch(idText, of: table.model.name)
        counts.touchReferences(of: table, current.values)
        totals[table.model.name, default: 0] -= 1
        try history.deleted(idText, current.values, in: table)
    }

    private func leavesDanglingReference() throws -> Bool {
        if let known = connection.hasDanglingReferences { return known }
        var touched = touched
        touched?.remove(existing)
        return try touched?.areDangling(in: tables, connection) ?? false
            || deniedByReference(unresolved) != nil || deniedByLink(unresolvedLinks) != nil
    }

    private func danglingReference(after steps: [PreparedChange]) throws -> any Error {
        try missingReference(in: steps) ?? deniedByReference(unresolved) ?? deniedByLink(unresolvedLinks)
            ?? StoreError.malformed("it would leave a reference to a record that does not exist.")
    }
}

extension DeletePlan {
    /// Adds the counts of another plan, because one change set can delete in several steps.
    fileprivate mutating func add(_ other: DeletePlan) {
        self = DeletePlan(
            requested: requested + other.requested,
            cascades: cascades.merging(other.cascades, uniquingKeysWith: +),
            nullifies: nullifies.merging(other.nullifies, uniquingKeysWith: +),
            unlinks: unlinks.merging(other.unlinks, uniquingKeysWith: +)
        )
    }
}

extension ChangeApplication {
    /// Links two records. An existing link remains, and the history does not record it.
    mutating func link(_ side: LinkSide, _ id: UUID, _ target: UUID) throws {
        let link = side.link(id.canonicalText, target.canonicalText)
        guard try !side.table.contains(link, in: connection) else { return }
        do {
            try side.table.add(link, in: connection)
        } catch {
            guard error.kind == .constraint, let pending else { throw error }
            // A record that is hidden has its links until it is deleted.
            for (end, id) in tables.ends(of: link, in: side.table) {
                if let table = tables[end.end.own.model] { try pending.check(id, of: table) }
            }
            throw error
        }
        touched?.touch(link, of: side.table)
        try changed(link, .link, of: side.table)
    }

    mutating func unlink(_ side: LinkSide, _ id: UUID, _ target: UUID) throws {
        let link = side.link(id.canonicalText, target.canonicalText)
        guard try side.table.contains(link, in: connection) else { return }
        try side.table.remove(link, in: connection)
        try changed(link, .unlink, of: side.table)
    }

    private mutating func changed(_ link: LinkRow, _ kind: RecordChange.Kind, of table: LinkTable) throws {
        counts.touch(link, of: table, tables)
        try history.changed(link, kind, of: table, tables)
    }
}

extension RelatedCountCheck {
    mutating func touch(_ link: LinkRow, of table: LinkTable, _ tables: ModelTables) {
        for (side, id) in tables.ends(of: link, in: table) { touch(id, side.count) }
    }
}

extension ModelTables {
    /// Returns the link's two records, each with its side; one record if both are the same.
    func ends(of link: LinkRow, in table: LinkTable) -> [(side: LinkSide, id: String)] {
        let relation = table.relation
        var ends: [(side: LinkSide, id: String)] = []
        if let side = linkSide(relation.source.property, of: relation.source.model) { ends.append((side, link.source)) }
        if relation.isSymmetric, link.source == link.target { return ends }
        if let side = linkSide(relation.target.property, of: relation.target.model) { ends.append((side, link.target)) }
        return ends
    }
}
