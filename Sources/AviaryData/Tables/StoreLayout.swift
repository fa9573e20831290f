import AviaryDomain
import Foundation

/// The tables and indexes that a file needs for a schema. Installing the layout creates what is missing and rejects
/// what differs.
struct StoreLayout {
    /// The version of the layout of the store's own tables.
    static let version = 1

    /// The names of the store's own tables, without which nothing can be stored.
    static let ownTables = ["aviary_meta", "aviary_total", "aviary_commit", "aviary_change", "aviary_discard"]

    let tables: ModelTables
    let sortIndexes: Set<SortIndex>

    private var schema: Schema { tables.schema }

    /// Installs the layout, with a migration if necessary.
    ///
    /// - Parameter copy: A function that is called before existing contents are rewritten.
    func install(
        _ instructions: MigrationInstructions = .none, in connection: any WriterConnection,
        copy: () throws -> SafetyCopy? = { nil }
    ) throws {
        try schema.checkTableNames(connection.dialect)
        if try connection.isEmpty(), try create(instructions, in: connection) { return }
        try Self.checkIdentity(of: connection)
        try Self.rebuildDamagedTotals(in: connection)
        let recorded = try MetaTable.text(.schema, in: connection)
        let migration = try DerivedMigration(to: self, instructions, in: connection)
        guard migration.refusals.isEmpty else { throw StoreOpenError.migrationRefused(migration.refusals) }
        guard try !migration.changesTables || LongChange.read(from: connection) == nil else {
            throw StoreOpenError.migrationRefused([
                "A change of many records is under way. Start the previous version until it is complete."
            ])
        }
        let safetyCopy = migration.rewritesRecords && instructions.copiesStore ? try copy() : nil
        do {
            do {
                try migrate(migration, from: recorded, in: connection)
            } catch let error as EngineError where error.kind == .damage {
                // The text indexes are derived from the records. Any other damage fails again.
                try connection.transaction { try tables.search.rebuild(in: connection) }
                try migrate(migration, from: recorded, in: connection)
            }
        } catch {
            safetyCopy?.discard()
            throw error
        }
        safetyCopy?.removeOthers()
    }

    /// Creates the store.
    ///
    /// - Returns: False if another host has created it meanwhile.
    private func create(_ instructions: MigrationInstructions, in connection: any WriterConnection) throws -> Bool {
        try connection.transaction {
            guard try connection.isEmpty() else { return false }
            try createOwnTables(in: connection)
            try apply(DerivedMigration(.empty, to: self, instructions, in: connection), in: connection)
            return true
        }
    }

    private func migrate(
        _ migration: DerivedMigration, from recorded: String?, in connection: any WriterConnection
    ) throws {
        func work() throws {
            try connection.transaction {
                // Only the store of another host can have migrated it meanwhile.
                guard try MetaTable.text(.schema, in: connection) == recorded else {
                    throw StoreOpenError.database(
                        "\(connection.path): another host has changed the models meanwhile. Start this one again.")
                }
                try apply(migration, in: connection)
            }
        }
        guard migration.replacesTables else { return try work() }
        try connection.withoutReferenceChecks(work)
    }

    /// Applies the migration. The text indexes are rebuilt from the records that result from it.
    private func apply(_ migration: DerivedMigration, in connection: any WriterConnection) throws {
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
            MetaTable.creation, RecordCountTable.creation, CommitTable.creation, ChangeTable.creation,
            DiscardedDraftTable.creation,
        ] {
            for statement in creation(connection.dialect) { try connection.run(statement) }
        }
        try StorePosition.start.write(to: connection)
        try MetaTable.set(.restoreEpoch, to: .text(UUID().canonicalText), in: connection)
    }
}

extension SortIndex {
    /// Returns the sort indexes of the file.
    static func all(in connection: any Connection) throws -> Set<SortIndex> {
        Set(try connection.indexes().compactMap { SortIndex(name: $0.name) })
    }
}

extension StoreLayout {
    /// Returns the models of the file and their relations.
    static func summary(in connection: any Connection) throws -> SchemaSummary {
        var summary = SchemaSummary(
            lines: try lines(.schema, in: connection), models: try models(in: connection),
            embeddedLines: try lines(.embeddedStructs, in: connection))
        for table in try connection.tableNames() {
            guard let relation = LinkTable.relation(ofTable: table), summary.relation(relation.name) == nil else {
                continue
            }
            summary.add(try LinkTable.summary(of: relation, in: connection))
        }
        return summary
    }

