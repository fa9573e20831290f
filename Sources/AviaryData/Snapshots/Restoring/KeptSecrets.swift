import AviaryDomain

/// The secrets that a snapshot does not have. Records that the replaced store has too keep theirs; others have none.
///
/// They move when the finished store takes the place of the live one, in its turn: what was written until then counts,
/// and no secret is of another moment than the next.
enum KeptSecrets {
    /// Notes in a finished store which properties wait for the secrets of the store that it is to replace.
    static func note(_ properties: Set<String>, in connection: any Connection) throws {
        guard !properties.isEmpty else { return }
        try MetaTable.set(.withheldSecrets, to: .text(properties.sorted().joined(separator: "\n")), in: connection)
    }

    static func carryOver(_ tables: ModelTables, from live: any Connection, to connection: any WriterConnection) throws
    {
        guard case .text(let names) = try MetaTable.value(.withheldSecrets, in: connection) else { return }
        let withheld = Set(names.split(separator: "\n").map(String.init))
        for table in tables.all {
            let indexes = table.model.storedProperties.indices.filter { withheld.contains(table.secretName(at: $0)) }
            if !indexes.isEmpty { try carryOver(table.columns(at: indexes), of: table, from: live, to: connection) }
        }
        try forget(in: connection)
    }

    /// Clears the list of withheld secrets, for which nothing waits any more.
    static func forget(in connection: any Connection) throws(EngineError) {
        try MetaTable.set(.withheldSecrets, to: .null, in: connection)
    }

    private static func carryOver(
        _ columns: [String], of table: ModelTable, from live: any Connection, to connection: any WriterConnection
    ) throws {
        let row = try live.statement("SELECT \((columns + ["id"]).joined(separator: ", ")) FROM \(table.name)")
        defer { row.reset() }
        let assignments = columns.map { "\($0) = ?" }.joined(separator: ", ")
        let update = try connection.statement("UPDATE \(table.name) SET \(assignments) WHERE id = ?")
        while try row.step() {
            defer { update.reset() }
            try update.bind(row.values(0..<columns.count + 1))
            _ = try update.step()
        }
    }
}

extension ModelTable {
    /// A dot is in no name.
    func secretName(at index: Int) -> String { "\(model.name).\(model.storedProperties[index].name)" }

    fileprivate func columns(at indexes: [Int]) -> [String] { indexes.map { columns[$0] } }
}
