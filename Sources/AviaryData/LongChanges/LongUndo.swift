import AviaryDomain
import Foundation

/// The preparation of an undo of many changes: it reverses the entries of a commit in steps, newest first, behind a
/// mask.
///
/// It inserts the deleted records, sets the references to them again and notes the records to delete. The other
/// changes, which no mask can hide, are left to the commit.
struct LongUndo {
    private static let entriesTogether = 100
    /// The number of related rows that are read together, and after which the time of the step is compared.
    static let relatedTogether = 1000
    /// The greatest number of changes that are left to the commit, which makes them while others wait.
    static let mostDeferred = 200_000
    private static let mostObstacles = 100
    /// The number of records that refer to a deleted one above which they are not counted further.
    private static let mostReferrers = 1000

    let tables: ModelTables
    let connection: any WriterConnection
    private(set) var change: LongChange
    private let numbers: Range<Int64>
    private let commit: Int64

    /// - Parameter numbers: The numbers of the commit's entries.
    init(
        _ change: LongChange, of commit: Int64, _ numbers: Range<Int64>, tables: ModelTables,
        connection: any WriterConnection
    ) {
        self.change = change
        self.commit = commit
        self.numbers = numbers
        self.tables = tables
        self.connection = connection
    }

    /// Begins with the newest entry.
    mutating func begin() {
        change.cursor = numbers.upperBound
        change.total = numbers.count
        change.entryLimit = Int64(numbers.count)
    }

    /// Performs a part of the phase.
    ///
    /// - Returns: A Boolean value that indicates whether the undo can be committed.
    /// - Throws: ``StoreError`` if something newer prevents the undo, ``EngineError``.
    mutating func step(until end: ContinuousClock.Instant) throws -> Bool {
        repeat {
            if change.phase == .checking {
                if try checkReferences() { return true }
                continue
            }
            let entries = try ChangeTable.lastChanges(
                numbers.lowerBound..<change.cursor, limit: Self.entriesTogether, in: connection)
            guard let last = entries.last else {
                // The oldest entries are removed one by one, so that the commit may have lost some of its entries.
                guard change.done == numbers.count else { throw refusal([.notInHistory]) }
                change.phase = .checking
                change.cursor = 0
                change.place = RelationPlace()
                change.done = 0
                continue
            }
            var obstacles: [UndoObstacle] = []
            for entry in entries where obstacles.count < Self.mostObstacles {
                guard let rest = entry.leaving(change.leaving[entry.model] ?? []) else { continue }
                obstacles += try reverse(rest)
            }
            guard obstacles.isEmpty else { throw refusal(obstacles) }
            change.cursor = last.number
            change.done += entries.count
        } while ContinuousClock.now < end
        return false
    }

    private func refusal(_ obstacles: [UndoObstacle]) -> StoreError { .undoRefused(commit: commit, obstacles) }

    private mutating func reverse(_ entry: RecordChange) throws -> [UndoObstacle] {
        guard let table = tables[entry.model] else { return [.unknownModel(entry.model)] }
        switch entry.kind {
        case .delete: return try insert(entry, into: table)
        case .insert: return try noteDelete(entry, of: table)
        case .update:
            if try isInserted(entry.record, of: table) { return try change(entry, of: table) }
            if let references = restoredReferences(entry, of: table) {
                return try restore(references, entry, of: table)
            }
        case .unlink:
            guard let link = LinkChange(entry, tables: tables) else { return [] }
            if try isInserted(link) { return try restore(link) }
        case .link:
            guard let link = LinkChange(entry, tables: tables) else { return [] }
            change.hasLinks = true
            if try isInserted(link) {
                try remove(link)
                return []
            }
        }
        change.addDeferred(entry.number)
        guard change.deferredCount <= Self.mostDeferred else { return [.tooLarge(changes: numbers.count)] }
        return []
    }

    // MARK: Deleted records

    private mutating func insert(_ entry: RecordChange, into table: ModelTable) throws -> [UndoObstacle] {
        let missing = table.model.storedProperties.filter {
            $0.isRequired && entry.fields[$0.name]?.isSecret == true
        }
        guard missing.isEmpty else {
            return missing.map { .secret(model: entry.model, id: entry.record, property: $0.name) }
        }
        let id = entry.record.canonicalText
        if try table.rowNumber(of: id, in: connection) != nil {
            return [.insertedSince(model: entry.model, id: entry.record)]
        }
        let fields = entry.fields.filter { !$0.value.isSecret && table.model.storedIndex(of: $0.key) != nil }
        guard
            case .insert(_, _, let values) = try PreparedChange.insert(
                entry.record, fields.mapValues(\.before), into: table)
        else { return [] }
        do {
            try connection.run(table.insert, [.text(id), .integer(change.version)] + values)
        } catch {
            guard error.kind == .constraint else { throw error }
            let taken = try takenValues(values, of: entry, in: table)
            guard !taken.isEmpty else { throw error }
            return taken
        }
        guard let row = try table.rowNumber(of: id, in: connection) else { return [] }
        _ = try PendingRowTable.add([row], of: entry.model, .inserted, in: connection)
        change.inserted[entry.model, default: 0] += 1
        return []
    }

