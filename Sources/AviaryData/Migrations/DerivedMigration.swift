package import AviaryDomain

/// The steps that make a store's file fit a program's models.
///
/// The initializer only reads to find them. They are applied in one transaction.
package struct DerivedMigration: Sendable {
    /// The steps in their order; a single step without a plan.
    let migrationSteps: [MigrationStep]
    let layout: StoreLayout
    let indexes: IndexChanges
    let search: SearchChanges
    let version: Schema.Version?
    /// The names by which the user can give up data that would be lost, or has done so.
    package let droppableNames: Set<String>
    /// The obstacles of the existing records, in words.
    private let obstacles: [String]

    package var kind: SchemaDifference.Kind {
        if !refusals.isEmpty { return .refused }
        return max(recordKind, search.kind)
    }

    private var recordKind: SchemaDifference.Kind {
        max(migrationSteps.map(\.kind).max() ?? .none, indexes.kind(after: migrationSteps))
    }

    /// Indicates whether tables of models or relations change.
    var changesTables: Bool { migrationSteps.contains { $0.kind != .none } }

    package var steps: [String] {
        migrationSteps.flatMap(\.steps) + indexes.steps(explaining: migrationSteps)
            + search.steps(explaining: migrationSteps)
    }

    /// The reasons to reject the migration, as sentences; empty if it can be applied.
    package var refusals: [String] { migrationSteps.flatMap(\.refusals) + obstacles }

    /// Indicates whether existing values are rewritten or lost. The store is copied first in this case.
    var rewritesRecords: Bool { recordKind == .exclusive }

    /// Compares the file with the models, and reads its records if these may prevent the migration.
    ///
    /// - Throws: ``StoreOpenError``, ``EngineError``.
    init(to layout: StoreLayout, _ instructions: MigrationInstructions = .none, in connection: any Connection) throws {
        let file: SchemaSummary
        do {
            file = try StoreLayout.summary(in: connection)
        } catch let error as EngineError where error.kind == .damage {
            try StoreLayout.checkWhole(connection)
            throw error
        }
        if SchemaDifference(from: file, to: layout.tables.schema).kind != .none {
            try StoreLayout.checkWhole(connection)
        }
        try Self.checkColumns(of: file, in: connection)
        try self.init(file, to: layout, instructions, in: connection)
    }

    init(
        _ file: SchemaSummary, to layout: StoreLayout, _ instructions: MigrationInstructions = .none,
        in connection: any Connection
    ) throws {
        for index in layout.sortIndexes {
            guard layout.tables[index.model]?.model.property(index.property)?.isSortable == true else {
                throw StoreOpenError.unknownSortIndex(index)
            }
        }
        version = instructions.plan?.versions.last?.identifier
        try Self.checkVersion(instructions.plan, in: connection)
        var migrationSteps = Self.steps(from: file, to: layout.tables, instructions)
        if let first = migrationSteps.first {
            migrationSteps[0].linkCounts = try first.links.missingCounts(in: connection)
        }
        self.migrationSteps = migrationSteps
        self.layout = layout
        indexes = try IndexChanges(to: layout, in: connection)
        search = try SearchChanges(to: layout.tables, in: connection)
        droppableNames = migrationSteps.reduce(into: []) { $0.formUnion($1.difference.droppableNames) }
        obstacles =
            try migrationSteps.count == 1 && migrationSteps.allSatisfy { $0.stage?.isCustom != true }
            ? Self.obstacles(to: migrationSteps, indexes, layout.tables, file, in: connection) : []
    }

    static func steps(
        from file: SchemaSummary, to tables: ModelTables, _ instructions: MigrationInstructions
    ) -> [MigrationStep] {
        let direct = SchemaDifference(from: file, to: tables.schema, dropping: instructions.dropped)
        // The newest version that the file can have: two versions may have the same models if a stage only changes
        // records.
        guard let plan = instructions.plan, direct.changes.contains(where: { !$0.isOfBuiltInModel }),
            let first = plan.versions.lastIndex(where: {
                SchemaDifference(from: file, to: $0.schema).changes.allSatisfy(\.isOfBuiltInModel)
            })
        else { return [MigrationStep(name: nil, difference: direct, before: nil, tables: tables, stage: nil)] }
        let stages = zip(plan.versions, plan.versions.dropFirst()).enumerated().dropFirst(first).map {
            index, versions in
            let (before, after) = versions
            let stage = plan.stages[index]
            let summary = SchemaSummary(of: before.schema)
            return MigrationStep(
                name: "\(before.identifier) to \(after.identifier)",
                difference: SchemaDifference(
                    from: summary, to: after.schema, dropping: stage.dropped.union(instructions.dropped),
                    converting: stage.conversions
                ),
                before: ModelTables(before.schema, tables.dialect),
                tables: after.identifier == plan.versions.last?.identifier
                    ? tables : ModelTables(after.schema, tables.dialect),
                stage: stage
            )
        }
        // The versions of the plan do not include the library's own models, which are migrated first.
        let known = plan.versions[first].schema
        let difference = SchemaDifference(from: file, to: known)
        guard !difference.changes.isEmpty else { return stages }
        return [
            MigrationStep(
                name: nil, difference: difference, before: nil, tables: ModelTables(known, tables.dialect), stage: nil)
        ] + stages
    }

    /// Rejects a file of a newer version, so that an older program does not take its models for a mistake.
    private static func checkVersion(_ plan: MigrationPlan?, in connection: any Connection) throws {
        guard let newest = plan?.versions.last?.identifier, try !connection.tableNames().isEmpty,
            case .text(let text) = try MetaTable.value(.schemaVersion, in: connection),
            let found = Schema.Version(text),
            found > newest
        else { return }
        throw StoreOpenError.newerSchema(found: found, newest: newest)
    }

    /// Rejects a file that another program changed so that it no longer matches its recorded schema.
    private static func checkColumns(of file: SchemaSummary, in connection: any Connection) throws {
        for (model, properties) in file.models.sorted(by: { $0.key < $1.key }) {
            let columns = Set(try connection.columnNames(ofTable: model))
            for property in properties where property.type.isStored && !columns.contains(property.name) {
                throw StoreOpenError.missingColumn(model: model, property: property.name)
            }
        }
        let tables = Set(try connection.tableNames())
        for relation in file.relations where !tables.contains(LinkTable.namePrefix + relation.name) {
            throw StoreOpenError.missingColumn(model: relation.model, property: relation.property)
        }
    }
}

