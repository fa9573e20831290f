import AviaryDomain
import Foundation

/// Finds the steps that take a commit back, or what stands against it. Only reads.
///
/// Runs inside the store, so that nothing comes between what it finds and the commit that relies on it.
struct UndoPlanner {
    /// The greatest number of changes of an undo, because one job does all of it while others wait.
    private static let changeLimit = 200_000

    let tables: ModelTables
    let connection: any Connection
    let commit: Int64
    private let changes: [RecordChange]
    private let obstacles: UndoObstacleSearch

    /// - Throws: ``StoreError`` when the history does not have the commit, ``EngineError``.
    ///
    /// - Parameter leaving: The properties that stay as they are, by model. A record that was deleted comes back with all that
    ///   it had.
    init(_ commit: Int64, leaving: [String: Set<String>] = [:], tables: ModelTables, connection: any Connection) throws
    {
        func refusal(_ obstacle: UndoObstacle) -> StoreError { .undoRefused(commit: commit, [obstacle]) }
        guard let numbers = try CommitTable.changes(of: commit, in: connection), !numbers.isEmpty else {
            throw refusal(.notInHistory)
        }
        if case .integer(let barrier) = try MetaTable.value(.undoBarrier, in: connection), commit <= barrier {
            throw refusal(.beforeMigration)
        }
        guard try CommitTable.unrecorded(by: commit, in: connection) == 0 else { throw refusal(.partlyRecorded) }
        guard numbers.count <= Self.changeLimit else { throw refusal(.tooLarge(changes: numbers.count)) }
        let recorded = try ChangeTable.changes(numbers, limit: numbers.count, in: connection)
        // The oldest entries go one by one.
        guard recorded.count == numbers.count else { throw refusal(.notInHistory) }
        changes = leaving.isEmpty ? recorded : recorded.compactMap { $0.leaving(leaving[$0.model] ?? []) }
        guard !changes.isEmpty else { throw refusal(.notPermitted) }
        self.tables = tables
        self.connection = connection
        self.commit = commit
        obstacles = UndoObstacleSearch(
            changes: changes, end: numbers.upperBound, tables: tables, connection: connection
        )
    }

    /// The commit's own steps backwards: each state on the way was there before, so no unique value is in the way of
    /// another, and references are looked at in the end. Delete rules are not followed again: what they did are steps
    /// too.
    func inverse() throws -> [Step] {
        let found = try obstacles.found()
        guard found.isEmpty else { throw StoreError.undoRefused(commit: commit, found) }
        return try changes.reversed().compactMap { change in
            guard let table = tables[change.model] else { return nil }
            // A property that the model has not any more is left out.
            // So is a secret of a record that comes back: it is empty until somebody gives it again.
            let values = change.fields.filter { !$0.value.isSecret && table.model.storedIndex(of: $0.key) != nil }
                .mapValues(\.before)
            switch change.kind {
            case .insert: return .remove(table, id: change.record)
            case .update: return try Step.update(change.record, nil, values, of: table)
            case .delete: return try Step.insert(change.record, values, into: table)
            case .link, .unlink: return LinkChange(change, tables: tables)?.inverse
            }
        }
    }
}

extension RecordChange {
    /// The change without what it did to some properties; nil when nothing is left of it.
    fileprivate func leaving(_ properties: Set<String>) -> RecordChange? {
        guard kind != .insert, kind != .delete, !properties.isDisjoint(with: fields.keys) else { return self }
        let rest = fields.filter { !properties.contains($0.key) }
        guard !rest.isEmpty else { return nil }
        return RecordChange(number: number, commit: commit, model: model, record: record, kind: kind, fields: rest)
    }
}

/// Names a record of any model.
struct RecordKey: Hashable {
    let model: String
    let id: UUID
}

/// The effect of a whole commit on one record, however many steps it took.
struct NetChange {
    let key: RecordKey
    /// A Boolean value that indicates whether the record existed before the commit.
    let existedBefore: Bool
    /// A Boolean value that indicates whether the record exists after the commit.
    private(set) var existsAfter: Bool
    /// The values before and after, by property: all of a record that was inserted or deleted, otherwise the changed
    /// ones.
    private(set) var fields: [String: FieldChange]

    init(_ change: RecordChange) {
        key = RecordKey(model: change.model, id: change.record)
        existedBefore = change.kind != .insert
        existsAfter = change.kind != .delete
        fields = change.fields
    }

    private mutating func add(_ later: RecordChange) {
        existsAfter = later.kind != .delete
        for (name, field) in later.fields {
            let isSecret = field.isSecret || fields[name]?.isSecret == true
            fields[name] =
                isSecret ? .secret : FieldChange(before: fields[name]?.before ?? field.before, after: field.after)
        }
    }

    static func all(of changes: [RecordChange]) -> [RecordKey: NetChange] {
        var result: [RecordKey: NetChange] = [:]
        for change in changes where !change.kind.isOfLink {
            result[RecordKey(model: change.model, id: change.record), default: NetChange(change)].add(change)
        }
        return result
    }
}

extension RecordChange.Kind {
    /// A Boolean value that indicates whether the change is that of a link and not of a record.
    var isOfLink: Bool { self == .link || self == .unlink }
}
