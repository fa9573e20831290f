/// A ``SchemaMigrationPlan`` that holds together, with the schemas of its versions.
package struct MigrationPlan: Sendable {
    package struct Version: Sendable {
        package let identifier: Schema.Version
        package let schema: Schema
    }

    /// The versions, at least one, from the oldest to the newest.
    package let versions: [Version]
    /// The stages, one from each version to the next.
    package let stages: [MigrationStage]

    /// - Parameter schema: What the program registers.
    /// - Throws: ``SchemaError`` naming what does not fit.
    package init(_ plan: any SchemaMigrationPlan.Type, to schema: Schema) throws(SchemaError) {
        let name = String(describing: plan)
        // Every version of an application has the models that all have.
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
        let summary = SchemaSummary(lines: old.summary, models: old.models.map(\.name))
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
