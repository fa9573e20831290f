import AllTypesModel
import Foundation
import Testing

@testable import AviaryDomain

@Suite("Descriptions of stored values")
struct PropertyWordsTests {
    private func words(
        _ name: String, of exhibit: Exhibit, elements: Int = .max, title: (UUID) -> String? = { _ in nil }
    ) throws -> String? {
        let property = try #require(Exhibit.schema.property(name))
        return property.words(for: exhibit.fieldValues[name] ?? .null, elements: elements, title: title)
    }

    @Test(
        "Each type has its own description",
        arguments: [
            ("flag", "Yes"), ("int8", "127"), ("int16", "32,767"), ("uint16", "65,535"), ("kind", "Egg shell"),
            ("grade", "Good"),
            ("found", "31 Dec 9999, 23:59 UTC"), ("day", "31 Dec 9999"), ("image", "65,536 bytes"),
            ("kinds", "Bone, Feather, Egg shell"),
            ("sizes", "9,223,372,036,854,775.807, 0.001"), ("label", "Text: /, Grade: Good, Next: {…}"),
        ])
    func types(name: String, expected: String) throws {
        #expect(try words(name, of: .greatest) == expected)
    }

    @Test("A null has no description, and an empty array an empty one")
    func nothing() throws {
        #expect(try words("maybeTags", of: Exhibit()) == nil)
        #expect(try words("maybeLabel", of: Exhibit()) == nil)
        #expect(try words("tags", of: Exhibit()) == "")
    }

    @Test(
        "A calculation without a number has no description",
        arguments: [
            (.double, .real(.nan)), (.double, .real(.infinity)), (.float, .real(-.infinity)),
            (.decimal(scale: 2), .text("NaN")),
        ] as [(PropertyType, FieldValue)])
    func noNumber(type: PropertyType, value: FieldValue) {
        #expect(property("ratio", type).words(for: value) == nil)
        #expect(property("ratio", .double).words(for: .real(0.5)) == "0.5")
    }

    @Test("A long array shows its first elements and the number of the others")
    func elements() throws {
        var exhibit = Exhibit()
        exhibit.tags = (1...1200).map(String.init)
        #expect(try words("tags", of: exhibit, elements: 2) == "1, 2 and 1,198 more")
        #expect(try words("tags", of: exhibit)?.hasSuffix("1199, 1200") == true)
    }

    @Test("A reference shows the title of its record, or that the record is deleted")
    func references() throws {
        var exhibit = Exhibit()
        let parent = Exhibit()
        exhibit.parent = Reference(parent)
        #expect(try words("parent", of: exhibit) { $0 == parent.id.uuid ? "Kea" : nil } == "Kea")
        #expect(try words("parent", of: exhibit) == "a deleted record")
    }

    @Test("Integers of up to four digits are not grouped")
    func years() throws {
        let property = try #require(Exhibit.schema.property("int"))
        #expect(property.words(for: .integer(1984)) == "1984")
        #expect(property.words(for: .integer(-19_840)) == "-19,840")
    }

    @Test("A long text is truncated between characters")
    func long() throws {
        let property = try #require(Exhibit.schema.property("text"))
        let text = String(repeating: "e\u{301}", count: TextFormatter.longestBeginning)
        #expect(property.words(for: .text(text)) == text)
        #expect(property.words(for: .text(text + "x")) == text + "…")
    }

    @Test("A value that does not fit its type is shown as stored")
    func older() throws {
        for (name, value, expected) in [
            ("tags", FieldValue.text("not a list"), "not a list"), ("label", .text("[1]"), "[1]"),
            ("kind", .text("scale"), "scale"),
            ("flag", .text("maybe"), "maybe"), ("day", .text("soon"), "soon"), ("parent", .text("Kea"), "Kea"),
            ("text", .integer(5), "5"),
        ] {
            let property = try #require(Exhibit.schema.property(name))
            #expect(property.words(for: value) == expected, "\(name)")
        }
    }

    @Test("Numbers and Boolean values are formatted in the language in use")
    func german() async throws {
        let german = try await Language.german.use { () async throws -> [String?] in
            [try words("sizes", of: .greatest), try words("flag", of: .greatest)]
        }
        #expect(german == ["9.223.372.036.854.775,807, 0,001", "Ja"])
    }
}
