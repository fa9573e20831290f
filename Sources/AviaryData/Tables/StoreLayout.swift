import AviaryDomain
import Foundation

/// What the file must hold for a schema: creates what is missing and refuses what differs.
struct StoreLayout {
    /// Of the tables that the store keeps for itself.
    static let version = 1

    let tables: ModelTables
    let sortIndexes: Set<SortIndex>

    private var schema: Schema { tables.schema }

    func install(in connection: any WriterConnection) throws {
        try schema.checkTableNames(connection.dialect)
        try connection.transaction {
            if try connection.isEmpty() {
                try createOwnTables(in: connection)
            } else {
                try Self.checkIdentity(of: connection)
                try Self.check(schema, againstFileOf: connection)
            }
            try createNewModels(in: connection)
            try updateSortIndexes(in: connection)
        }
    }

    static func checkIdentity(of connection: any Connection) throws {
        try connection.checkIsStore()
        let version = try connection.layoutVersion()
        guard version == String(Self.version) else {
            throw StoreOpenError.otherVersion(path: connection.path, found: version, wanted: String(Self.version))
        }
    }

    private func createOwnTables(in connection: any WriterConnection) throws {
        try connection.markAsStore(layout: Self.version)
        for creation in [
            MetaTable.creation, TotalTable.creation, CommitTable.creation, ChangeTable.creation, DiscardTable.creation,
        ] {
            for statement in creation(connection.dialect) { try connection.run(statement) }
        }
        try StorePosition.start.write(to: connection)
        try MetaTable.set(.restoreEpoch, to: .text(UUID().canonicalText), in: connection)
    }

    private func createNewModels(in connection: any Connection) throws {
        let known = try TotalTable.models(in: connection)
        for table in tables.all where !known.contains(table.model.name) {
            for statement in table.creation { try connection.run(statement) }
            try TotalTable.add(table.model.name, in: connection)
        }
        try MetaTable.set(.schema, to: .text(schema.summary.joined(separator: "\n")), in: connection)
    }

    private func updateSortIndexes(in connection: any Connection) throws {
        let existing = try SortIndex.all(in: connection)
        for index in existing.subtracting(sortIndexes) {
            try connection.run("DROP INDEX \(connection.dialect.name(index.name))")
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
    static func all(in connection: any Connection) throws -> Set<SortIndex> {
        Set(try connection.indexes().compactMap { SortIndex(name: $0.name) })
    }
}
