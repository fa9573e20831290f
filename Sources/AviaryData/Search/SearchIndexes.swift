import AviaryDomain

/// The words of all models that are searched. They follow from the records, so that they are made anew wherever they do
/// not fit.
struct SearchIndexes: Sendable {
    let tables: [SearchTable]

    init(_ schema: Schema, _ dialect: any SQLDialect) {
        tables = schema.models.compactMap { SearchTable($0, dialect) }
    }

    /// Brings the indexes in line with the records that the open transaction has changed. To be called before it
    /// commits.
    func update(in connection: any Connection) throws {
        guard !tables.isEmpty else { return }
        let changed = try SearchNotes.changedModels(in: connection)
        guard !changed.isEmpty else { return }
        for table in tables where changed.contains(table.model.name) {
            for statement in table.update { try connection.run(statement) }
        }
        try SearchNotes.clear(in: connection)
    }

    /// Removes those that do not fit, so that nothing of them stands against what a migration does to the models'
    /// tables.
    func removeUnfit(in connection: any Connection) throws {
        let triggers = try connection.triggers()
        let wanted = self.wanted
        for name in try connection.tableNames() where Self.isSearchTable(name) {
            if let table = wanted[name], try table.fits(connection, triggers) { continue }
            try remove(name, triggers, in: connection)
        }
    }

    /// Makes the file have these indexes and no others, complete. To be called in the transaction that made the models'
    /// tables what they are, after that: whatever a migration does to a table, its words follow.
    func install(in connection: any Connection) throws {
        try removeUnfit(in: connection)
        let existing = Set(try connection.tableNames())
        let hasNotes = existing.contains(SearchNotes.table)
        if tables.isEmpty {
            if hasNotes { try connection.run("DROP TABLE \(SearchNotes.table)") }
            return
        }
        if !hasNotes { try connection.run(SearchNotes.creation(connection.dialect)) }
        try update(in: connection)
        for (name, table) in wanted.sorted(by: { $0.key < $1.key }) where !existing.contains(name) {
            for statement in table.creation { try connection.run(statement) }
        }
    }

    /// Makes all of it anew from the records, whatever can be read of it, in the open transaction.
    func rebuild(in connection: any WriterConnection) throws {
        try connection.forgetTables(beginningWith: SearchNotes.table)
        try install(in: connection)
    }

    /// Whether it is a table of the words, or one that the engine or the store keeps for them.
    static func isPart(_ table: String) -> Bool {
        table == SearchNotes.table || table.hasPrefix(SearchTable.namePrefix)
    }

    private var wanted: [String: SearchTable] {
        Dictionary(
            tables.map { (SearchTable.tableName(of: $0.model.name), $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func remove(_ name: String, _ triggers: [String: String], in connection: any Connection) throws {
        let dialect = connection.dialect
        for trigger in triggers.keys where trigger.hasPrefix(name + ".") {
            try connection.run("DROP TRIGGER \(dialect.name(trigger))")
        }
        try connection.run("DROP TABLE \(dialect.name(name + SearchTable.indexSuffix))")
        try connection.run("DROP TABLE \(dialect.name(name))")
    }

    /// And none of the tables that the engine keeps for the index.
    static func isSearchTable(_ name: String) -> Bool {
        name.hasPrefix(SearchTable.namePrefix) && !name.dropFirst(SearchTable.namePrefix.count).contains(".")
    }
}

extension SearchTable {
    /// Returns a Boolean value that indicates whether the file has the index as it would be created, with all changes
    /// applied.
    fileprivate func fits(_ connection: any Connection, _ existing: [String: String]) throws -> Bool {
        guard try connection.columnNames(ofTable: Self.tableName(of: model.name)) == columnNames else { return false }
        return triggers.allSatisfy { existing[$0.name] == $0.creation }
    }
}
