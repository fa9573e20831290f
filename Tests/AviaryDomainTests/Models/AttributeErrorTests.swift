import AviaryDomain
import Foundation
import Testing

@Suite("Errors in attribute options")
struct AttributeErrorTests {
    @Test(
        "An option that does not fit its property is rejected",
        arguments: [
            (.length(1...80), .integer, "has .length, which is for texts: String and String?. Remove it."),
            (.pattern("a"), .date, "has .pattern, which is for texts: String and String?. Remove it."),
            (.secret, .boolean, "has .secret, which is for texts: String and String?. Remove it."),
            (.fullText, .uuid, "has .fullText, which is for texts: String and String?. Remove it."),
            (.notFullText, .uuid, "has .notFullText, which is for texts: String and String?. Remove it."),
            (.range(0...), .string, "has .range, which is for numbers. Remove it."),
            (.scale(2), .double, "has .scale, which is for Decimal. Remove it."),
            (.pattern("[a-"), .string, "has the pattern \"[a-\", which is no regular expression."),
            (
                .length((-1)...), .string,
                "counts characters from below 0: .length(1...80) is from one to eighty characters."
            ),
            (.range(0...1e300), .double, "has a bound that no Decimal can hold. Leave the bound out."),
            (
                .range(0..<24), .double,
                "has a half-open .range, which is for integers: no other number is the last before a bound. Write a closed range such as .range(0...24), and exclude its end in validate()."
            ),
            (
                .range(5..<5), .integer,
                "has a .range that contains no number. Write its smallest and its largest number: .range(0...9)."
            ),
            (
                .length(1..<1), .string,
                "has a .length that no text can have: .length(1...80) is from one to eighty characters."
            ),
            (
                .scale(19), .decimal(scale: 2),
                "has a scale of 19 digits. A decimal has 0 to 18 digits behind its point."
            ),
            (.originalName(""), .string, "has an empty originalName. Give the name that the property had."),
            (
                .originalName("THING"), .string,
                "has the originalName \"THING\", which is the name of a property that is there. Remove the option."
            ),
        ] as [(AttributeOption, PropertyType, String)])
    func unfit(option: AttributeOption, type: PropertyType, reason: String) {
        #expect(error(property("thing", type, attributes: [option])) == "Box.thing " + reason)
    }

    @Test("a property that holds the id of another record is a mistake at start", arguments: ["dog", "cat"])
    func identity(name: String) {
        let error = #expect(throws: SchemaError.self) { try Schema([Leash.schema(of: name)]) }
        #expect(
            error?.description
                == "Leash.\(name) is the id of a record. Declare it as Reference<Leash>, which the store can follow.")
    }

    @Test(
        "An option that fits its property is accepted",
        arguments: [
            (.length(0...), .string), (.range(0...), .sizedInteger(.uint8)), (.range(0.5...1), .float),
            (.scale(0), .decimal(scale: 2)),
            (.scale(4), .array(of: .decimal(scale: 2))), (.range(...0), .decimal(scale: 2)),
            (.originalName("old"), .json),
            (.indexed, .toOne(model: "Box")), (.unique, .url),
        ] as [(AttributeOption, PropertyType)])
    func fit(option: AttributeOption, type: PropertyType) {
        #expect(error(property("thing", type, attributes: [option])) == nil)
    }

    @Test("A repeated option is rejected")
    func twice() {
        #expect(
            error(property("thing", .string, attributes: [.length(1...), .length(...80)]))
                == "Box.thing has .length twice. Keep one.")
    }

    @Test("A secret property cannot be searched")
    func secretFullText() {
        #expect(
            error(property("key", .string, attributes: [.secret, .fullText]))
                == "Box.key is .secret and .fullText. What nobody is shown cannot be searched: remove one.")
    }

    @Test("A property cannot both have a text index and have none")
    func contradictoryFullText() {
        #expect(
            error(property("text", .string, attributes: [.fullText, .notFullText]))
                == "Box.text is .fullText and .notFullText, which contradict each other. Remove one.")
    }

    @Test("Two properties cannot have the same original name")
    func originalNames() {
        #expect(
            error(
                property("a", .string, attributes: [.originalName("old")]),
                property("b", .string, attributes: [.originalName("Old")]))
                == "Box.b has the same originalName \"Old\" as another property. Only one can take over its values.")
    }

    @Test(
        "A unique constraint names stored properties, each only once",
        arguments: [
            (
                [["name", "size"], ["nobody"]],
                "Box names nobody, which is not stored in #Unique. Name stored properties of the model itself: [\\.title, \\.year]."
            ),
            (
                [["name", ""]],
                "Box names what is no property of it in #Unique. Name stored properties of the model itself: [\\.title, \\.year]."
            ),
            ([["name", "name"]], "Box.name is named twice in one list of #Unique. Remove one."),
            ([[]], "Box has an empty list in #Unique. Name the properties, or remove it."),
            (
                [["name", "size"], ["name", "size"]],
                "Box has name and size twice in #Unique or @Attribute. Remove one."
            ),
        ])
    func groups(groups: [[String]], message: String) {
        let box = ModelSchema(
            name: "Box", properties: [property("name", .string), property("size", .integer)], uniqueConstraints: groups)
        #expect(throws: SchemaError.self) { try Schema([box]) }
        do {
            _ = try Schema([box])
        } catch {
            #expect("\(error)" == message)
        }
    }

    @Test("A secret property is never the title of a record")
    func title() {
        let box = model("Box", property("key", .string, attributes: [.secret, .required]), property("note", .string))
        #expect(box.titleProperty?.name == "note")
        #expect(model("Box", property("key", .string, attributes: [.secret])).titleProperty == nil)
    }

    private func error(_ properties: PropertySchema...) -> String? {
        do {
            _ = try Schema([ModelSchema(name: "Box", properties: properties)])
            return nil
        } catch {
            return "\(error)"
        }
    }
}

/// A model that refers to others by their ids.
private struct Leash: Model {
    var id = RecordID<Leash>()
    var dog = RecordID<Leash>()
    var cat: RecordID<Leash>?

    static let schema = ModelSchema(Leash.self, [])

    init(from reader: inout FieldReader) throws {}
    func bind(to writer: inout FieldWriter) {}

    /// Returns a schema with one of the properties. The compiler warns about both definitions.
    static func schema(of property: String) -> ModelSchema {
        ModelSchema(
            Leash.self,
            property == "dog" ? [PropertyDefinition(\.dog, "dog")] : [PropertyDefinition(\.cat, "cat")])
    }
}
