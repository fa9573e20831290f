import AviaryDomain

// Damage that a statement meets fails what the statement was for, and nothing else: most of a file is whole when a page of it is not.
extension Store {
    /// Whether something in the file is known to be damaged. Nothing is removed from it by itself then.
    var isDamaged: Bool {
        if case .damaged = care.checker.result { true } else { false }
    }

    func meet(_ damage: EngineError) {
        let models = tables.all.filter { damage.operation.contains($0.name) }.map(\.model.name)
        let place = models.isEmpty ? "" : "In \(Words.list(models)): "
        care.checker.met(place + damage.description)
    }

    /// Makes the words of a model anew, in the open transaction. What they follow from is whole: it was just written.
    func rebuildWords(of table: SearchTable) throws {
        try connection.forgetTables(beginningWith: SearchTable.tableName(of: table.model.name))
        try tables.search.install(in: connection)
    }

    /// Makes what is derived anew, of the next table that was found damaged; nil when there is none, or a check is still under way.
    /// Where the table itself cannot be read, everything stays as it is.
    func rebuildDamaged() throws -> CareStep? {
        guard isDamaged else { return nil }
        guard let table = care.checker.damagedTables.first(where: { !care.rebuiltTables.contains($0) }) else { return nil }
        care.rebuiltTables.insert(table)
        try connection.transaction {
            if let words = tables.search.tables.first(where: { table.hasPrefix(SearchTable.tableName(of: $0.model.name)) }) {
                try rebuildWords(of: words)
            } else {
                try connection.rebuildIndexes(ofTable: table)
            }
        }
        if care.checker.damagedTables.allSatisfy(care.rebuiltTables.contains) {
            care.checker.start()
        }
        return .rebuilt(table)
    }
}
