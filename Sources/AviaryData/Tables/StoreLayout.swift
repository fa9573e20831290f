import AviaryDomain
import Foundation

/// What the file must hold for a schema: creates what is missing and refuses what differs.
struct StoreLayout {
    /// Of the tables that the store keeps for itself.
    static let version = 1

    let tables: ModelTables
    let sortIndexes: Set<SortIndex>

    private var schema: Schema { tables.schema }

    func install(in connection: Connection) throws {
        try schema.checkTableNames()
        try connection.run("BEGIN IMMEDIATE")
        do {
            if try Self.isEmpty(connection) {
                try createOwnTables(in: connection)
            } else {
                try Self.checkIdentity(of: connection)
                try Self.check(schema, againstFileOf: connection)
            }
            try createNewModels(in: connection)
            try updateSortIndexes(in: connection)
            try connection.run("COMMIT")
        } catch {
            connection.abandonTransaction()
            throw error
        }
    }

    private static func isEmpty(_ connection: Connection) throws -> Bool {
        try connection.firstRow("SELECT 1 FROM sqlite_schema LIMIT 1") { _ in true } == nil
    }

    static func checkIdentity(of connection: Connection) throws {
        try connection.checkIsStore()
        let version = try connection.pragma("user_version")
        guard version == String(Self.version) else {
            throw StoreOpenError.otherVersion(path: connection.path, found: version, wanted: String(Self.version))
        }
    }

    private func createOwnTables(in connection: Connection) throws {
        try connection.run("PRAGMA application_id=\(Connection.storeID)")
        try connection.run("PRAGMA user_version=\(Self.version)")
        let ownTables = [MetaTable.creation, TotalTable.creation]
            + CommitTable.creation + ChangeTable.creation + DiscardTable.creation
        for statement in ownTables { try connection.run(statement) }
        try StorePosition.start.write(to: connection)
        try MetaTable.set(.restoreEpoch, to: .text(UUID().canonicalText), in: connection)
    }

    private func createNewModels(in connection: Connection) throws {
        let known = try TotalTable.models(in: connection)
        for table in tables.all where !known.contains(table.model.name) {
            for statement in table.creation { try connection.run(statement) }
            try TotalTable.add(table.model.name, in: connection)
        }
        try MetaTable.set(.schema, to: .text(schema.summary.joined(separator: "\n")), in: connection)
    }

    private func updateSortIndexes(in connection: Connection) throws {
        let existing = try SortIndex.all(in: connection)
        for index in existing.subtracting(sortIndexes) {
            try connection.run("DROP INDEX \(SQL.name(index.name))")
        }
        for index in sortIndexes.subtracting(existing) {
            guard let table = tables[index.model],
                  let property = table.model.property(index.property), property.isSortable
            else { throw StoreOpenError.unknownSortIndex(index) }
            try connection.run(table.createSortIndex(property, named: index.name))
        }
    }
}

extension SortIndex {
    /// Those that the file has.
    static func all(in connection: Connection) throws -> Set<SortIndex> {
        let names = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'index'") { $0.text(0) ?? "" }
        return Set(names.compactMap(SortIndex.init(name:)))
    }
}
