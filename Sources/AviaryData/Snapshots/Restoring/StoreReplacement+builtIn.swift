import AviaryDomain
import Foundation

// The models that every application has. A restore must neither lock everybody out nor end the record of who did what, nor
// undo that a session was ended.
extension StoreReplacement {
    /// In the history, of what a restore does by itself.
    static let author = "restore"

    /// Takes over the records of those models of which the snapshot has none, and of events those that it does not
    /// have: what a store has told stays told.
    static func carryOver(_ tables: ModelTables, from live: any Connection, to connection: any WriterConnection) throws
    {
        for table in tables.all where table.model.isBuiltIn {
            let name = table.model.name
            let restored = try TotalTable.count(name, in: connection)
            guard restored == 0 || name == AuditEvent.modelName else { continue }
            let insert = try connection.statement(table.insert), remove = try connection.statement(table.remove)
            let row = try live.statement("SELECT \(table.selection) FROM \(table.name)")
            defer { row.reset() }
            var count = 0
            while try row.step() {
                defer { insert.reset() }
                // As the live store has it.
                if restored > 0 { count -= try Self.remove(row.value(0), of: table, by: remove, in: connection) }
                try insert.bind(row.values(0..<table.columns.count + 2))
                _ = try insert.step()
                count += 1
            }
            try TotalTable.add(count, to: name, in: connection)
        }
    }

    /// - Returns: How many records are gone: one or none.
    private static func remove(
        _ id: FieldValue, of table: ModelTable, by statement: any PreparedStatement, in connection: any Connection
    ) throws -> Int {
        guard try connection.firstRow(table.find, [id], read: { _ in true }) != nil else { return 0 }
        defer { statement.reset() }
        try statement.bind([id])
        _ = try statement.step()
        return 1
    }

    /// Keeps shut out who is shut out, in the commit of the restore, whose number is the version of the accounts that
    /// it changes.
    static func renewAccounts(
        _ tables: ModelTables, from live: any Connection, in connection: any WriterConnection, at time: Date,
        _ policy: HistoryPolicy, _ position: inout StorePosition
    ) throws {
        var history = HistoryWriter(
            connection: connection, commit: position.commit, nextChange: position.nextChange,
            excludedModels: policy.excludedModels)
        guard let table = tables[Account.modelName] else { return }
        func accounts(_ connection: any Connection) throws -> [Account] {
            try connection.rows("SELECT \(table.selection) FROM \(table.name)") { try Account(table.record($0)) }
        }
        for case (let restored, let current?) in Account.pairs(
            restored: try accounts(connection), current: try accounts(live))
        {
            let before = restored.fieldValues
            let values = restored.restored(inPlaceOf: current).fieldValues
            let changed = table.model.storedProperties.enumerated().compactMap { index, property in
                values[property.name].flatMap { $0 == before[property.name] ? nil : (index: index, value: $0) }
            }
            guard !changed.isEmpty else { continue }
            let parameters = [.integer(position.commit)] + changed.map(\.value) + [restored.id.uuid.fieldValue]
            try connection.run(table.update(columns: changed.map(\.index)), parameters)
            let changes = changed.map { index, value in
                (
                    index: index,
                    change: FieldChange(
                        before: before[table.model.storedProperties[index].name] ?? .null, after: value)
                )
            }
            try history.updated(restored.id.uuid.canonicalText, changes, in: table)
        }
        guard history.nextChange > position.nextChange else { return }
        try CommitTable.add(
            position.commit, changeSet: UUID.version7().canonicalText, fingerprint: [], by: Self.author, undoes: nil,
            at: time, changes: position.nextChange..<history.nextChange, unrecorded: history.unrecorded, in: connection)
        position.nextChange = history.nextChange
        position.historySize += history.size
    }
}
