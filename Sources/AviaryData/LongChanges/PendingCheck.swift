import AviaryDomain
import Foundation

/// The reason why a job cannot run now: it concerns rows of the long change under way.
struct PendingCollision: Error {
    enum End {
        /// The completion of these rows.
        case rows([PendingRow])
        /// The commit or the refusal of the long change.
        case commit
        /// The end of the long change.
        case end
    }

    /// The event that the job waits for.
    let end: End
}

/// The checks that keep jobs and the long change under way apart.
struct PendingCheck {
    /// The number of rows that are completed first for one job. A job that concerns more waits for the end.
    private static let mostRows = 500

    let change: LongChange
    let tables: ModelTables
    let connection: any WriterConnection

    /// Checks that the long change does not concern a record.
    ///
    /// - Throws: ``PendingCollision``, ``EngineError``.
    func check(_ id: String, of table: ModelTable) throws {
        guard let pending = try PendingRowTable.row(ofRecord: id, in: table, connection) else { return }
        throw PendingCollision(end: change.isCommitted ? .rows([pending]) : .commit)
    }

    /// Checks that the long change does not concern the rows of a delete.
    func check(_ resolution: DeleteResolution) throws {
        for rows in resolution.deletions { try check(rows.rows, of: rows.table) }
        for referrers in resolution.nullifications { try check(referrers.rows, of: referrers.table) }
    }

    private func check(_ rows: [Int64], of table: ModelTable) throws {
        let pending = try PendingRowTable.rows(
            of: table.model.name, among: rows, atMost: Self.mostRows, in: connection)
        guard !pending.isEmpty else { return }
        guard change.isCommitted else { throw PendingCollision(end: .commit) }
        throw PendingCollision(end: pending.count < Self.mostRows ? .rows(pending) : .end)
    }

    /// Checks that no step refers to a masked record, or to one that is about to be deleted.
    func checkReferences(of steps: [PreparedChange]) throws {
        for step in steps {
            if let error = try tables.missingReference(in: step, connection) { throw error }
            // An undo finds the references that exist when it begins to check, and no others.
            guard change.isUndo ? change.phase == .checking : !change.isCommitted else { continue }
            for (model, id) in tables.references(of: step) {
                guard let table = tables[model],
                    try PendingRowTable.row(ofRecord: id, in: table, connection)?.kind == .delete
                else { continue }
                throw PendingCollision(end: .commit)
            }
        }
    }

    /// Checks that a masked row is not what violates the table's constraints.
    ///
    /// - Parameter values: The values in the order of the stored properties.
    func check(holdersOf values: [FieldValue], id: String, in table: ModelTable) throws {
        try check(id, of: table)
        for holder in try table.holders(of: values, except: id, in: connection) { try check(holder.id, of: table) }
    }
}

extension ModelTables {
    /// Returns the records that a step refers to.
    fileprivate func references(of step: PreparedChange) -> [(model: String, id: String)] {
        switch step {
        case .insert(let table, _, let values):
            return table.references.compactMap { reference in
                guard reference.index < values.count, case .text(let id) = values[reference.index] else { return nil }
                return (reference.target, id)
            }
        case .update(let table, _, _, let columns, let values):
            return table.references.compactMap { reference in
                guard let position = columns.firstIndex(of: reference.index), position < values.count,
                    case .text(let id) = values[position]
                else { return nil }
                return (reference.target, id)
            }
        case .link(let side, let id, let target):
            return [
                (side.end.own.model, id.canonicalText), (side.end.other.model, target.canonicalText),
            ]
        case .delete, .remove, .unlink: return []
        }
    }
}
