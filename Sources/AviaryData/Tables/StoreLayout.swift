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
        guard try !connection.isEmpty() else {
            return try connection.transaction {
                try createOwnTables(in: connection)
                try Migration(.empty, to: self, in: connection).apply(in: connection)
            }
        }
        try Self.checkIdentity(of: connection)
        // Nobody else changes the file between here and the transaction: this is the only writer.
        let migration = try Migration(to: self, in: connection)
        guard migration.refusals.isEmpty else { throw StoreOpenError.migrationRefused(migration.refusals) }
        guard migration.rebuildsTables else { return try connection.transaction { try migration.apply(in: connection) } }
        try connection.withoutReferenceChecks {
            try connection.transaction { try migration.apply(in: connection) }
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
}

extension SortIndex {
    /// Those that the file has.
    static func all(in connection: any Connection) throws -> Set<SortIndex> {
        Set(try connection.indexes().compactMap { SortIndex(name: $0.name) })
    }
}
