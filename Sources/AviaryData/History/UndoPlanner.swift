import AviaryDomain
import Foundation

/// Finds the changes that take a commit back, or what stands against it. Only reads.
///
/// Runs inside the store, so that nothing comes between what it finds and the commit that relies on it.
struct UndoPlanner {
    /// A list that a person reads; whoever needs more has to look at the history.
    private static let obstacleLimit = 100

    let tables: ModelTables
    let connection: any Connection
    private let numbers: Range<Int64>
    private let changes: [NetChange]
    /// The records that the commit changed.
    private let own: Set<UUID>
    private var obstacles: [UndoObstacle] = []

    /// - Throws: ``StoreError`` when the history does not have the commit, ``EngineError``.
    init(_ commit: Int64, tables: ModelTables, connection: any Connection) throws {
        self.tables = tables
        self.connection = connection
        guard let numbers = try CommitTable.changes(of: commit, in: connection), !numbers.isEmpty else {
            throw StoreError.undoRefused(commit: commit, [.notInHistory])
        }
        let kept = try ChangeTable.changes(numbers, limit: numbers.count, in: connection)
        // The oldest entries go one by one.
        guard kept.count == numbers.count else { throw StoreError.undoRefused(commit: commit, [.notInHistory]) }
        self.numbers = numbers
        changes = NetChange.all(of: kept)
        own = Set(changes.map(\.record))
    }

    /// Updates first, so that a record goes only when nothing refers to it any more; what was deleted comes last, when
    /// its unique values are free again.
    mutating func inverse(of commit: Int64) throws -> [Change] {
        var updates: [Change] = [], deletes: [Change] = [], inserts: [Change] = []
        for change in changes {
            guard let table = tables[change.model] else {
                obstacles.append(.unknownModel(change.model))
                continue
            }
            switch (change.existedBefore, change.existsAfter) {
            case (false, false): continue
            case (false, true): deletes += try delete(change, of: table)
            case (true, true): updates += try update(change, of: table)
            case (true, false): inserts += try insert(change, of: table)
            }
            if obstacles.count >= Self.obstacleLimit { break }
        }
        try findReferrers(ofDeleted: deletes)
        guard obstacles.isEmpty else {
            throw StoreError.undoRefused(commit: commit, Array(obstacles.prefix(Self.obstacleLimit)))
        }
        return updates + deletes + inserts
    }

    private mutating func delete(_ change: NetChange, of table: ModelTable) throws -> [Change] {
        guard try table.record(change.record.canonicalText, in: connection) != nil else {
            obstacles.append(.deletedSince(model: change.model, id: change.record))
            return []
        }
        for later in try laterChanges(of: change) {
            for property in later.fields.keys.sorted() {
                obstacles.append(.changedSince(model: change.model, id: change.record, property: property, commit: later.commit))
            }
        }
        return [.delete(model: change.model, id: change.record)]
    }

    private mutating func update(_ change: NetChange, of table: ModelTable) throws -> [Change] {
        guard let current = try table.record(change.record.canonicalText, in: connection) else {
            obstacles.append(.deletedSince(model: change.model, id: change.record))
            return []
        }
        let later = try laterChanges(of: change)
        var values: [String: FieldValue] = [:]
        for (property, field) in change.fields.sorted(by: { $0.key < $1.key }) {
            guard let index = table.model.storedIndex(of: property), index < current.values.count else { continue }
            let laterCommit = later.first { $0.fields[property] != nil }?.commit
            // The value tells it too, where the history was switched off for a while.
            if laterCommit != nil || current.values[index] != field.after {
                obstacles.append(.changedSince(model: change.model, id: change.record, property: property, commit: laterCommit))
            }
            values[property] = field.before
        }
        try check(values, of: change, in: table)
        return [.update(model: change.model, id: change.record, version: current.version, values: values)]
    }

    private mutating func insert(_ change: NetChange, of table: ModelTable) throws -> [Change] {
        guard try table.record(change.record.canonicalText, in: connection) == nil else {
            obstacles.append(.insertedSince(model: change.model, id: change.record))
            return []
        }
        // A property that the model has not any more is left out.
        let values = change.fields.filter { table.model.storedIndex(of: $0.key) != nil }.mapValues(\.before)
        try check(values, of: change, in: table)
        return [.insert(model: change.model, id: change.record, values: values)]
    }

    /// What newer commits did to the record, without those that were taken back: they and their undo leave nothing behind,
    /// so that several steps can be taken back one after the other.
    private func laterChanges(of change: NetChange) throws -> [RecordChange] {
        let later = try ChangeTable.changes(of: change.record, change.model, from: numbers.upperBound, in: connection)
        guard !later.isEmpty else { return [] }
        let commits = Set(later.map(\.commit))
        var takenBack: Set<Int64> = []
        // From the newest on: an undo that was itself taken back takes nothing back.
        for commit in commits.sorted(by: >) where !takenBack.contains(commit) {
            guard let undone = try CommitTable.summary(of: commit, in: connection)?.undoes, commits.contains(undone) else { continue }
            takenBack.formUnion([commit, undone])
        }
        return later.filter { !takenBack.contains($0.commit) }
    }

    /// Values that another record has meanwhile, and references to what is gone.
    private mutating func check(_ values: [String: FieldValue], of change: NetChange, in table: ModelTable) throws {
        for (property, column) in zip(table.model.storedProperties, table.columns) {
            guard let value = values[property.name], !value.isNull else { continue }
            if property.isUnique {
                let holder = try connection.firstRow("SELECT id FROM \(table.name) WHERE \(column) = ?", [value]) { $0.uuid(0) }
                // One that this undo changes too gives the value back first.
                if let holder = holder ?? nil, !own.contains(holder) {
                    obstacles.append(.valueTaken(model: change.model, id: change.record, property: property.name, by: holder))
                }
            }
            if case .toOne(let model) = property.type, case .text(let id) = value, let target = tables[model] {
                let comesBack = UUID(canonicalText: id).map(own.contains) ?? false
                let found = try connection.firstRow("SELECT 1 FROM \(target.name) WHERE id = ?", [value]) { _ in true }
                if found == nil, !comesBack {
                    obstacles.append(.missingReference(model: change.model, id: change.record, property: property.name))
                }
            }
        }
    }

    /// Records that refer to one that goes, and that this undo does not touch itself.
    private mutating func findReferrers(ofDeleted deletes: [Change]) throws {
        for case .delete(let model, let id) in deletes {
            for key in tables[model]?.foreignKeys ?? [] {
                guard let holder = tables[key.model] else { continue }
                let ids = try connection.rows(
                    "SELECT id FROM \(holder.name) WHERE \(connection.dialect.name(key.property)) = ?", [.text(id.canonicalText)]
                ) { $0.uuid(0) }
                let others = ids.count { id in id.map { !own.contains($0) } ?? true }
                if others > 0 {
                    obstacles.append(.referenced(model: key.target, by: key.model, count: others))
                }
            }
        }
    }
}
