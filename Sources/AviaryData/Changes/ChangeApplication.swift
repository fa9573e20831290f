import AviaryDomain
import Foundation

/// Applies one change set inside a savepoint of the store's connection.
struct ChangeApplication {
    let tables: ModelTables
    let connection: Connection
    let commit: Int64
    let cascadeLimit: Int?
    /// How the number of records of each model changes.
    private(set) var totals: [String: Int] = [:]
    private var cascaded = DeletePlan(requested: 0, cascades: [:], nullifies: [:])
    private var unresolved: [DeleteResolution.Referrers] = []

    init(tables: ModelTables, connection: Connection, commit: Int64, cascadeLimit: Int?) {
        self.tables = tables
        self.connection = connection
        self.commit = commit
        self.cascadeLimit = cascadeLimit
    }

    /// - Throws: ``StoreError``, or ``SQLiteError`` for everything that is not the change set's own fault.
    mutating func apply(_ steps: [Step]) throws {
        for step in steps {
            switch step {
            case .insert(let table, let id, let values): try insert(id, values, into: table)
            case .update(let table, let id, let version, let columns, let values):
                try update(id, version, columns, values, of: table)
            case .delete(let roots): try delete(roots)
            }
        }
        // RELEASE would succeed and the COMMIT fail, for every change set of the batch.
        if connection.hasDanglingReferences {
            throw try danglingReference(after: steps)
        }
    }

    private mutating func insert(_ id: UUID, _ values: [FieldValue], into table: ModelTable) throws {
        let idText = id.canonicalText
        if let failure = try constraintFailure(table.insert, [.text(idText), .integer(commit)] + values) {
            if let current = try table.record(idText, in: connection) {
                throw StoreError.conflict(model: table.model.name, current: current)
            }
            throw try refusal(of: values, columns: Array(table.columns.indices), id: idText, in: table) ?? failure
        }
        totals[table.model.name, default: 0] += 1
    }

    private func update(
        _ id: UUID, _ version: Int64, _ columns: [Int], _ values: [FieldValue], of table: ModelTable
    ) throws {
        let idText = id.canonicalText
        let parameters = [.integer(commit)] + values + [.text(idText), .integer(version)]
        if let failure = try constraintFailure(table.update(columns: columns), parameters) {
            throw try refusal(of: values, columns: columns, id: idText, in: table) ?? failure
        }
        guard connection.changedRows == 0 else { return }
        guard let current = try table.record(idText, in: connection) else {
            throw StoreError.notFound(model: table.model.name, id: id)
        }
        throw StoreError.conflict(model: table.model.name, current: current)
    }

    /// Runs the statement; nil when no constraint stands against it.
    private func constraintFailure(_ sql: String, _ parameters: [FieldValue]) throws(SQLiteError) -> SQLiteError? {
        do {
            try connection.run(sql, parameters)
            return nil
        } catch {
            guard error.isConstraint else { throw error }
            return error
        }
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
        for (model, count) in try DeleteExecutor(connection: connection, commit: commit).run(resolution) {
            totals[model, default: 0] -= count
        }
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
