import AviaryDomain
import Foundation

/// What the file must hold for a schema: creates what is missing and refuses what differs.
struct StoreLayout {
    /// Of the tables that the store keeps for itself.
    static let version = 1

    /// Their names, without which nothing can be stored.
    static let ownTables = ["aviary_meta", "aviary_total", "aviary_commit", "aviary_change", "aviary_discard"]

    let tables: ModelTables
    let sortIndexes: Set<SortIndex>

    private var schema: Schema { tables.schema }

    /// - Parameter copy: Called before what the file holds is rewritten.
    func install(
        _ instructions: MigrationInstructions = .none, in connection: any WriterConnection,
        copy: () throws -> SafetyCopy? = { nil }
    ) throws {
        try schema.checkTableNames(connection.dialect)
        guard try !connection.isEmpty() else {
            return try connection.transaction {
                try createOwnTables(in: connection)
                try apply(Migration(.empty, to: self, instructions, in: connection), in: connection)
            }
        }
        try Self.checkIdentity(of: connection)
        try Self.rebuildDamagedTotals(in: connection)
        // Nobody else changes the file between here and the transaction: this is the only writer.
        let migration = try Migration(to: self, instructions, in: connection)
        guard migration.refusals.isEmpty else { throw StoreOpenError.migrationRefused(migration.refusals) }
        let safetyCopy = migration.rewritesRecords && instructions.copiesStore ? try copy() : nil
        do {
            do {
                try migrate(migration, in: connection)
            } catch let error as EngineError where error.kind == .damage {
                // The words of texts follow from the records; what else is damaged fails again.
                try connection.transaction { try tables.search.rebuild(in: connection) }
                try migrate(migration, in: connection)
            }
        } catch {
            safetyCopy?.discard()
            throw error
        }
        safetyCopy?.removeOthers()
    }

    private func migrate(_ migration: Migration, in connection: any WriterConnection) throws {
        guard migration.replacesTables else {
            return try connection.transaction { try apply(migration, in: connection) }
        }
        try connection.withoutReferenceChecks {
            try connection.transaction { try apply(migration, in: connection) }
        }
    }

    /// The words of texts follow from the records as the migration leaves them.
    private func apply(_ migration: Migration, in connection: any WriterConnection) throws {
        try tables.search.removeUnfit(in: connection)
        try migration.apply(in: connection)
        try tables.search.install(in: connection)
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