    /// Returns the unique values that other records have.
    private func takenValues(
        _ values: [FieldValue], of entry: RecordChange, in table: ModelTable
    ) throws -> [UndoObstacle] {
        try table.holders(of: values, except: entry.record.canonicalText, in: connection).compactMap { holder in
            guard let property = holder.properties.first, let id = UUID(canonicalText: holder.id) else { return nil }
            return .valueTaken(model: entry.model, id: entry.record, property: property, by: id)
        }
    }

    // MARK: Inserted records

    private mutating func noteDelete(_ entry: RecordChange, of table: ModelTable) throws -> [UndoObstacle] {
        if let pending = try PendingRowTable.row(
            ofRecord: entry.record.canonicalText, in: table, connection), pending.kind == .inserted
        {
            // The commit itself has deleted the record again.
            try connection.run(table.remove, [.text(entry.record.canonicalText)])
            try PendingRowTable.remove(pending, in: connection)
            change.inserted[entry.model, default: 0] -= 1
            return []
        }
        // The commit may have changed the record further.
        let entries = try ChangeTable.changes(
            of: entry.record, entry.model, from: numbers.lowerBound, limit: UndoObstacleSearch.laterLimit,
            in: connection
        ).filter { $0.number < numbers.upperBound }
        let search = UndoObstacleSearch(
            changes: entries, end: numbers.upperBound, tables: tables, connection: connection)
        // References between records of the commit are checked when all of them are known.
        let obstacles = try search.newerStates()
        guard obstacles.isEmpty else { return obstacles }
        guard let row = try table.rowNumber(of: entry.record.canonicalText, in: connection) else {
            return [.deletedSince(model: entry.model, id: entry.record)]
        }
        let count = try PendingRowTable.add([row], of: entry.model, .delete, in: connection)
        change.deleted[entry.model, default: 0] += count
        return []
    }

    private func isInserted(_ id: UUID, of table: ModelTable) throws -> Bool {
        try PendingRowTable.row(ofRecord: id.canonicalText, in: table, connection)?.kind == .inserted
    }

    /// Reverses an update of a record that the commit has deleted later, which is inserted already.
    private func change(_ entry: RecordChange, of table: ModelTable) throws -> [UndoObstacle] {
        let changed = zip(table.model.storedProperties, table.columns).compactMap { property, column in
            entry.fields[property.name].flatMap { $0.isSecret ? nil : (column, $0.before) }
        }
        guard !changed.isEmpty else { return [] }
        try connection.run(
            "UPDATE \(table.stored) SET \(changed.map { "\($0.0) = ?" }.joined(separator: ", ")) WHERE id = ?",
            changed.map(\.1) + [.text(entry.record.canonicalText)])
        return []
    }

    // MARK: References and links

    /// Returns the properties of an update that made only references null whose records are restored; nil for any
    /// other update.
    private func restoredReferences(_ entry: RecordChange, of table: ModelTable) -> [(ReferenceColumn, FieldValue)]? {
        var references: [(ReferenceColumn, FieldValue)] = []
        for (name, field) in entry.fields {
            guard let reference = table.references.first(where: { $0.property == name }), field.after.isNull,
                !field.before.isNull, change.inserted[reference.target] != nil
            else { return nil }
            references.append((reference, field.before))
        }
        return references
    }

    private mutating func restore(
        _ references: [(ReferenceColumn, FieldValue)], _ entry: RecordChange, of table: ModelTable
    ) throws -> [UndoObstacle] {
        let id = entry.record.canonicalText
        guard let row = try table.rowNumber(of: id, in: connection) else {
            return [.deletedSince(model: entry.model, id: entry.record)]
        }
        let search = UndoObstacleSearch(
            changes: [entry], end: numbers.upperBound, tables: tables, connection: connection)
        let obstacles = try search.newerStates()
        guard obstacles.isEmpty else { return obstacles }
        let assignments = references.map { "\($0.0.column) = ?" }.joined(separator: ", ")
        try connection.run(
            "UPDATE \(table.stored) SET \(assignments), aviary_version = ? WHERE id = ?",
            references.map(\.1) + [.integer(change.version), .text(id)])
        for (reference, _) in references {
            change.references.insert(
                RowMask.Reference(model: entry.model, property: reference.property, target: reference.target))
        }
        let names = references.map(\.0.property).sorted().joined(separator: " ")
        try PendingRowTable.add(row, of: entry.model, .restored, names, in: connection)
        change.nullified[entry.model, default: 0] += 1
        return []
    }

    /// Indicates whether one of the link's records is restored, so that the mask hides the link.
    private func isInserted(_ link: LinkChange) throws -> Bool {
        let end = link.side.end
        for (model, id) in [(end.own.model, link.record), (end.other.model, link.other)] {
            if let table = tables[model], try isInserted(id, of: table) { return true }
        }
        return false
    }

