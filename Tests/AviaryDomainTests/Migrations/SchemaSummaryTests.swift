import Testing

@testable import AviaryDomain

@Suite("Parsing a schema summary")
struct SchemaSummaryTests {
    private static let types: [PropertyType] = [
        .string, .boolean, .integer, .double, .date, .calendarDate, .uuid, .toOne(model: "Keeper"), .choice(["a"]),
        .choice(["a,b", "c\\", "d\ne", "f) unique", "g? choice(", "\r\n", ",\u{301}", ""]), .choice([#"\n"#, #"\,"#]),
    ]

    @Test("A type name parses to the type, whatever characters its choices contain", arguments: types)
    func type(type: PropertyType) {
        #expect(PropertyType(name: type.name) == type)
        #expect(!type.name.unicodeScalars.contains("\n"))
    }

    @Test("A line gives the model, the property, the type, and whether it is optional and unique")
    func lines() {
        let summary = SchemaSummary(
            lines: ["Animal.name string unique", "Animal.legs integer?", "Animal.a b choice(x, y) z)? unique"],
            models: ["Sloth"]
        )
        #expect(summary.models["Sloth"] == [])
        #expect(summary.unreadableLines == [])
        #expect(
            summary.models["Animal"] == [
                .init(name: "name", type: .string, isOptional: false, isUnique: true),
                .init(name: "legs", type: .integer, isOptional: true, isUnique: false),
                .init(name: "a b", type: .choice(["x", " y) z"]), isOptional: true, isUnique: true),
            ])
    }

    @Test(
        "An unreadable line is kept and makes the schema difference refused",
        arguments: [
            "", "Animal", "Animal.name", "Animal.name text", "Animal.name choice(", "Animal string", "Animal.x set(a)",
            ". string)",
        ])
    func unreadable(line: String) throws {
        let summary = SchemaSummary(lines: [line])
        #expect(summary.unreadableLines == [line])
        #expect(SchemaDifference(from: summary, to: try Schema([])).kind == .refused)
    }
}
