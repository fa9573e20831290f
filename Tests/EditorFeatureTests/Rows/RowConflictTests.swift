import AviaryDesign
import Foundation
import Testing

@testable import AviaryDomain
@testable import EditorFeature

@Suite("Conflicts in rows")
struct RowConflictTests {
    struct Change: Sendable {
        /// The author in the history; nil if there is no history.
        let author: String?
        let form: String
        let row: String
    }

    private let ada = keeper("Ada", since: 2001)
    private var entry: String { "keepers.\(ada.id.canonicalText)" }
    /// The history in which Ada was found with the year 2001.
    private let history = HistoryOfOne(author: "grace", before: ["name": .text("Ada"), "since": .integer(2001)])
    private let now = Date(timeIntervalSince1970: 60)

    private func theirs(_ name: String, since: Int64) -> Record {
        Record(id: ada.id, version: 50, values: [.text(name), .integer(since), ada.values[2]])
    }

    private func house(refusing current: Record) -> House {
        House(keepers: [ada], refusal: .conflict(model: "Keeper", current: current))
    }

    private func form(_ house: House, _ fields: [String: String]) async throws -> [FormField] {
        try await house.form(rows: [(ada, fields)])
    }

    private func row(_ editor: EditorViewModel) throws -> ChildRow {
        try #require(editor.rowLists["keepers"]?.entries.first)
    }

