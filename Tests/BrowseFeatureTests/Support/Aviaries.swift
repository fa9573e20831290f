// These schemas have no Swift types for their models, because the feature works with schemas only.

import Foundation

@testable import AviaryDomain

let categorySchema = ModelSchema(
    name: "AnimalCategory",
    properties: [
        property("name", .string, attributes: [.unique, .required]),
        property(
            "animals", .toMany(model: "Animal"),
            relationship: RelationshipOptions(deleteRule: .cascade, inverse: \Record.id)
        ),
    ])

let animalSchema = ModelSchema(
    name: "Animal",
    properties: [
        property("name", .string, attributes: [.required]),
        property("diet", .choice(["herbivorous", "carnivorous"])),
        property("legs", .integer, isOptional: true),
        property("category", .toOne(model: "AnimalCategory"), isOptional: true),
    ])

let animals = ModelConfiguration(schema: animalSchema, columns: ["name", "diet", "legs", "category"])
let categories = ModelConfiguration(schema: categorySchema, columns: ["name"])

func property(
    _ name: String, _ type: PropertyType, isOptional: Bool = false, attributes: Set<AttributeOption> = [],
    relationship: RelationshipOptions? = nil
) -> PropertySchema {
    // No test looks up a property by its key path.
    PropertySchema(
        name: name, type: type, isOptional: isOptional, attributes: attributes, keyPath: \Record.id,
        relationship: relationship, makeDefault: nil
    )
}

/// Creates a schema without relations, which are resolved by key paths that these schemas do not have.
func zooSchema() throws -> Schema {
    try Schema([
        ModelSchema(name: "AnimalCategory", properties: [property("name", .string, attributes: [.required])]),
        animalSchema,
    ])
}

func animal(_ name: String, diet: String = "herbivorous", category: String? = nil) -> Record {
    Record(
        id: .version7(), version: 1, values: [.text(name), .text(diet), .integer(4), .null],
        referenceTitles: [nil, nil, nil, category]
    )
}

func category(_ name: String) -> Record {
    Record(id: .version7(), version: 1, values: [.text(name)])
}

extension Principal {
    /// Returns a principal that has only these permissions.
    static func with(_ permissions: Permission...) -> Principal {
        Principal(account: UUID(), name: "kim", role: Role("kim", permissions), epoch: 1)
    }

    /// A principal that has all permissions.
    static let ada = Principal(account: UUID(), name: "ada", role: .admin, epoch: 1)
}