    /// Checks that the models equal those of the file.
    ///
    /// - Throws: ``StoreOpenError/schemaChanged(missing:added:)`` if a model with a table differs from the one in
    ///   the file; ``StoreOpenError/damagedSchema(path:)`` if the recorded schema is damaged.
    static func check(_ schema: Schema, againstFileOf connection: any Connection) throws {
        let known = try models(in: connection)
        let stored = try lines(.schema, in: connection).filter { SchemaSummary(lines: [$0]).relations.isEmpty }
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

    /// Checks that a reader's schema is in the file.
    ///
    /// The file may have more models and more properties, because a reader names the columns that it knows. The
    /// reader must understand every value that the file may contain.
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

    /// Checks that the recorded schema is not damaged.
    ///
    /// - Throws: ``StoreOpenError/damagedSchema(path:)``.
    static func checkWhole(_ connection: any Connection) throws {
        guard try !hasTornSchema(in: connection) else { throw StoreOpenError.damagedSchema(path: connection.path) }
    }

    /// Returns the relations that differ. A relation that only the program has starts without links.
    private static func differences(
        of links: [LinkRelation], from file: SchemaSummary
    ) -> (missing: [String], added: [String]) {
        let unfit = file.relations.filter { stored in !links.contains { stored.fits($0) } }
        let names = Set(unfit.map(\.name))
        return (unfit.map(\.line), links.filter { names.contains($0.name) }.map { SchemaSummary.Relation($0).line })
    }

    private static func lines(_ key: MetaTable.Key, in connection: any Connection) throws -> [String] {
        guard case .text(let summary) = try MetaTable.value(key, in: connection) else { return [] }
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

// These functions distinguish a damaged file from one of another program. The columns of a table are described on
// another page than its rows.
extension StoreLayout {
    /// Returns the models that have a table. If the totals are unreadable, the tables themselves are listed.
    static func models(in connection: any Connection) throws -> Set<String> {
        do {
            return try RecordCountTable.models(in: connection)
        } catch let error as EngineError where error.kind == .damage {
            return try modelTables(in: connection)
        }
    }

    /// Indicates whether the recorded schema is missing or contains characters that result from zeroed or changed
    /// bytes. No program writes them.
    static func hasTornSchema(in connection: any Connection) throws -> Bool {
        do {
            guard case .text(let text) = try MetaTable.value(.schema, in: connection) else { return true }
            return text.unicodeScalars.contains { $0 == "\0" || $0 == "\u{FFFD}" }
        } catch let error as EngineError where error.kind == .damage {
            return true
        }
    }

    /// Indicates whether the recorded schema is damaged or does not match the file's tables.
    static func hasDamagedSchema(in connection: any Connection) throws -> Bool {
        guard try !hasTornSchema(in: connection) else { return true }
        let file = try summary(in: connection)
        guard try modelTables(in: connection) == Set(file.models.keys) else { return true }
        return try file.models.contains { model, properties in
            try connection.columnNames(ofTable: model).sorted()
                != columns(properties.filter(\.type.isStored).map(\.name))
        }
    }

    /// Indicates whether each table of the file belongs to a model or relation and has exactly its columns. The
    /// recorded schema is ignored.
    static func tables(of connection: any Connection, fit schema: Schema) throws -> Bool {
        let links = Set(schema.links.map { LinkTable.namePrefix + $0.name })
        let names = try connection.tableNames().filter { $0.hasPrefix(LinkTable.namePrefix) }
        guard links.isSuperset(of: names) else { return false }
        return try modelTables(in: connection).allSatisfy { name in
            guard let model = schema.model(name) else { return false }
            return try connection.columnNames(ofTable: name).sorted() == columns(model.storedProperties.map(\.name))
        }
    }

    /// Counts all records again if the totals, which are derived from the records, are unreadable.
    static func rebuildDamagedTotals(in connection: any WriterConnection) throws {
        do {
            _ = try RecordCountTable.models(in: connection)
        } catch let error as EngineError where error.kind == .damage {
            try connection.transaction { try rebuildTotals(in: connection) }
        }
    }

    /// Replaces the totals. It must be called in a transaction. The old table is dropped without being read.
    static func rebuildTotals(in connection: any WriterConnection) throws {
        let models = try modelTables(in: connection).sorted()
        try connection.forgetTables(beginningWith: RecordCountTable.name)
        for statement in RecordCountTable.creation(connection.dialect) { try connection.run(statement) }
        for model in models {
            let sql = "SELECT count(*) FROM \(connection.dialect.name(model))"
            try RecordCountTable.add(model, in: connection)
            try RecordCountTable.add(
                try connection.firstRow(sql) { Int($0.integer(0)) } ?? 0, to: model, in: connection)
        }
    }

    static func modelTables(in connection: any Connection) throws -> Set<String> {
        Set(
            try connection.tableNames().filter { name in
                !ownTables.contains(name) && name != PendingRowTable.name
                    && !name.hasPrefix(connection.dialect.ownTablePrefix)
                    && !name.hasPrefix(LinkTable.namePrefix) && !SearchIndexes.isPart(name)
            })
    }

    private static func columns(_ properties: [String]) -> [String] {
        (["id", "aviary_version"] + properties).sorted()
    }
}
