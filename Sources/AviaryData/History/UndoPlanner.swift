import AviaryDomain
import Foundation

/// A planner that finds the steps to undo a commit, or the obstacles. It only reads.
///
/// It runs inside the store, so that no commit comes between the plan and the undo that relies on it.
struct UndoPlanner {
    let tables: ModelTables
    let connection: any Connection
    let commit: Int64
    private let changes: [RecordChange]
    private let obstacles: UndoObstacleSearch

    /// Reads the changes of a commit.
    ///
    /// - Parameter leaving: The properties that keep their values, by model. A deleted record is restored with all
    ///   of its values.
    /// - Throws: ``StoreError`` if the history does not contain the commit, ``EngineError``.
    init(_ commit: Int64, leaving: [String: Set<String>] = [:], tables: ModelTables, connection: any Connection) throws
    {
        func refusal(_ obstacle: UndoObstacle) -> StoreError { .undoRefused(commit: commit, [obstacle]) }
        let numbers = try Self.entries(of: commit, in: connection)
        let recorded = try ChangeTable.changes(numbers, limit: numbers.count, in: connection)
        // The oldest entries are removed one by one, so that the commit may have lost some of its entries.
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

    /// Returns the numbers of a commit's entries.
    ///
    /// - Throws: ``StoreError`` if the history does not describe the whole commit in today's form, ``EngineError``.
    static func entries(of commit: Int64, in connection: any Connection) throws -> Range<Int64> {
        func refusal(_ obstacle: UndoObstacle) -> StoreError { .undoRefused(commit: commit, [obstacle]) }
        guard let numbers = try CommitTable.changes(of: commit, in: connection), !numbers.isEmpty else {
            throw refusal(.notInHistory)
        }
        guard commit > (try barrier(in: connection)) else { throw refusal(.beforeMigration) }
        guard try CommitTable.unrecorded(by: commit, in: connection) == 0 else { throw refusal(.partlyRecorded) }
        return numbers
    }

    /// Returns the number of the newest commit from before records were rewritten; 0 if there is none.
    static func barrier(in connection: any Connection) throws -> Int64 {
        if case .integer(let barrier) = try MetaTable.value(.undoBarrier, in: connection) { barrier } else { 0 }
    }

    /// Returns the inverse steps of the commit in reverse order.
    ///
    /// Each intermediate state existed before, so no unique value conflicts with another. References are checked at
    /// the end. Delete rules are not applied again, because their effects are steps, too.
    func inverse() throws -> [PreparedChange] {
        let found = try obstacles.found()
        guard found.isEmpty else { throw StoreError.undoRefused(commit: commit, found) }
        return try Self.inverse(of: changes, tables: tables)
    }

    static func inverse(of changes: [RecordChange], tables: ModelTables) throws -> [PreparedChange] {
        try changes.reversed().compactMap { change in
            guard let table = tables[change.model] else { return nil }
            // A property that the model no longer has is omitted. So is a secret of a restored record: it is empty
            // until somebody sets it.
            let values = change.fields.filter { !$0.value.isSecret && table.model.storedIndex(of: $0.key) != nil }
                .mapValues(\.before)
            switch change.kind {
            case .insert: return .remove(table, id: change.record)
            case .update: return try PreparedChange.update(change.record, nil, values, of: table)
            case .delete: return try PreparedChange.insert(change.record, values, into: table)
            case .link, .unlink: return LinkChange(change, tables: tables)?.inverse
            }
        }
    }
}

extension RecordChange {
    /// Returns the change without some properties; nil if nothing remains.
    func leaving(_ properties: Set<String>) -> RecordChange? {
        guard kind != .insert, kind != .delete, !properties.isDisjoint(with: fields.keys) else { return self }
        let rest = fields.filter { !properties.contains($0.key) }
        guard !rest.isEmpty else { return nil }
        return RecordChange(number: number, commit: commit, model: model, record: record, kind: kind, fields: rest)
    }
}

/// The effect of a whole commit on one record, however many steps it took.
struct NetChange {
    let key: RecordKey
    /// Indicates whether the record existed before the commit.
    let existedBefore: Bool
    /// Indicates whether the record exists after the commit.
    private(set) var existsAfter: Bool
    /// The values before and after, by property: all values of an inserted or deleted record, otherwise the changed
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
    /// Indicates whether the change concerns a link and not a record.
    var isOfLink: Bool { self == .link || self == .unlink }
}
