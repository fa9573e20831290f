import AviaryDomain
import Foundation
import Testing

@Suite("A model reads and writes its properties in schema order")
struct ModelTests {
    private let category = AnimalCategory(name: "Mammals")

    @Test("what is written is read back")
    func roundTrip() throws {
        let okapi = Animal(name: "Okapi", diet: .herbivorous, category: Reference(category))
        var writer = FieldWriter(for: Animal.self)
        okapi.bind(to: &writer)
        var reader = FieldReader(Record(id: okapi.id.uuid, version: 1, values: writer.values), of: Animal.self)
        let copy = try Animal(from: &reader)
        #expect(copy.name == "Okapi" && copy.diet == .herbivorous && copy.category?.id == category.id)
        #expect(copy.id == okapi.id)
    }

    @Test("id and to-many relations have no column")
    func storedProperties() {
        #expect(AnimalCategory.schema.properties.map(\.name) == ["name", "animals"])
        #expect(AnimalCategory.schema.storedProperties.map(\.name) == ["name"])
        #expect(category.fieldValues == ["name": .text("Mammals")])
    }

    @Test("a value of the wrong kind names its property")
    func wrongKind() {
        var reader = FieldReader(
            Record(id: UUID(), version: 1, values: [.integer(1), .text("herbivorous"), .null]), of: Animal.self)
        #expect(
            throws: FieldValueError.invalid(
                model: "Animal", property: "name", reason: "The stored value is not a text.")
        ) {
            try Animal(from: &reader)
        }
    }

    @Test("a record that is too short names the first property that it lacks")
    func tooShort() {
        var reader = FieldReader(Record(id: UUID(), version: 1, values: [.text("Okapi")]), of: Animal.self)
        #expect(throws: FieldValueError.missingField(model: "Animal", property: "diet")) { try Animal(from: &reader) }
    }

    @Test("a property's type, optionality and default come from its key path")
    func definitions() throws {
        let diet = try #require(Animal.schema.property("diet"))
        #expect(diet.type == .choice(["herbivorous", "carnivorous", "omnivorous"]))
        #expect(diet.defaultValue == .text("herbivorous"))
        let reference = try #require(Animal.schema.property(at: \Animal.category))
        #expect(reference.type == .toOne(model: "AnimalCategory") && reference.isOptional)
        #expect(AnimalCategory.schema.property("animals")?.type == .toMany(model: "Animal"))
    }

    @Test("a record is called by its title property, or by its id when that is blank")
    func title() {
        let id = UUID()
        let values: [FieldValue] = [.text("Okapi"), .text("herbivorous"), .null]
        #expect(Record(id: id, version: 1, values: values).title(in: Animal.schema) == "Okapi")
        #expect(Record(id: id, version: 1, values: [.text("  ")]).title(in: Animal.schema) == id.canonicalText)
    }

    @Test("the title property is the first text, a required one before others")
    func titleProperty() {
        let note = property("note", .string)
        let name = property("name", .string, attributes: [.required])
        #expect(model("Thing", note, name).titleProperty?.name == "name")
        #expect(model("Thing", note).titleProperty?.name == "note")
        #expect(model("Thing", property("size", .integer)).titleProperty == nil)
    }
}