extension SchemaSummary {
    static var empty: SchemaSummary { SchemaSummary(lines: []) }
}

/// The instructions for a migration, from the program and from the user who runs it.
package struct MigrationInstructions: Sendable {
    package static let none = MigrationInstructions()

    package let plan: MigrationPlan?
    /// The names of models, and of properties such as `Animal.legs`, that may be lost.
    package let dropped: Set<String>
    /// Indicates whether the store is copied before its contents are rewritten.
    package let copiesStore: Bool

    package init(plan: MigrationPlan? = nil, dropping dropped: Set<String> = [], copiesStore: Bool = true) {
        self.plan = plan
        self.dropped = dropped
        self.copiesStore = copiesStore
    }
}

extension DerivedMigration {
    /// Returns the migration that opening the directory's store with these models would perform; nil if there is no
    /// store.
    ///
    /// The method only reads, and the store may be open meanwhile.
    ///
    /// - Throws: ``StoreOpenError``, ``EngineError``.
    package static func planned(
        for schema: Schema, sortIndexes: [SortIndex], _ instructions: MigrationInstructions = .none,
        in directory: DataDirectory,
        engine: any StoreEngine = StoreEngines.standard
    ) throws -> DerivedMigration? {
        guard try engine.hasStore(directory) else { return nil }
        let connection = try engine.openReader(directory)
        defer { connection.close() }
        return try connection.snapshot {
            if try connection.tableNames().isEmpty { return nil }
            try StoreLayout.checkIdentity(of: connection)
            try schema.checkTableNames(connection.dialect)
            let layout = StoreLayout(tables: ModelTables(schema, engine.dialect), sortIndexes: Set(sortIndexes))
            return try DerivedMigration(to: layout, instructions, in: connection)
        }
    }
}

extension DerivedMigration {
    /// Indicates whether the migration replaces tables, which requires
    /// ``WriterConnection/withoutReferenceChecks(_:)``.
    var replacesTables: Bool { migrationSteps.contains(where: \.replacesTables) }

    /// Runs the whole migration in the open transaction of the only writer.
    ///
    /// - Throws: ``StoreOpenError/migrationRefused(_:)``, ``MigrationError``, ``EngineError``.
    func apply(in connection: any WriterConnection) throws {
        for index in indexes.droppedSortIndexes { try connection.dropIndex(index.name) }
        for step in migrationSteps { try step.apply(in: connection) }
        if replacesTables, let missing = try connection.missingReference(in: layout.tables) {
            throw StoreOpenError.migrationRefused([
                "\(missing.model).\(missing.property ?? "id") would point to a record that does not exist. Let the migration plan "
                    + "do away with such references; if it has no stage of its own, restore the last backup."
            ])
        }
        // A replaced table has lost its sort indexes.
        let existing = Set(try connection.indexes().map(\.name))
        for index in layout.sortIndexes.sorted(by: { $0.name < $1.name }) where !existing.contains(index.name) {
            guard let creation = layout.creation(of: index) else { throw StoreOpenError.unknownSortIndex(index) }
            try connection.run(creation)
        }
        try write(in: connection)
    }

    private func write(in connection: any WriterConnection) throws {
        let lines = layout.tables.schema.summary.joined(separator: "\n")
        try MetaTable.set(.schema, to: .text(lines), in: connection)
        let embedded = layout.tables.schema.embeddedLines.joined(separator: "\n")
        try MetaTable.set(.embeddedStructs, to: .text(embedded), in: connection)
        if let version { try MetaTable.set(.schemaVersion, to: .text("\(version)"), in: connection) }
        if migrationSteps.contains(where: \.outdatesHistory), let position = try StorePosition.read(from: connection) {
            try MetaTable.set(.undoBarrier, to: .integer(position.commit), in: connection)
        }
    }
}

extension Connection {
    func dropIndex(_ name: String) throws {
        try run("DROP INDEX \(dialect.name(name))")
    }
}
