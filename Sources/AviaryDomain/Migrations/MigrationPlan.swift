/// A validated ``SchemaMigrationPlan`` with the schemas of its versions.
package struct MigrationPlan: Sendable {
    package struct Version: Sendable {
        package let identifier: Schema.Version
        package let schema: Schema
    }

    /// The versions, at least one, from the oldest to the newest.
    package let versions: [Version]
    /// The stages, one from each version to the next.
    package let stages: [MigrationStage]

    /// Validates a plan.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - schema: The schema that the program registers.
    /// - Throws: ``SchemaError`` that describes the problem.
    package init(_ plan: any SchemaMigrationPlan.Type, to schema: Schema) throws(SchemaError) {
        let name = String(describing: plan)
        // Every version of an application includes the built-in models.
        let builtIn = schema.models.filter(\.isBuiltIn)
        var versions: [Version] = []
        for versioned in plan.schemas {
            let identifier = versioned.versionIdentifier
            if let last = versions.last, last.identifier >= identifier {
                throw SchemaError(
                    model: name,
                    "has version \(identifier) after \(last.identifier). List the schemas from the oldest to the newest, each with a version identifier of its own."
                )
            }
            versions.append(
                Version(identifier: identifier, schema: try Schema(versioned.models.map { $0.schema } + builtIn)))
        }
        guard let newest = versions.last else {
            throw SchemaError(model: name, "lists no schemas. List every version of the models, also the newest.")
        }
        let differences = Set(newest.schema.summary).symmetricDifference(schema.summary).sorted()
        guard differences.isEmpty else {
            throw SchemaError(
                model: name,
                "ends with version \(newest.identifier), which is not what the admin registers; they differ in: \(differences.joined(separator: "; ")). Add the newest version to the plan."
            )
        }
        self.versions = versions
        stages = try Self.stages(of: plan, between: versions.map(\.identifier), name: name)
        for (index, stage) in stages.enumerated() {
            try Self.check(stage, from: versions[index].schema, to: versions[index + 1].schema, name: name)
        }
    }

    /// Rejects a stage that drops a name that the older version does not have, because this is a typing error.
    private static func check(_ stage: MigrationStage, from old: Schema, to new: Schema, name: String)
        throws(SchemaError)
    {
        let summary = SchemaSummary(of: old)
        let droppable = SchemaDifference(from: summary, to: new, converting: stage.conversions).droppableNames
        let unknown = stage.dropped.subtracting(droppable).sorted()
        guard let first = unknown.first else { return }
        throw SchemaError(
            model: name,
            "drops \(first) from version \(stage.from) to \(stage.to), where nothing of this name goes. \(droppable.isEmpty ? "Nothing goes there: leave dropping: out." : "What goes there: \(droppable.sorted().joined(separator: ", ")).")"
        )
    }

    private static func stages(
        of plan: any SchemaMigrationPlan.Type, between versions: [Schema.Version], name: String
    ) throws(SchemaError) -> [MigrationStage] {
        var declared = plan.stages
        var stages: [MigrationStage] = []
        for (from, to) in zip(versions, versions.dropFirst()) {
            if let index = declared.firstIndex(where: { $0.from == from && $0.to == to }) {
                stages.append(declared.remove(at: index))
            } else {
                stages.append(
                    MigrationStage(from: from, to: to, dropped: [], conversions: [], willMigrate: nil, didMigrate: nil))
            }
        }
        guard let unused = declared.first else { return stages }
        throw SchemaError(
            model: name,
            "has a stage from \(unused.from) to \(unused.to), which are not neighbours among its schemas, or has it twice. Write one stage from each version to the next."
        )
    }
}

/// The migration from one version of the models to the next.
public struct MigrationStage: Sendable {
    package let from: Schema.Version
    package let to: Schema.Version
    /// The names that may be dropped, in the form of ``SchemaChange/subject``.
    package let dropped: Set<String>
    package let conversions: [ModelConversion]
    package let willMigrate: (@Sendable (MigrationContext) throws -> Void)?
    package let didMigrate: (@Sendable (MigrationContext) throws -> Void)?

    /// Creates a stage that the store derives by comparing the two versions.
    ///
    /// - Parameters:
    ///   - fromVersion: The older version.
    ///   - toVersion: The newer version.
    ///   - dropping: The names of models, and of properties such as `Animal.legs`, that are deleted with all their
    ///     values. The store rejects a migration that would delete others.
    public static func lightweight(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, dropping: Set<String> = []
    ) -> MigrationStage {
        MigrationStage(
            from: fromVersion.versionIdentifier, to: toVersion.versionIdentifier, dropped: dropping, conversions: [],
            willMigrate: nil, didMigrate: nil
        )
    }

    /// Creates a stage with code of the program, for changes that the store cannot derive.
    ///
    /// ```swift
    /// .custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { context in
    ///     // Names become unique: the first record keeps its name.
    ///     var names: Set<String> = []
    ///     try context.enumerate(V1.Animal.self) { animal in
    ///         if !names.insert(animal.name).inserted { try context.delete(animal) }
    ///     }
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - fromVersion: The older version.
    ///   - toVersion: The newer version.
    ///   - dropping: The names of models, and of properties such as `Animal.legs`, that are deleted with all their
    ///     values. See ``lightweight(fromVersion:toVersion:dropping:)``.
    ///   - converting: Conversions of models whose records the program creates again, one by one.
    ///   - willMigrate: A closure that runs before the tables change, with the models of the older version.
    ///   - didMigrate: A closure that runs after the tables have changed, with the models of the newer version.
    public static func custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, dropping: Set<String> = [],
        converting: [ModelConversion] = [], willMigrate: (@Sendable (MigrationContext) throws -> Void)? = nil,
        didMigrate: (@Sendable (MigrationContext) throws -> Void)? = nil
    ) -> MigrationStage {
        MigrationStage(
            from: fromVersion.versionIdentifier, to: toVersion.versionIdentifier, dropped: dropping,
            conversions: converting,
            willMigrate: willMigrate, didMigrate: didMigrate
        )
    }
}

/// A conversion of each record of a model's older version to its newer version.
///
/// ```swift
/// ModelConversion(from: ZooSchemaV1.Animal.self, to: ZooSchemaV2.Animal.self) { old in
///     ZooSchemaV2.Animal(name: old.name, habitats: old.habitat.split(separator: ",").map(String.init))
/// }
/// ```
///
/// Every record is kept under its id. The id of the record that the closure returns has no effect.
public struct ModelConversion: Sendable {
    package let source: String
    package let target: String
    /// The schema of the older version, for reading its values.
    package let sourceSchema: ModelSchema
    package let convert: @Sendable (Record) throws -> [FieldValue]

    /// Creates a conversion.
    ///
    /// - Parameters:
    ///   - from: The model in the older version.
    ///   - to: The model in the newer version.
    ///   - convert: A closure that is called once for each record. An error that it throws ends the migration, and
    ///     nothing has changed.
    public init<Old: Model, New: Model>(
        from: Old.Type, to: New.Type, _ convert: @escaping @Sendable (Old) throws -> New
    ) {
        source = Old.modelName
        target = New.modelName
        sourceSchema = Old.schema
        self.convert = { record in
            try convert(try Old(record)).storedValues
        }
    }
}
