import AviaryDomain

/// The text indexes of all models with searched properties.
///
/// They are derived from the records and are rebuilt if they do not match the models.
struct SearchIndexes: Sendable {
    let tables: [SearchTable]

    init(_ schema: Schema, _ dialect: any SQLDialect) {
        tables = schema.models.compactMap { SearchTable($0, dialect) }
    }

    /// Updates the indexes for the records that the open transaction has changed. It must be called before the
    /// commit.
    ///
    /// - Returns: The tables of the indexes that were updated.
    @discardableResult
    func update(in connection: any Connection) throws -> [SearchTable] {
        guard !tables.isEmpty else { return [] }
        let models = try SearchNotes.changedModels(in: connection)
        guard !models.isEmpty else { return [] }
        let changed = tables.filter { models.contains($0.model.name) }
        for table in changed { for statement in table.update { try connection.run(statement) } }
        try SearchNotes.clear(in: connection)
        return changed
    }

    /// Removes the indexes that do not match, so that they do not interfere with a migration of the models' tables.
    func removeUnfit(in connection: any Connection) throws {
        let triggers = try connection.triggers()
        let wanted = self.wanted
        for name in try connection.tableNames() where Self.isSearchTable(name) {
            if let table = wanted[name], try table.fits(connection, triggers) { continue }
            try remove(name, triggers, in: connection)
        }
    }

    /// Removes all indexes. ``install(in:)`` creates them again.
    func removeAll(in connection: any Connection) throws {
        let triggers = try connection.triggers()
        for name in try connection.tableNames() where Self.isSearchTable(name) {
            try remove(name, triggers, in: connection)
        }
    }

    /// Creates and fills the missing indexes, and removes all others.
    ///
    /// It must be called in the transaction that changes the models' tables, after the change, so that the indexes
    /// match the result of a migration.
    func install(in connection: any Connection) throws {
        try removeUnfit(in: connection)
        let existing = Set(try connection.tableNames())
        let hasNotes = existing.contains(SearchNotes.table)
        if tables.isEmpty {
            if hasNotes { try connection.run("DROP TABLE \(SearchNotes.table)") }
            return
        }
        if !hasNotes { try connection.run(SearchNotes.creation(connection.dialect)) }
        // A migration can have changed many records.
        for table in try update(in: connection) { try table.mergeAll(in: connection) }
        for (name, table) in wanted.sorted(by: { $0.key < $1.key }) {
            if existing.contains(name) {
                // The engine merges in a file of a former version.
                try table.merging?.disableAutomatic(in: connection)
            } else {
                for statement in table.creation { try connection.run(statement) }
                // The first save would merge many pages otherwise.
                try table.mergeAll(in: connection)
            }
        }
    }

    /// Rebuilds all indexes from the records in the open transaction, without reading the old ones.
    func rebuild(in connection: any WriterConnection) throws {
        try connection.forgetTables(beginningWith: SearchNotes.table)
        try install(in: connection)
    }

    /// Indicates whether a table belongs to the text indexes, including those that the engine or the store creates
    /// for them.
    static func isPart(_ table: String) -> Bool {
        table == SearchNotes.table || table.hasPrefix(SearchTable.namePrefix)
    }

    /// Indicates whether a statement uses a table of the text indexes. The names of all begin with that of the notes.
    static func isConcerned(by sql: String) -> Bool { sql.contains(SearchNotes.table) }

    private var wanted: [String: SearchTable] {
        Dictionary(
            tables.map { (SearchTable.tableName(of: $0.model.name), $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func remove(_ name: String, _ triggers: [String: String], in connection: any Connection) throws {
        let dialect = connection.dialect
        for trigger in triggers.keys where trigger.hasPrefix(name + ".") {
            try connection.run(dialect.dropTrigger(dialect.name(trigger)))
        }
        let index = dialect.name(name + SearchTable.indexSuffix), parts = dialect.name(name + SearchTable.partsSuffix)
        for statement in dialect.dropTextIndex(index, parts: parts) { try connection.run(statement) }
        try connection.run("DROP TABLE \(dialect.name(name))")
    }

    /// Indicates whether a table is a search table. The tables that the engine creates for the index are not.
    static func isSearchTable(_ name: String) -> Bool {
        name.hasPrefix(SearchTable.namePrefix) && !name.dropFirst(SearchTable.namePrefix.count).contains(".")
    }
}

extension SearchTable {
    /// Indicates whether the file has the index as it would be created. All changes must be applied to it.
    fileprivate func fits(_ connection: any Connection, _ existing: [String: String]) throws -> Bool {
        let table = Self.tableName(of: model.name)
        guard try connection.columnNames(ofTable: table) == columnNames,
            try !dialect.hasPartList || connection.tableNames().contains(table + Self.partsSuffix)
        else { return false }
        return triggers.allSatisfy { existing[$0.name] == $0.definition.description }
    }
}