    private mutating func restore(_ link: LinkChange) throws -> [UndoObstacle] {
        let end = link.side.end
        for (model, id) in [(end.own.model, link.record), (end.other.model, link.other)] {
            guard let table = tables[model] else { return [.unknownModel(model)] }
            if try table.rowNumber(of: id.canonicalText, in: connection) == nil {
                return [.missingReference(model: end.own.model, id: link.record, property: end.own.property)]
            }
        }
        let row = link.link
        guard try !contains(link) else { return [] }
        try link.side.table.add(row, in: connection)
        try PendingRowTable.add(
            Int64(-1 - change.linked), of: link.side.table.tableName, .linked,
            "\(row.source) \(row.target)", in: connection)
        change.linked += 1
        return []
    }

    private func contains(_ link: LinkChange) throws -> Bool {
        try connection.firstRow(
            "SELECT 1 FROM \(link.side.table.stored) WHERE source = ? AND target = ?", link.link.values
        ) { _ in true } ?? false
    }

    /// Removes a link again that the commit itself has made and ended.
    private func remove(_ link: LinkChange) throws {
        guard try contains(link) else { return }
        try link.side.table.remove(link.link, in: connection)
        try PendingRowTable.removeLink(
            "\(link.link.source) \(link.link.target)", of: link.side.table.tableName, in: connection)
    }

    // MARK: Checks

    /// Checks the references of and to some of the noted rows; true when all of them are checked.
    ///
    /// It ends early, also among the records that refer to one row, after a number of them.
    private mutating func checkReferences() throws -> Bool {
        let rows = try PendingRowTable.rows(after: change.cursor, atMost: Self.entriesTogether, in: connection)
        guard !rows.isEmpty else { return true }
        var related = 0
        for row in rows {
            if let table = tables[row.model] {
                switch row.kind {
                case .inserted, .restored:
                    let obstacles = try missingReferences(of: row, in: table)
                    guard obstacles.isEmpty else { throw refusal(obstacles) }
                case .delete:
                    guard try checkReferrers(of: row, in: table, &related) else { return false }
                case .nullify, .linked: break
                }
            }
            change.cursor = row.sequence
            change.done += 1
            guard related < Self.relatedTogether else { return false }
        }
        return false
    }

    private func missingReferences(of row: PendingRow, in table: ModelTable) throws -> [UndoObstacle] {
        let dialect = connection.dialect
        return try table.references.compactMap { reference in
            guard let target = tables[reference.target] else { return nil }
            let sql =
                "SELECT own.id FROM \(table.stored) AS own WHERE own.\(dialect.rowNumber) = ? "
                + "AND own.\(reference.column) IS NOT NULL AND NOT EXISTS "
                + "(SELECT 1 FROM \(target.stored) AS target WHERE target.id = own.\(reference.column))"
            let id = try connection.firstRow(sql, [.integer(row.row)]) { $0.uuid(0) }
            return (id ?? nil).map {
                .missingReference(model: row.model, id: $0, property: reference.property)
            }
        }
    }

    /// Checks that no record remains that refers to a record that the undo deletes.
    ///
    /// - Parameter examined: The number of related rows that this part has examined.
    /// - Returns: False if more of them are left than are examined together.
    private mutating func checkReferrers(
        of row: PendingRow, in table: ModelTable, _ examined: inout Int
    ) throws -> Bool {
        let id = try connection.firstRow(
            "SELECT id FROM \(table.stored) WHERE \(connection.dialect.rowNumber) = ?", [.integer(row.row)]
        ) { $0.text(0) ?? "" }
        // Links that the commit itself has made are left to the undo's commit, which checks them.
        let relations = LongDelete.Relation.all(of: table, tables).filter { !($0.isOfLinks && change.hasLinks) }
        while let id, change.place.relation < relations.count {
            guard examined < Self.relatedTogether else { return false }
            let relation = relations[change.place.relation], model = relation.holder.model.name
            let limit = Self.relatedTogether - examined
            let related = try relation.rows(of: id, after: change.place, atMost: limit, in: connection)
            examined += related.count
            let deleted = try PendingRowTable.count(of: model, among: related.map(\.row), .delete, in: connection)
            if deleted < related.count { change.referrers[model, default: 0] += related.count - deleted }
            if let last = related.last, related.count == limit, change.referrers[model, default: 0] < Self.mostReferrers
            {
                (change.place.row, change.place.id) = (last.row, last.id)
            } else {
                change.place = RelationPlace(relation: change.place.relation + 1)
            }
        }
        guard change.referrers.isEmpty else {
            throw refusal(
                change.referrers.sorted { $0.key < $1.key }.map {
                    .referenced(model: row.model, by: $0.key, count: $0.value)
                })
        }
        change.place = RelationPlace()
        return true
    }
}
