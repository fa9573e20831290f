import AviaryDesign
import Foundation
import Testing

@testable import AviaryDomain
@testable import EditorFeature

@Suite("Searching for the reference of a row")
struct RowPickerTests {
    private static let keepers = ModelSchema(
        name: "Keeper",
        properties: [
            property("name", .string), property("mentor", .toOne(model: "Mentor"), isOptional: true),
            property("house", .toOne(model: "House"), isOptional: true),
        ])
    private static let mentors = ModelSchema(name: "Mentor", properties: [property("name", .string)])
    private let grace = RecordChoice(id: .version7(), title: "Grace")
    private let keeper: Record

    init() {
        keeper = Record(id: .version7(), version: 3, values: [.text("Ada"), .text(grace.id.canonicalText), .null])
    }

    private var field: String { "keepers.\(keeper.id.canonicalText).mentor" }

    private func editor(as principal: Principal = .ada) async throws -> EditorViewModel {
        var sheet = SheetConfiguration()
        sheet.rows = [
            ChildRows(property: "keepers", schema: Self.keepers, reference: "house", fields: ["name", "mentor"])
        ]
        let house = Record(id: .version7(), version: 7, values: [.text("Aviary")])
        let row = Record(
            id: keeper.id, version: 3, values: [keeper.values[0], keeper.values[1], .text(house.id.canonicalText)])
        var editor = try EditorViewModel(
            editing: house, of: House.schema, sheet: sheet,
            repository: RecordsInMemory(schema: House.schema, records: [house]), principal: principal
        )
        try await editor.readRows(["keepers": RecordsInMemory(schema: Self.keepers, records: [row])])
        return editor
    }

    private func render(_ editor: EditorViewModel) -> String {
        var html = HTML()
        html.render(
            EditorView(
                model: editor, choices: [:],
                searches: ["keepers.mentor": ReferenceSearch(schema: Self.mentors, shown: [grace])], csrf: "",
                location: ""
            ))
        return String(decoding: html.bytes, as: UTF8.self)
    }

    @Test("Each row shows its chosen record by name and has its own search")
    func shown() async throws {
        let html = render(try await editor())
        #expect(
            html.contains(#"name="\#(field)" value="\#(grace.id.canonicalText)" checked"#) && html.contains(">Grace<"))
        #expect(html.contains(#"data-choices="/admin/mentors/choices""#))
        #expect(html.contains(#"name=".search.\#(field)""#))
        #expect(html.contains(#"name=".search.keepers.00000000-0000-0000-0000-000000000000.mentor""#))
        #expect(html.contains(#"value="find \#(field)""#))
    }

    @Test("Only the name of a visible reference field gives its property")
    func leads() async throws {
        let editor = try await editor()
        #expect(editor.reference(field)?.type.model == "Mentor")
        for other in [
            "keepers.\(keeper.id.canonicalText).name", "keepers.\(UUID.version7().canonicalText).mentor", "keepers",
            "mentor", "",
        ] {
            #expect(editor.reference(other) == nil, "\(other)")
        }
        let role = Role(
            "some", .allow([.view, .edit], onModelNamed: "House"), .allow([.view, .edit], onModelNamed: "Keeper"))
        let stranger = try await self.editor(as: Principal(account: UUID(), name: "eve", role: role, epoch: 1))
        #expect(stranger.reference(field) == nil, "whose records may not be seen")
    }

    @Test("Search results appear at their row")
    func found() async throws {
        var editor = try await editor()
        let mary = RecordChoice(id: .version7(), title: "Mary")
        editor.show(FoundRecords(text: "ma", matches: ChoiceMatches(choices: [mary], isComplete: true)), for: field)
        let html = render(editor)
        #expect(
            html.contains(#"name="\#(field)" value="\#(mary.id.canonicalText)""#)
                && html.contains("1 mentor matches “ma”."))
    }

    @Test("Pressing Enter in the search field of a row searches")
    func entered() throws {
        let fields = [
            ("draft", UUID.version7().canonicalText), ("id", UUID.version7().canonicalText), (".search." + field, "ma"),
        ]
        let form = try FormSubmission(fields.map { FormField(name: $0.0, value: $0.1) }, of: House.schema)
        #expect(form.step == .find(field))
    }
}

@Suite("Summaries of search results")
struct FoundRecordsTests {
    private func words(_ count: Int, isComplete: Bool = true) -> String {
        let choices = (0..<count).map { RecordChoice(id: .version7(), title: "Kea \($0)") }
        return FoundRecords(text: "ke", matches: ChoiceMatches(choices: choices, isComplete: isComplete)).words(
            animalSchema)
    }

    @Test("The summary gives the number of matches, or says that there are more")
    func found() {
        #expect(words(1) == "1 animal matches “ke”.")
        #expect(words(3) == "3 animals match “ke”.")
        #expect(words(21) == "The first 20 matches for “ke”. Type more to find others.")
        #expect(words(0) == "No animal matches “ke”. Try another part of the name.")
    }

    @Test("A stopped search does not claim that its matches are complete")
    func stopped() {
        #expect(words(0, isComplete: false).hasPrefix("Searching animals for “ke” took too long."))
        #expect(words(3, isComplete: false) == "The first 3 matches for “ke”. Type more to find others.")
    }
}
