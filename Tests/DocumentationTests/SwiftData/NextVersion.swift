import Aviary

/// The models before the names of categories were unique, and before there were feedings.
enum ZooSchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any Model.Type] { [Animal.self, AnimalCategory.self] }

    @Model
    struct AnimalCategory {
        @Attribute(.required) var name: String
        @Relationship(deleteRule: .cascade, inverse: \Animal.category)
        var animals: Related<Animal>
    }

    @Model
    struct Animal {
        enum Diet: String, Choice { case herbivorous, carnivorous, omnivorous }

        @Attribute(.required) var name: String
        var diet: Diet = .herbivorous
        var category: Reference<AnimalCategory>?
    }
}

enum ZooSchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any Model.Type] { [Animal.self, AnimalCategory.self, Feeding.self] }
}

enum ZooMigrationPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [ZooSchemaV1.self, ZooSchemaV2.self] }
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: ZooSchemaV1.self, toVersion: ZooSchemaV2.self,
                willMigrate: { context in
                    var counts: [String: Int] = [:]
                    try context.enumerate(ZooSchemaV1.AnimalCategory.self) { category in
                        let count = counts[category.name, default: 0] + 1
                        counts[category.name] = count
                        guard count > 1 else { return }
                        var renamed = category
                        renamed.name += " \(count)"
                        try context.update(renamed)
                    }
                })
        ]
    }
}

extension Zoo {
    var migrationPlan: (any SchemaMigrationPlan.Type)? { ZooMigrationPlan.self }

    var sampleData: [any Model] {
        let mammals = AnimalCategory(name: "Mammal")
        return [mammals, Animal(name: "Okapi", category: Reference(mammals)), Animal(name: "Kea", diet: .omnivorous)]
    }
}
