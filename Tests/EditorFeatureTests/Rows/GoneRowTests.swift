import AviaryDesign
import Foundation
import Testing

@testable import AviaryDomain
@testable import EditorFeature

@Suite("Deleted rows that the role cannot add again")
struct GoneRowTests {
    private let ada = keeper("Ada", since: 2001)
    private var entry: String { "keepers.\(ada.id.canonicalText)" }
    private let history = HistoryOfOne(author: "grace", before: ["name": .text("Ada"), "since": .integer(2001)])
    private let now = Date(timeIntervalSince1970: 60)
    private let eve = Principal(
        account: UUID(), name: "eve",
        role: Role(
            "some", .allow([.view, .add, .edit], onModelNamed: "House"), .allow([.view, .edit], onModelNamed: "Keeper")),
        epoch: 1
    )

    private func editor(_ house: House, _ fields: [String: String] = [:]) async throws -> EditorViewModel {
        let form = try await house.form(rows: [(ada, ["name": "Ada L.", "since": "2001"].merging(fields) { $1 })])
        return try await house.submitted(form, as: eve)
    }

    private func html(_ editor: EditorViewModel) -> String {
        var html = HTML()
        html.render(EditorView(model: editor, choices: [:], csrf: "", location: ""))
        return String(decoding: html.bytes, as: UTF8.self)
    }

    @Test("The row keeps its text and says that it cannot be added again")
    func reported() async throws {
        let house = House(keepers: [], refusal: .notFound(model: "Keeper", id: ada.id))
        var editor = try await editor(house)
        #expect(await editor.save(history: history, at: now) == .conflict)
        let row = try #require(editor.rowLists["keepers"]?.entries.first)
        #expect(row.id == ada.id && row.isGone && row.fields["name"] == "Ada L.")
        #expect(editor.problems.map(\.property) == [entry])
        #expect(
            editor.problems.first?.message.hasPrefix(
                "Someone deleted this in the meantime, and you can’t add it again.")
                == true)
        #expect(
            editor.message?.text.hasSuffix(
                "Select “Don’t add this row” for each deleted row below, then save. Cancel discards your changes.")
                == true)
        let page = html(editor)
        #expect(page.contains(#"name="\#(entry).name" value="Ada L.""#))
        #expect(page.contains(#"name="\#(entry)..remove""#) && page.contains("Don’t add this row"))
    }

    @Test("A row that is left out submits nothing")
    func leftOut() async throws {
        let house = House(keepers: [])
        var editor = try await editor(house, [".remove": "true"])
        _ = await editor.save(history: history, at: now)
        #expect(try #require(await house.submissions.first).others.isEmpty)
    }

    @Test("A draft shows the text and the message again")
    func draft() async throws {
        let house = House(keepers: [])
        let draft = try await editor(house).makeDraft(sequence: 1, restoreEpoch: "", schemaFingerprint: "", at: now)
        var reopened = try await editor(house)
        try await reopened.readRows(["keepers": RecordsInMemory(schema: House.keeperSchema)], draft: draft)
        await reopened.compareRows(history: history, at: now)
        #expect(reopened.rowLists["keepers"]?.entries.map { $0.fields["name"] } == ["Ada L."])
        #expect(reopened.problems.map(\.property) == [entry])
    }

    @Test("If the record itself is deleted, the rows are skipped and their text is shown")
    func houseGone() async throws {
        let house = House(keepers: [ada])
        let gone = House(record: house.record, keepers: [ada], refusal: .notFound(model: "House", id: house.record.id))
        var editor = try await editor(gone)
        #expect(await editor.save(history: history, at: now) == .conflict)
        #expect(
            editor.problems == [
                FieldProblem(
                    property: "keepers",
                    message: "You can’t add keepers, so Save skips these rows. Copy what you need."
                )
            ])
        #expect(html(editor).contains("Ada L."))
    }
}
