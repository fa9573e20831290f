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

extension StoreLayout {
    /// The models of the file, and their relations.
    static func summary(in connection: any Connection) throws -> SchemaSummary {
        var summary = SchemaSummary(lines: try lines(in: connection), models: try models(in: connection))
        for table in try connection.tableNames() {
            guard let relation = LinkTable.relation(ofTable: table), summary.relation(relation.name) == nil else {
                continue
            }
            summary.add(try LinkTable.summary(of: relation, in: connection))
        }
        return summary
    }

    /// - Throws: ``StoreOpenError/schemaChanged(missing:added:)`` when a model that has a table is not as the file has
    ///   it; ``StoreOpenError/damagedSchema(path:)`` when the file does not tell.
    static func check(_ schema: Schema, againstFileOf connection: any Connection) throws {
        let known = try models(in: connection)
        let stored = try lines(in: connection).filter { SchemaSummary(lines: [$0]).relations.isEmpty }
        let wanted = schema.propertyLines.filter { known.contains(modelName(ofLine: $0)) }
        var missing = stored.filter { !wanted.contains($0) }
        // A model without stored properties has no line of its own.
        let named = Set(missing.map(modelName))
        missing += known.filter { schema.model($0) == nil && !named.contains($0) }.sorted()
        let (unfit, lacking) = try differences(of: schema.links, from: summary(in: connection))
        missing += unfit
        let added = wanted.filter { !stored.contains($0) } + lacking
        guard missing.isEmpty, added.isEmpty else {
            try checkWhole(connection)
            throw StoreOpenError.schemaChanged(missing: missing, added: added)
        }
    }

    /// A reader's schema must be in the file, which may have more models and more properties: a reader names the
    /// columns that it knows. Every value that the file may hold must be one that the reader understands.
    static func checkReadable(_ schema: Schema, in connection: any Connection) throws {
        let file = try summary(in: connection)
        var missing: [String] = []
        var added = schema.models.map(\.name).filter { file.models[$0] == nil }
        for model in schema.models where file.models[model.name] != nil {
            let columns = Set(try connection.columnNames(ofTable: model.name))
            for property in model.storedProperties {
                guard let stored = file.property(property.name, of: model.name) else {
                    added.append(property.line(of: model.name))
                    continue
                }
                guard property.canRead(stored) else {
                    missing.append(stored.line(of: model.name))
                    added.append(property.line(of: model.name))
                    continue
                }
                guard columns.contains(property.name) else {
                    throw StoreOpenError.missingColumn(model: model.name, property: property.name)
                }
            }
        }
        let tables = Set(try connection.tableNames())
        for relation in schema.links {
            let stored = file.relation(relation.name)
            guard let stored, stored.fits(relation), tables.contains(LinkTable.namePrefix + relation.name) else {
                if let stored { missing.append(stored.line) }
                added.append(SchemaSummary.Relation(relation).line)
                continue
            }
        }
        guard missing.isEmpty, added.isEmpty else {
            try checkWhole(connection)
            throw StoreOpenError.schemaChanged(missing: missing, added: added)
        }
    }

    /// - Throws: ``StoreOpenError/damagedSchema(path:)``.
    static func checkWhole(_ connection: any Connection) throws {
        guard try !hasTornSchema(in: connection) else { throw StoreOpenError.damagedSchema(path: connection.path) }
    }

    /// A relation that only the program has begins without links.
    private static func differences(
        of links: [LinkRelation], from file: SchemaSummary
    ) -> (missing: [String], added: [String]) {
        let unfit = file.relations.filter { stored in !links.contains { stored.fits($0) } }
        let names = Set(unfit.map(\.name))
        return (unfit.map(\.line), links.filter { names.contains($0.name) }.map { SchemaSummary.Relation($0).line })
    }

    private static func lines(in connection: any Connection) throws -> [String] {
        guard case .text(let summary) = try MetaTable.value(.schema, in: connection) else { return [] }
        return summary.split(separator: "\n").map(String.init)
    }

    private static func modelName(ofLine line: String) -> String {
        String(line.prefix { $0 != "." })
    }
}

extension PropertySchema {
    fileprivate func canRead(_ stored: SchemaSummary.Property) -> Bool {
        guard isOptional || !stored.isOptional else { return false }
        if let known = type.choices(comparedWith: stored.type), let found = stored.type.choices(comparedWith: type) {
            return Set(found).isSubset(of: known)
        }
        return type == stored.type
    }

    fileprivate func line(of model: String) -> String { "\(model).\(name) \(type.name)" + (isOptional ? "?" : "") }
}

extension SchemaSummary.Property {
    fileprivate func line(of model: String) -> String { "\(model).\(name) \(type.name)" + (isOptional ? "?" : "") }
}
