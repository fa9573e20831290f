import AviaryDomain
import Foundation
import Testing

@Suite("Parsing type names")
struct TypeNameTests {
    private static let types: [PropertyType] =
        [
            .string, .boolean, .integer, .double, .float, .date, .calendarDate, .uuid, .data, .url, .json,
            .decimal(scale: 0), .decimal(scale: 18), .choice(["a,b", "c\\d", "e)f", "g\nh", ""]),
            .integerChoice([-1, 0, .max]),
            .array(of: .string), .array(of: .array(of: .decimal(scale: 3))), .array(of: .choice(["(", ")"])),
            .toOne(model: "Animal"), .toMany(model: "Animal"),
        ] + IntegerWidth.allCases.map(PropertyType.sizedInteger)

    @Test("A type name parses to the type", arguments: types)
    func roundTrip(type: PropertyType) {
        #expect(PropertyType(name: type.name) == type)
    }

    @Test(
        "A line of a schema summary parses to the type, optionality and uniqueness",
        arguments: types.filter { $0.name.first != "t" })
    func line(type: PropertyType) throws {
        let summary = SchemaSummary(lines: ["Animal.value \(type.name)? unique"])
        #expect(summary.unreadableLines.isEmpty)
        let property = try #require(summary.property("value", of: "Animal"))
        #expect(property.type == type && property.isOptional && property.isUnique)
    }

    @Test(
        "An invalid type name is rejected",
        arguments: [
            "", "int", "int64", "decimal", "decimal()", "decimal(19)", "decimal(-1)", "decimal(2", "array()",
            "array(what)",
            "integerChoice(1,x)", "integerChoice(1,,2)", "list(string)",
            String(repeating: "array(", count: 100_000) + "string" + String(repeating: ")", count: 100_000),
        ])
    func unknown(name: String) {
        #expect(PropertyType(name: name) == nil)
    }
}
