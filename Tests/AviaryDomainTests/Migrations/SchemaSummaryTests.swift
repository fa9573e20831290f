import Testing

@testable import AviaryDomain

@Suite("A schema's lines can be read again")
struct SchemaSummaryTests {
    private static let types: [PropertyType] = [
        .string, .boolean, .integer, .double, .date, .calendarDate, .uuid, .toOne(model: "Keeper"), .choice(["a"]),
        .choice(["a,b", "c\\", "d\ne", "f) unique", "g? choice(", "\r\n", ",\u{301}", ""]), .choice([#"\n"#, #"\,"#]),
    ]

    @Test("A type's name tells the type, whatever characters its choices have", arguments: types)
    func type(type: PropertyType) {
        #expect(PropertyType(name: type.name) == type)
        #expect(!type.name.unicodeScalars.contains("\n"))
    }

    @Test("Every line tells model, property, type, whether it may be empty and whether it is unique")
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
        "A line that is none is kept as one, and refuses everything",
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
