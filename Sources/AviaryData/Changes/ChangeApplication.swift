import AviaryDomain
import Foundation

/// Applies one change set to the open transaction of the store's connection.
struct ChangeApplication {
    let tables: ModelTables
    let connection: any WriterConnection
    let commit: Int64
    let cascadeLimit: Int?
    private(set) var history: HistoryWriter
    /// How the number of records of each model changes.
    private(set) var totals: [String: Int] = [:]
    private var cascaded = DeletePlan(requested: 0, cascades: [:], nullifies: [:])
    private var unresolved: [DeleteResolution.Referrers] = []

    init(tables: ModelTables, history: HistoryWriter, cascadeLimit: Int?) {
        self.tables = tables
        self.history = history
        self.cascadeLimit = cascadeLimit
        connection = history.connection
        commit = history.commit
    }

    /// - Throws: ``StoreError``, or ``EngineError`` for everything that is not the change set's own fault.
    mutating func apply(_ steps: [Step]) throws {
        for step in steps {
            switch step {
            case .insert(let table, let id, let values): try insert(id, values, into: table)
            case .update(let table, let id, let version, let columns, let values):
                try update(id, version, zip(columns, values), of: table)
            case .delete(let roots): try delete(roots)
            case .remove(let table, let id): try remove(id, from: table)
            }
        }
        // RELEASE would succeed and the COMMIT fail, for every change set of the batch.
        if connection.hasDanglingReferences {
            throw try danglingReference(after: steps)
        }
    }

    private mutating func insert(_ id: UUID, _ values: [FieldValue], into table: ModelTable) throws {
        let idText = id.canonicalText
        do {
            try connection.run(table.insert, [.text(idText), .integer(commit)] + values)
        } catch {
            guard error.kind == .constraint else { throw error }
            if let current = try table.record(idText, in: connection) {
                throw StoreError.conflict(model: table.model.name, current: current)
            }
            throw try refusal(of: values, columns: Array(table.columns.indices), id: idText, in: table) ?? error
        }
        totals[table.model.name, default: 0] += 1
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
        // A column that is written as it was costs its indexes, and would tell the history of a change that is none.
        let changed = columns.compactMap { index, value in
            let before = index < current.values.count ? current.values[index] : .null
            return before == value ? nil : (index: index, change: FieldChange(before: before, after: value))
        }
        guard !changed.isEmpty else { return }
        let indexes = changed.map(\.index), values = changed.map(\.change.after)
        do {
            try connection.run(table.update(columns: indexes), [.integer(commit)] + values + [.text(idText)])
        } catch {
            guard error.kind == .constraint else { throw error }
            throw try refusal(of: values, columns: indexes, id: idText, in: table) ?? error
        }
        try history.updated(idText, changed, in: table)
    }

    private mutating func delete(_ roots: [DeleteRoot]) throws {
        let resolution = try DeleteResolver(tables: tables, connection: connection).resolve(roots)
        if let denial = resolution.denials.first {
            throw StoreError.deleteDenied(
                model: denial.key.target, referencedBy: denial.key.model, count: denial.rows.count
            )
        }
        cascaded.add(resolution.plan)
        if let cascadeLimit, cascaded.cascadeCount > cascadeLimit {
            throw StoreError.needsConfirmation(cascaded)
        }
        unresolved += resolution.unresolved
        var executor = DeleteExecutor(connection: connection, commit: commit, history: history)
        for (model, count) in try executor.run(resolution) {
            totals[model, default: 0] -= count
        }
        history = executor.history
    }

    private mutating func remove(_ id: UUID, from table: ModelTable) throws {
        let idText = id.canonicalText
        guard let current = try table.record(idText, in: connection) else {
            throw StoreError.notFound(model: table.model.name, id: id)
        }
        try connection.run(table.remove, [.text(idText)])
        totals[table.model.name, default: 0] -= 1
        try history.deleted(idText, current.values, in: table)
    }

    private func danglingReference(after steps: [Step]) throws -> any Error {
        try missingReference(in: steps) ?? deniedByReference(unresolved)
            ?? StoreError.malformed("it would leave a reference to a record that does not exist.")
    }
}

extension DeletePlan {
    /// One change set can delete in several steps.
    fileprivate mutating func add(_ other: DeletePlan) {
        self = DeletePlan(
            requested: requested + other.requested,
            cascades: cascades.merging(other.cascades, uniquingKeysWith: +),
            nullifies: nullifies.merging(other.nullifies, uniquingKeysWith: +)
        )
    }
}
