import AviaryDomain
import Foundation

@testable import AviaryData

/// A zoo that stores weights in grams and habitats as one text.
enum ZooV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any Model.Type] { [Animal.self, Keeper.self] }

    struct Animal: Model {
        static let schema = ModelSchema(
            Self.self,
            [
                PropertyDefinition(\Self.name, "name"), PropertyDefinition(\Self.grams, "grams"),
                PropertyDefinition(\Self.keeper, "keeper"),
            ])
        var id = RecordID<Animal>()
        var name = ""
        var grams = 0
        var keeper: Reference<Keeper>?

        init(name: String, grams: Int, keeper: Keeper? = nil) {
            self.name = name
            self.grams = grams
            self.keeper = keeper.map(Reference.init)
        }

        init(from reader: inout FieldReader) throws {
            id = try reader.next("id")
            name = try reader.next("name")
            grams = try reader.next("grams")
            keeper = try reader.next("keeper")
        }

        func bind(to writer: inout FieldWriter) {
            writer.bind(name)
            writer.bind(grams)
            writer.bind(keeper)
        }
    }

    struct Keeper: Model {
        static let schema = ModelSchema(Self.self, [PropertyDefinition(\Self.name, "name")])
        var id = RecordID<Keeper>()
        var name = ""

        init(name: String) { self.name = name }

        init(from reader: inout FieldReader) throws {
            id = try reader.next("id")
            name = try reader.next("name")
        }

        func bind(to writer: inout FieldWriter) { writer.bind(name) }
    }
}

/// A zoo that stores weights in kilograms and has unique names.
enum ZooV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any Model.Type] { [Animal.self, Keeper.self] }

    struct Animal: Model {
        static let schema = ModelSchema(
            Self.self,
            [
                PropertyDefinition(\Self.name, "name", attributes: [.unique]),
                PropertyDefinition(\Self.weight, "weight"),
                PropertyDefinition(\Self.keeper, "keeper"),
            ])
        var id = RecordID<Animal>()
        var name = ""
        var weight = 0.0
        var keeper: Reference<Keeper>?

        init(name: String, weight: Double, keeper: Reference<Keeper>?) {
            self.name = name
            self.weight = weight
            self.keeper = keeper
        }

        init(from reader: inout FieldReader) throws {
            id = try reader.next("id")
            name = try reader.next("name")
            weight = try reader.next("weight")
            keeper = try reader.next("keeper")
        }

        func bind(to writer: inout FieldWriter) {
            writer.bind(name)
            writer.bind(weight)
            writer.bind(keeper)
        }
    }

    struct Keeper: Model {
        static let schema = ModelSchema(
            Self.self,
            [
                PropertyDefinition(\Self.name, "name"), PropertyDefinition(\Self.animals, "animals", default: { 0 }),
            ])
        var id = RecordID<Keeper>()
        var name = ""
        var animals = 0

        init(from reader: inout FieldReader) throws {
            id = try reader.next("id")
            name = try reader.next("name")
            animals = try reader.next("animals")
        }

        func bind(to writer: inout FieldWriter) {
            writer.bind(name)
            writer.bind(animals)
        }
    }
}

/// A zoo in which keepers became people.
enum ZooV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 1, 0)
    static var models: [any Model.Type] { [Animal.self, Person.self] }

    struct Animal: Model {
        static let schema = ModelSchema(
            Self.self,
            [
                PropertyDefinition(\Self.name, "name", attributes: [.unique]),
                PropertyDefinition(\Self.weight, "weight"),
                PropertyDefinition(\Self.keeper, "keeper"),
            ])
        var id = RecordID<Animal>()
        var name = ""
        var weight = 0.0
        var keeper: Reference<Person>?

        init(name: String, weight: Double, keeper: Reference<Person>?) {
            self.name = name
            self.weight = weight
            self.keeper = keeper
        }

        init(from reader: inout FieldReader) throws {
            id = try reader.next("id")
            name = try reader.next("name")
            weight = try reader.next("weight")
            keeper = try reader.next("keeper")
        }

        func bind(to writer: inout FieldWriter) {
            writer.bind(name)
            writer.bind(weight)
            writer.bind(keeper)
        }
    }

    struct Person: Model {
        static let schema = ModelSchema(Self.self, [PropertyDefinition(\Self.name, "name")])
        var id = RecordID<Person>()
        var name = ""

        init(name: String) { self.name = name }

        init(from reader: inout FieldReader) throws {
            id = try reader.next("id")
            name = try reader.next("name")
        }

        func bind(to writer: inout FieldWriter) { writer.bind(name) }
    }
}

struct HeavyAnimal: Error {}

enum ZooPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [ZooV1.self, ZooV2.self, ZooV3.self] }

    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: ZooV1.self, toVersion: ZooV2.self,
                converting: [
                    ModelConversion(from: ZooV1.Animal.self, to: ZooV2.Animal.self) { old in
                        guard old.grams < 1_000_000_000 else { throw HeavyAnimal() }
                        return ZooV2.Animal(
                            name: old.name, weight: Double(old.grams) / 1000,
                            keeper: old.keeper.map { Reference(id: RecordID($0.id.uuid)) })
                    }
                ],
                willMigrate: { context in
                    var names: Set<String> = []
                    try context.enumerate(ZooV1.Animal.self) { animal in
                        if !names.insert(animal.name).inserted { try context.delete(animal) }
                    }
                },
                didMigrate: { context in
                    try context.enumerate(ZooV2.Keeper.self) { keeper in
                        var keeper = keeper
                        keeper.animals = try context.fetch(FetchDescriptor<ZooV2.Animal>()).count {
                            $0.keeper?.id == keeper.id
                        }
                        try context.update(keeper)
                    }
                }),
            .custom(
                fromVersion: ZooV2.self, toVersion: ZooV3.self,
                converting: [
                    ModelConversion(from: ZooV2.Keeper.self, to: ZooV3.Person.self) {
                        ZooV3.Person(name: "\($0.name), \($0.animals)")
                    },
                    ModelConversion(from: ZooV2.Animal.self, to: ZooV3.Animal.self) { old in
                        ZooV3.Animal(
                            name: old.name, weight: old.weight,
                            keeper: old.keeper.map { Reference(id: RecordID($0.id.uuid)) })
                    },
                ]),
        ]
    }
}
