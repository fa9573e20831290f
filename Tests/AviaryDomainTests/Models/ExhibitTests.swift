import AllTypesModel
import AviaryDomain
import Foundation
import TestSupport
import Testing

@Suite("A model with every property type")
struct ExhibitTests {
    @Test("Each property has its type, optional or not")
    func types() {
        let types = Dictionary(uniqueKeysWithValues: Exhibit.schema.storedProperties.map { ($0.name, $0.type.name) })
        #expect(
            types == [
                "text": "string", "flag": "boolean", "int": "integer", "int8": "int8", "int16": "int16",
                "int32": "int32",
                "int64": "integer", "uint": "uint64", "uint8": "uint8", "uint16": "uint16", "uint32": "uint32",
                "uint64": "uint64", "double": "double", "float": "float", "price": "decimal(2)", "mass": "decimal(6)",
                "found": "date", "day": "calendarDate", "key": "uuid", "image": "data", "page": "url",
                "kind": "choice(bone,feather,eggShell)", "grade": "integerChoice(-1,0,7)", "origin": "json",
                "label": "json",
                "tags": "array(string)", "sizes": "array(decimal(3))", "kinds": "array(choice(bone,feather,eggShell))",
                "labels": "array(json)", "colours": "array(string)", "maybeByte": "uint8", "maybePrice": "decimal(2)",
                "maybeFound": "date", "maybeImage": "data", "maybePage": "url", "maybeGrade": "integerChoice(-1,0,7)",
                "maybeOrigin": "json", "maybeLabel": "json", "maybeTags": "array(string)", "parent": "toOne(Exhibit)",
            ])
        for property in Exhibit.schema.storedProperties {
            #expect(
                property.isOptional == (property.name.hasPrefix("maybe") || property.name == "parent"),
                "\(property.name)")
        }
    }

    @Test(
        "A record reads back the values that it binds, at both ends of each range",
        arguments: [Exhibit.least, .greatest, Exhibit()])
    func roundTrip(exhibit: Exhibit) throws {
        var writer = FieldWriter(for: Exhibit.self)
        exhibit.bind(to: &writer)
        let values = writer.values
        #expect(Exhibit.schema.problems(in: exhibit.fieldValues).isEmpty)
        var reader = FieldReader(Record(id: exhibit.id.uuid, version: 1, values: values), of: Exhibit.self)
        #expect(try Exhibit(from: &reader) == exhibit)
    }

    @Test(
        "A nil property has a null value",
        arguments: [
            "maybeByte", "maybePrice", "maybeFound", "maybeImage", "maybePage", "maybeGrade",
            "maybeOrigin", "maybeLabel", "maybeTags", "parent",
        ])
    func null(property: String) {
        #expect(Exhibit().fieldValues[property] == .null)
    }

    @Test("The form text of a value parses to the same value", arguments: [Exhibit.least, .greatest, Exhibit()])
    func form(exhibit: Exhibit) {
        let values = exhibit.fieldValues
        for property in Exhibit.schema.storedProperties {
            let value = values[property.name] ?? .null
            #expect(property.parse(property.formText(of: value)) == .success(value), "\(property.name)")
        }
    }

    @Test("A default is stored at the scale of its property")
    func defaults() {
        let values = Dictionary(
            uniqueKeysWithValues: zip(Exhibit.schema.storedProperties.map(\.name), Exhibit.schema.defaultValues))
        #expect(values["mass"] == .integer(1_500_000))
        #expect(values["tags"] == .text(#"["new"]"#))
        #expect(values["grade"] == .integer(0))
        #expect(values["image"] == .blob([]))
        #expect(values["sizes"] == .text("[]"))
        #expect(values["origin"] == .null)
    }

    @Test("Random values survive a round trip through a form and a record", arguments: 0..<200)
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let exhibit = Exhibit.random(using: &generator)
        let values = exhibit.fieldValues
        #expect(Exhibit.schema.problems(in: values).isEmpty, "seed \(seed)")
        var typed: [FieldValue] = []
        for property in Exhibit.schema.storedProperties {
            let text = property.formText(of: values[property.name] ?? .null)
            typed.append(try property.parse(text).get())
        }
        var reader = FieldReader(Record(id: exhibit.id.uuid, version: 1, values: typed), of: Exhibit.self)
        #expect(try Exhibit(from: &reader) == exhibit, "seed \(seed)")
    }
}
