import Foundation

@testable import AviaryDomain

// These models are written by hand, as the protocol requires. They are what `@Model` generates.

struct AnimalCategory: Model {
    var name: String
    var animals = Related<Animal>()
    var id = RecordID<AnimalCategory>()

    static let schema = ModelSchema(
        AnimalCategory.self,
        [
            PropertyDefinition(\.name, "name", attributes: [.unique, .required]),
            PropertyDefinition(
                \.animals, "animals",
                relationship: RelationshipOptions(deleteRule: .cascade, inverse: \Animal.category)
            ),
        ])

    init(name: String) { self.name = name }

    init(from reader: inout FieldReader) throws {
        name = try reader.next("name")
        animals = try reader.next("animals")
        id = try reader.next("id")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(name)
        writer.bind(animals)
        writer.bind(id)
    }
}

struct Animal: Model {
    enum Diet: String, Choice { case herbivorous, carnivorous, omnivorous }

    var name: String
    var diet = Diet.herbivorous
    var category: Reference<AnimalCategory>?
    var id = RecordID<Animal>()

    static let schema = ModelSchema(
        Animal.self,
        [
            PropertyDefinition(\.name, "name", attributes: [.required]),
            PropertyDefinition(\.diet, "diet", default: { .herbivorous }),
            PropertyDefinition(\.category, "category"),
        ])

    init(name: String, diet: Diet = .herbivorous, category: Reference<AnimalCategory>? = nil) {
        self.name = name
        self.diet = diet
        self.category = category
    }

    init(from reader: inout FieldReader) throws {
        name = try reader.next("name")
        diet = try reader.next("diet")
        category = try reader.next("category")
        id = try reader.next("id")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(name)
        writer.bind(diet)
        writer.bind(category)
        writer.bind(id)
    }
}

let zooSchema: Schema = {
    do {
        return try Schema([AnimalCategory.schema, Animal.schema])
    } catch {
        preconditionFailure("The sample schema is wrong: \(error)")
    }
}()

/// Creates a model's schema without Swift types for its properties.
func model(_ name: String, _ properties: PropertySchema...) -> ModelSchema {
    ModelSchema(name: name, properties: properties)
}

func property(
    _ name: String, _ type: PropertyType, isOptional: Bool = false, attributes: Set<AttributeOption> = [],
    relationship: RelationshipOptions? = nil, default makeDefault: (@Sendable () -> FieldValue)? = nil,
    traits: StoredValueTraits = StoredValueTraits()
) -> PropertySchema {
    PropertySchema(
        name: name, type: type, isOptional: isOptional, attributes: attributes, keyPath: \Animal.name,
        relationship: relationship, makeDefault: makeDefault, traits: traits
    )
}
