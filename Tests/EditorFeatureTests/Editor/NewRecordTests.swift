import AviaryDesign
import AviaryDomain
import EditorFeature
import Foundation
import Testing

@Suite("The form of a new record")
struct NewRecordTests {
    private static let schema = ModelSchema(
        name: "Movement",
        properties: [
            property("kind", .choice(["in", "out"])), property("grade", .choice(["a", "b", "c", "d", "e"])),
            property("unit", .choice(["piece", "box"]), default: { .text("box") }),
            property("from", .toOne(model: "StoragePlace"), isOptional: true),
            property("category", .toOne(model: "PartCategory"), isOptional: true),
            property("moment", .date, default: { .text("2026-11-26T08:30:15.987Z") }),
        ])

    private func render(_ model: EditorViewModel) -> String {
        var html = HTML()
        html.render(
            EditorView(
                model: model, choices: ["from": [], "category": []], csrf: "token", location: ""))
        return String(decoding: html.bytes, as: UTF8.self)
    }

    private func editor() throws -> EditorViewModel {
        try EditorViewModel(adding: Self.schema, repository: RecordsInMemory(schema: Self.schema), principal: .ada)
    }

    @Test("A choice without an initial value begins with none chosen")
    func unchosen() throws {
        let page = render(try editor())
        #expect(page.contains(#"name="kind" value="in" aria-required="true" autofocus>"#))
        #expect(page.contains(#"name="kind" value="out" aria-required="true">"#))
        #expect(page.contains(#"<option value="">Select a grade</option><option value="a">A</option>"#))
    }

    @Test("A choice with an initial value begins with it")
    func initial() throws {
        #expect(render(try editor()).contains(#"name="unit" value="box" checked>"#))
    }

    @Test("Without a chosen value nothing is saved, and the fields ask for one")
    func required() async throws {
        var editor = try editor()
        #expect(await editor.save(at: .now) == .invalid)
        #expect(
            editor.problems == [
                FieldProblem(property: "kind", message: "Choose a kind."),
                FieldProblem(property: "grade", message: "Choose a grade."),
            ])
    }

    @Test("A field for another record names its model, unless the label does")
    func nouns() throws {
        let page = render(try editor())
        #expect(page.contains("Select a storage place") && page.contains("Select a category"))
    }

    @Test("A time has whole seconds")
    func time() throws {
        #expect(try editor().fields["moment"] == "2026-11-26T08:30:15.000")
    }
}

@Suite("All problems of a form")
struct ProblemsTogetherTests {
    private static let schema = ModelSchema(
        name: "Part",
        properties: [
            property("number", .string, attributes: [.unique]), property("name", .string, attributes: [.required]),
            property("hall", .string), property("shelf", .integer),
        ], uniqueConstraints: [["hall", "shelf"]])
    private static let stored = Record(
        id: .version7(), version: 1, values: [.text("BR-1"), .text("Bearing"), .text("A"), .integer(7)])

    private func problems(
        _ fields: String, of record: UUID = .version7(), refusal: StoreError? = nil
    ) async throws -> [String: String] {
        let text = "draft=\(UUID.version7().canonicalText)&id=\(record.canonicalText)&version=&\(fields)"
        var editor = try EditorViewModel(
            submitted: try FormSubmission(FormEncoding.decode(text.utf8), of: Self.schema), of: Self.schema,
            stored: nil, repository: RecordsInMemory(refusal: refusal, schema: Self.schema, records: [Self.stored]),
            principal: .ada)
        #expect(await editor.save(at: .now) == .invalid)
        return Dictionary(editor.problems.map { ($0.property, $0.message) }) { first, second in first + second }
    }

    private let taken = "Another part already has this number. Choose a different one."
    private let takenTogether = "Another part already has this combination of hall and shelf. Change one of them."

    @Test("Values that another record has are reported together with a missing one")
    func local() async throws {
        let found = try await problems("number=BR-1&name=&hall=A&shelf=7")
        #expect(found == ["number": taken, "name": "The part needs a name.", "hall": takenTogether])
    }

    @Test("The one that the store reports is reported with the others, each once")
    func ofStore() async throws {
        let refusal = StoreError.notUnique(model: "Part", property: "number")
        let found = try await problems("number=BR-1&name=Bolt&hall=A&shelf=7", refusal: refusal)
        #expect(found == ["number": taken, "hall": takenTogether])
    }

    @Test("The record's own values, no value and an unreadable value are not taken")
    func own() async throws {
        #expect(
            try await problems("number=BR-1&name=&hall=A&shelf=7", of: Self.stored.id)
                == ["name": "The part needs a name."])
        #expect(try await problems("number=BR-2&name=&hall=A&shelf=x").keys.sorted() == ["name", "shelf"])
    }
}