    @Test(
        "A three-way merge of a row keeps the changes of both sides")
    func merged() async throws {
        let house = house(refusing: theirs("Ada", since: 2005))
        var editor = try await house.submitted(try await form(house, ["name": "Ada L.", "since": "2001"]))
        #expect(await editor.save(history: history, at: now) == .conflict)
        let row = try row(editor)
        #expect(row.fields == ["name": "Ada L.", "since": "2005"])
        #expect(row.merge.comparisons.isEmpty)
        #expect(
            row.merge.merged == ["since": FieldComparison(before: "2001", theirs: "2005", mine: "2001", kept: .theirs)])
        #expect(row.version == 3 && row.against == 50 && row.isChanged)
        #expect(editor.version == 7 && editor.against == nil)
        #expect(editor.message?.text.hasSuffix("Save keeps both, Cancel discards yours.") == true)
    }

    @Test("A row field that both sides changed needs a choice before it is saved")
    func both() async throws {
        let house = house(refusing: theirs("Ada King", since: 2001))
        let fields = ["name": "Ada L.", "since": "2001"]
        var editor = try await house.submitted(try await form(house, fields))
        #expect(await editor.save(history: history, at: now) == .conflict)
        let row = try row(editor)
        #expect(row.fields["name"] == "Ada L.")
        #expect(row.merge.comparisons == ["name": FieldComparison(before: "Ada", theirs: "Ada King", mine: "Ada L.")])

        let asked = fields.merging([".against": "50", ".compared": "name"]) { $1 }
        let after = House(record: house.record, keepers: [theirs("Ada King", since: 2001)])
        var undecided = try await after.submitted(try await form(after, asked))
        #expect(await undecided.save(history: history, at: now) == .invalid)
        #expect(
            undecided.problems.contains(
                FieldProblem(property: entry + ".name", message: "Choose which version to keep.")))
        #expect(await after.submissions.isEmpty)
    }

    @Test(
        "The chosen version of a row is saved over the version that the page showed",
        arguments: ["mine", "theirs"])
    func chosen(side: String) async throws {
        let house = House(keepers: [theirs("Ada King", since: 2005)])
        var editor = try await house.submitted(
            try await form(
                house,
                [
                    "name": "Ada L.", "since": "2005", ".against": "50", ".compared": "name", ".keep.name": side,
                ]))
        _ = await editor.save(at: now)
        let values: [String: FieldValue] =
            side == "mine" ? ["name": .text("Ada L."), "since": .integer(2005)] : ["since": .integer(2005)]
        #expect(
            try #require(await house.submissions.first).others == [
                .update(model: "Keeper", id: ada.id, version: 50, values: values)
            ])
    }

    @Test("Without a history, each differing field of a row needs a choice")
    func forgotten() async throws {
        let house = house(refusing: theirs("Ada", since: 2005))
        var editor = try await house.submitted(try await form(house, ["name": "Ada L.", "since": "2001"]))
        #expect(await editor.save(at: now) == .conflict)
        #expect(try row(editor).merge.comparisons.keys.sorted() == ["name", "since"])
    }

    @Test(
        "The author of a change to a row is named above the form and at the row",
        arguments: [
            Change(
                author: "ada", form: "You changed a keeper of this house elsewhere while you were editing (",
                row: "You changed this elsewhere in the meantime."),
            Change(
                author: "grace", form: "Someone else changed a keeper of this house while you were editing (grace, ",
                row: "Someone else changed this in the meantime."),
            Change(
                author: nil, form: "A keeper of this house was changed while you were editing. ",
                row: "This was changed in the meantime."),
        ])
    func author(of change: Change) async throws {
        let house = house(refusing: theirs("Ada King", since: 2001))
        var editor = try await house.submitted(try await form(house, ["name": "Ada L.", "since": "2001"]))
        _ = await editor.save(
            history: change.author.map { HistoryOfOne(author: $0, before: ["name": .text("Ada")]) }, at: now)
        let text = try #require(editor.message?.text)
        #expect(text.hasPrefix(change.form))
        #expect(
            text.hasSuffix(
                "Choose which version to keep for each field below, then save. Cancel discards your changes."))
        #expect(editor.problems == [FieldProblem(property: entry, message: change.row)])
    }

    @Test("A row that was deleted concurrently becomes a new row with its text")
    func deleted() async throws {
        let house = House(keepers: [ada], refusal: .notFound(model: "Keeper", id: ada.id))
        var editor = try await house.submitted(try await form(house, ["name": "Ada L.", "since": "2001"]))
        #expect(await editor.save(history: history, at: now) == .conflict)
        let row = try row(editor)
        #expect(row.isNew && row.id != ada.id && row.fields["name"] == "Ada L." && row.isChanged)
        #expect(
            editor.message?.text.hasPrefix("A keeper of this house was deleted while you were editing (grace, ") == true
        )
    }

    @Test("A draft of a row conflict keeps its version and asks again")
    func draft() async throws {
        let house = House(keepers: [theirs("Ada King", since: 2005)])
        var editor = try await house.submitted(try await form(house, ["name": "Ada L.", "since": "2001"]))
        await editor.compareRows(history: history, at: now)
        let draft = editor.makeDraft(sequence: 1, restoreEpoch: "", schemaFingerprint: "", at: now)
        var reopened = try await house.continuing(draft)
        await reopened.compareRows(history: history, at: now)
        reopened.addRowMessages()
        let row = try row(reopened)
        #expect(row.version == 3 && row.against == 50)
        #expect(row.merge.comparisons.keys.sorted() == ["name"])
        #expect(row.fields == ["name": "Ada L.", "since": "2005"])
        #expect(reopened.message != nil)
    }

    @Test("Conflicts in the record and its rows are reported together with other problems")
    func atOnce() async throws {
        let house = House(
            record: Record(id: .version7(), version: 9, values: [.text("Old aviary")]),
            keepers: [theirs("Ada King", since: 2001)])
        var editor = try await house.submitted(
            try await form(house, ["name": "Ada L.", "since": "long ago"]), name: "My aviary")
        #expect(await editor.save(history: history, at: now) == .invalid)
        #expect(editor.problems.map(\.property) == [entry + ".since", entry])
        #expect(editor.comparisons.keys.sorted() == ["name"] && editor.against == 9)
        #expect(try row(editor).merge.comparisons.keys.sorted() == ["name"])
        let text = try #require(editor.message?.text)
        #expect(
            text.hasPrefix("Someone else changed this house")
                && text.contains("Someone else changed a keeper of this house"))
        #expect(await house.submissions.isEmpty)
    }

    @Test("A row conflict is resolved by radio buttons and contains its versions")
    func page() async throws {
        let house = house(refusing: theirs("Ada King", since: 2005))
        var editor = try await house.submitted(try await form(house, ["name": "Ada L.", "since": "2001"]))
        _ = await editor.save(history: history, at: now)
        var html = HTML()
        html.render(EditorView(model: editor, choices: [:], csrf: "", location: ""))
        let page = String(decoding: html.bytes, as: UTF8.self)
        #expect(
            page.contains(#"name="\#(entry)..keep.name" value="mine""#)
                && page.contains(#"name="\#(entry)..keep.name" value="theirs""#))
        #expect(
            page.contains(#"name="\#(entry)..against" value="50""#)
                && page.contains(#"name="\#(entry)..compared" value="name""#))
        #expect(page.contains(#"name="keepers.rows" value="\#(ada.id.canonicalText) 3""#))
        #expect(page.contains("Updated with someone else’s change (before: 2001)"))
    }
}
