import AviaryDomain

// The models that every application has. A restore must neither lock everybody out nor end the record of who did what, nor
// undo that a session was ended.
extension StoreReplacement {
    /// Takes over the records of those models of which the snapshot has none.
    static func carryOver(_ tables: ModelTables, from live: any Connection, to connection: any WriterConnection) throws
    {
        for table in tables.all where table.model.isBuiltIn {
            let name = table.model.name
            guard try TotalTable.count(name, in: connection) == 0 else { continue }
            let insert = try connection.statement(table.insert)
            let row = try live.statement("SELECT \(table.selection) FROM \(table.name)")
            defer { row.reset() }
            var count = 0
            while try row.step() {
                defer { insert.reset() }
                try insert.bind(row.values(0..<table.columns.count + 2))
                _ = try insert.step()
                count += 1
            }
            try TotalTable.add(count, to: name, in: connection)
        }
    }

    /// - Parameter commit: Of the restore: the version of the accounts that it changes.
    static func renewAccounts(
        _ tables: ModelTables, from live: any Connection, in connection: any WriterConnection, commit: Int64
    ) throws {
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
            let parameters = [.integer(commit)] + changed.map(\.value) + [restored.id.uuid.fieldValue]
            try connection.run(table.update(columns: changed.map(\.index)), parameters)
        }
    }
}
