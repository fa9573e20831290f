import Foundation
import Testing

@testable import AviaryDomain

@Suite("The title of a record")
struct RecordTitleTests {
    private static let telescope = property("telescope", .toOne(model: "Telescope"))
    private static let target = property("target", .toOne(model: "Target"))
    private static let began = property("began", .calendarDate)
    private static let exposure = property("exposure", .double)

    private func parts(_ properties: PropertySchema..., unique: [[String]] = []) -> [String] {
        ModelSchema(name: "Thing", properties: properties, uniqueConstraints: unique).titleParts.map(\.name)
    }

    private func text(_ name: String, _ options: AttributeOption...) -> PropertySchema {
        property(name, .string, attributes: Set(options))
    }

    @Test("A guess prefers the first required text, then the first unique one, then the first of any")
    func ranks() {
        #expect(parts(text("a"), text("b", .unique), text("c", .required), text("d", .unique, .required)) == ["c"])
        #expect(parts(text("a"), text("d", .unique, .required), text("c", .required)) == ["d"])
        #expect(parts(text("a"), text("b", .unique)) == ["b"])
        #expect(parts(text("a"), text("b")) == ["a"])
    }

    @Test("The title of an application's model has a text index if it is one text and not declared otherwise")
    func indexed() {
        func searched(_ properties: PropertySchema..., by title: String? = nil) -> [String] {
            let model = ModelSchema(name: "Thing", properties: properties)
            #expect(model.searchedProperties.map(\.name) == properties.filter(\.isFullText).map(\.name))
            return (title.map { model.titled(by: $0) } ?? model).indexingTitle().searchedProperties.map(\.name)
        }
        #expect(searched(text("a"), text("b", .required)) == ["b"])
        #expect(searched(text("a", .fullText), text("b", .required), text("c")) == ["a", "b"])
        #expect(searched(text("a"), text("b", .required), by: "a") == ["a"])
        #expect(searched(text("a", .fullText), text("b", .required, .notFullText)) == ["a"])
        #expect(searched(text("a", .secret), Self.exposure).isEmpty)
        #expect(searched(Self.telescope, Self.began).isEmpty)
        let computed = ModelSchema(name: "Thing", properties: [text("a")]).indexingTitle().titled { _ in "x" }
        #expect(computed.searchedProperties.isEmpty)
    }

