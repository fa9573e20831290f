import AviaryDomain
import Foundation
import Testing

@Suite("Reading and writing models")
struct ModelTests {
    private let category = AnimalCategory(name: "Mammals")

    @Test("A model reads back what it writes")
    func roundTrip() throws {
        let okapi = Animal(name: "Okapi", diet: .herbivorous, category: Reference(category))
        var writer = FieldWriter(for: Animal.self)
        okapi.bind(to: &writer)
        var reader = FieldReader(Record(id: okapi.id.uuid, version: 1, values: writer.values), of: Animal.self)
        let copy = try Animal(from: &reader)
        #expect(copy.name == "Okapi" && copy.diet == .herbivorous && copy.category?.id == category.id)
        #expect(copy.id == okapi.id)
    }

    @Test("a reference of another version of the models keeps its record, and nil stays nil")
    func convertedReference() {
        let old = Reference<Animal>(id: RecordID())
        #expect(Reference<AnimalCategory>(converting: old).id.uuid == old.id.uuid)
        let optional: Reference<Animal>? = old
        let converted: Reference<AnimalCategory>? = Reference(converting: optional)
        #expect(converted?.id.uuid == old.id.uuid)
        #expect(Reference<AnimalCategory>(converting: Reference<Animal>?.none) == nil)
    }

    @Test("The id and to-many relations have no column")
    func storedProperties() {
        #expect(AnimalCategory.schema.properties.map(\.name) == ["name", "animals"])
        #expect(AnimalCategory.schema.storedProperties.map(\.name) == ["name"])
        #expect(category.fieldValues == ["name": .text("Mammals")])
    }

    @Test("A value of the wrong kind causes an error that names its property")
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

    @Test("A record with too few values causes an error that names the first missing property")
    func tooShort() {
        var reader = FieldReader(Record(id: UUID(), version: 1, values: [.text("Okapi")]), of: Animal.self)
        #expect(throws: FieldValueError.missingField(model: "Animal", property: "diet")) { try Animal(from: &reader) }
    }

    @Test("A key path determines the type, the optionality and the default of a property")
    func definitions() throws {
        let diet = try #require(Animal.schema.property("diet"))
        #expect(diet.type == .choice(["herbivorous", "carnivorous", "omnivorous"]))
        #expect(diet.defaultValue == .text("herbivorous"))
        let reference = try #require(Animal.schema.property(at: \Animal.category))
        #expect(reference.type == .toOne(model: "AnimalCategory") && reference.isOptional)
        #expect(AnimalCategory.schema.property("animals")?.type == .toMany(model: "Animal"))
    }

    @Test("The title of a record is its title property, or its id if that is blank")
    func title() {
        let id = UUID()
        let values: [FieldValue] = [.text("Okapi"), .text("herbivorous"), .null]
        #expect(Record(id: id, version: 1, values: values).title(in: Animal.schema) == "Okapi")
        #expect(Record(id: id, version: 1, values: [.text("  ")]).title(in: Animal.schema) == id.canonicalText)
    }

    @Test("The title property is the first required text, or else the first text")
    func titleProperty() {
        let note = property("note", .string)
        let name = property("name", .string, attributes: [.required])
        #expect(model("Thing", note, name).titleProperty?.name == "name")
        #expect(model("Thing", note).titleProperty?.name == "note")
        #expect(model("Thing", property("size", .integer)).titleProperty == nil)
    }
}