    @Test("A guess without a needed text consists of the properties that are unique together, in their order")
    func group() {
        #expect(
            parts(Self.exposure, Self.telescope, Self.began, unique: [["began", "telescope"]]) == [
                "began", "telescope",
            ])
    }

    @Test("A guess without unique properties consists of up to three values, references and days before numbers")
    func composed() {
        #expect(
            parts(Self.exposure, Self.telescope, Self.target, Self.began) == ["telescope", "target", "began"])
        #expect(parts(Self.exposure, Self.telescope) == ["exposure", "telescope"])
    }

    @Test(
        "A guess stays the same when an optional property or one with a default is added, at any place",
        arguments: [
            property("note", .string, isOptional: true),
            property("passband", .string, default: { .text("V") }),
            property("remark", .string, default: { .text("") }),
            property("code", .string, isOptional: true, attributes: [.unique]),
            property("grade", .string, attributes: [.required, .unique], default: { .text("A") }),
            property("day", .calendarDate, isOptional: true),
        ])
    func stable(added: PropertySchema) {
        let models: [[PropertySchema]] = [
            [text("name", .required)], [text("name")], [Self.telescope, Self.target, Self.began], [Self.exposure],
        ]
        for properties in models {
            let before = ModelSchema(name: "Thing", properties: properties).titleParts.map(\.name)
            for place in 0...properties.count {
                var more = properties
                more.insert(added, at: place)
                #expect(ModelSchema(name: "Thing", properties: more).titleParts.map(\.name) == before)
            }
        }
    }

    @Test("A required text with an empty default counts as needed, because nobody can save the default")
    func emptyDefault() {
        let name = property("name", .string, attributes: [.required], default: { .text("") })
        #expect(parts(Self.began, name) == ["name"])
    }

    @Test("The title of a model that requires nothing is its first text, never a secret")
    func nothingNeeded() {
        let secret = property("key", .string, isOptional: true, attributes: [.secret])
        let note = property("note", .string, isOptional: true)
        #expect(parts(secret, note) == ["note"])
        #expect(parts(secret).isEmpty)
    }

    @Test("A composed title has the titles of the references and leaves missing values out")
    func words() {
        let model = model("Observation", Self.telescope, Self.target, Self.began)
        let ids = [UUID.version7(), UUID.version7()].map { FieldValue.text($0.canonicalText) }
        func title(_ titles: [String?], _ began: FieldValue) -> String? {
            Record(id: .version7(), version: 1, values: ids + [began], referenceTitles: titles).shownTitle(in: model)
        }
        #expect(title(["Hubble", "M 31", nil], .text("2026-11-01")) == "Hubble, M 31, 1 Nov 2026")
        #expect(title(["Hubble", nil, nil], .null) == "Hubble")
        #expect(title([UUID.version7().canonicalText, nil, nil], .null) == nil)
    }

    @Test("A title that a closure returns is used as it is, and a blank one is none")
    func computed() {
        let model = Animal.schema.titled { record in
            if case .text(let name) = record.value("name", in: Animal.schema) { "The \(name)" } else { nil }
        }
        let id = UUID.version7()
        #expect(Record(id: id, version: 1, values: [.text("Kea"), .null, .null]).title(in: model) == "The Kea")
        let blank = Animal.schema.titled { _ in " " }
        #expect(Record(id: id, version: 1, values: [.text("Kea")]).title(in: blank) == id.canonicalText)
    }

    @Test("People find a record by the guessed text when a closure returns the title")
    func found() {
        #expect(Animal.schema.titled { _ in "x" }.titleProperty?.name == "name")
        #expect(model("Thing", Self.began, property("note", .string, isOptional: true)).titleProperty == nil)
    }

    @Test("A typed form has the title that the record will have")
    func typed() {
        #expect(Animal.schema.title(typed: { $0 == "name" ? "Kea" : nil }) == "Kea")
        #expect(model("Thing", Self.began).title(typed: { _ in "2026-11-01" }) == "1 Nov 2026")
        #expect(model("Thing", Self.began).title(typed: { _ in "soon" }) == nil)
    }
}

@Suite("Titles and roles")
struct RecordTitleRoleTests {
    private let observation = model(
        "Observation", property("telescope", .toOne(model: "Telescope")), property("began", .calendarDate))

    private func role(_ models: String..., hiding hidden: [String] = []) -> Role {
        Role(
            "guest",
            models.map { Permission.allow([.view], onModelNamed: $0) }
                + [.properties(hidden, ofModelNamed: "Observation", areHidden: true)])
    }

    @Test("A composed guess leaves out what any role that views the records must not see")
    func left() throws {
        let blind = try observation.titled(for: [.admin, role("Observation")])
        #expect(blind.titleParts.map(\.name) == ["began"])
        let hiding = try observation.titled(for: [role("Observation", "Telescope", hiding: ["began"])])
        #expect(hiding.titleParts.map(\.name) == ["telescope"])
        let none = try observation.titled(for: [role("Telescope"), .viewer])
        #expect(none.titleParts.map(\.name) == ["telescope", "began"])
    }

    @Test("A role that hides the declared title or the only text of a guess is an error that says what to do")
    func errors() {
        let declared = observation.titled(by: "began")
        let error = #expect(throws: RoleError.self) {
            try declared.titled(for: [role("Observation", hiding: ["began"])])
        }
        #expect(error?.reason.contains("by which people know the records") == true)
        let blind = #expect(throws: RoleError.self) {
            try observation.titled(by: "telescope").titled(for: [role("Observation")])
        }
        #expect(blind?.reason.contains("cannot view what Observation.telescope refers to") == true)
        let hiding = Role("a", .allow(.view, on: Animal.self), .hide(\Animal.name))
        #expect(throws: RoleError.self) { try Animal.schema.titled(for: [hiding]) }
    }

    @Test("Nobody finds a record by a text that a role hides when a closure returns the title")
    func hiddenText() throws {
        let hiding = Role("a", .allow(.view, on: Animal.self), .hide(\Animal.name))
        let model = try Animal.schema.titled { _ in "x" }.titled(for: [hiding])
        #expect(model.titleProperty == nil && model.titleSearch(for: "Kea") { _ in nil } == nil)
    }
}
