import AviaryDesign
import Foundation
import Testing

@testable import AviaryDomain
@testable import EditorFeature

@Suite("Removing rows that others changed")
struct RowRemovalTests {
    private let ada = keeper("Ada", since: 2001)
    private var entry: String { "keepers.\(ada.id.canonicalText)" }
    private let history = HistoryOfOne(author: "grace", before: ["name": .text("Ada"), "since": .integer(2001)])
    private let now = Date(timeIntervalSince1970: 60)
    private var theirs: Record {
        Record(id: ada.id, version: 50, values: [.text("Ada King"), .integer(2001), ada.values[2]])
    }

    private func removing(_ house: House, _ fields: [String: String] = [:], as principal: Principal = .ada) async throws
        -> EditorViewModel
    {
        let all = ["name": "Ada", "since": "2001", ".remove": "true"].merging(fields) { $1 }
        return try await house.submitted(try await house.form(rows: [(ada, all)]), as: principal)
    }

    private func row(_ editor: EditorViewModel) throws -> ChildRow {
        try #require(editor.rowLists["keepers"]?.entries.first)
    }

    @Test("Removing a changed row is a conflict, and the row shows the other version")
    func reported() async throws {
        let house = House(keepers: [ada], refusal: .conflict(model: "Keeper", current: theirs))
        var editor = try await removing(house)
        #expect(await editor.save(history: history, at: now) == .conflict)
        #expect(
            try #require(await house.submissions.first).others == [.delete(model: "Keeper", id: ada.id, version: 3)])
        let row = try row(editor)
        #expect(row.isRemoved && row.asksRemoval && row.against == 50 && row.fields["name"] == "Ada King")
        let text = try #require(editor.message?.text)
        #expect(text.hasPrefix("Someone else changed a keeper of this house while you were editing (grace, "))
        #expect(
            text.hasSuffix(
                "Choose whether to remove the changed rows below, then save. Cancel discards your changes."))
        #expect(
            editor.problems == [
                FieldProblem(property: entry, message: "Someone else changed this in the meantime. Not removed yet.")
            ])
    }

    @Test("The removal conflict is resolved by radio buttons")
    func page() async throws {
        let house = House(keepers: [ada], refusal: .conflict(model: "Keeper", current: theirs))
        var editor = try await removing(house)
        _ = await editor.save(history: history, at: now)
        var html = HTML()
        html.render(EditorView(model: editor, choices: [:], csrf: "", location: ""))
        let page = String(decoding: html.bytes, as: UTF8.self)
        #expect(page.contains(">Remove anyway?<"))
        #expect(page.contains(/name="[^"]*\.name"[^>]* autofocus/))
        #expect(
            page.contains(#"name="\#(entry)..keep..remove" value="mine""#)
                && page.contains(#"name="\#(entry)..keep..remove" value="theirs""#))
        #expect(
            page.contains(#"name="\#(entry)..against" value="50""#)
                && page.contains(#"name="\#(entry)..compared" value=".remove""#))
    }

    @Test("A removal conflict without a choice is not saved")
    func undecided() async throws {
        let house = House(keepers: [theirs])
        var editor = try await removing(house, ["name": "Ada King", ".against": "50", ".compared": ".remove"])
        #expect(await editor.save(history: history, at: now) == .invalid)
        #expect(editor.problems.contains(FieldProblem(property: entry, message: "Choose whether to remove the row.")))
        #expect(await house.submissions.isEmpty)
    }

    @Test("The chosen removal applies to the version that the page showed", arguments: ["mine", "theirs"])
    func chosen(side: String) async throws {
        let house = House(keepers: [theirs])
        let origin = ChildRow.digest(["name": "Ada King", "since": "2001"])
        let fields = ["name": "Ada King", ".against": "50", ".compared": ".remove", ".keep..remove": side]
        let form = house.row(
            ada.id, version: 3, origin: origin, ["since": "2001", ".remove": "true"].merging(fields) { $1 })
        var editor = try await house.submitted(form)
        _ = await editor.save(at: now)
        #expect(
            try #require(await house.submissions.first).others
                == (side == "mine" ? [.delete(model: "Keeper", id: ada.id, version: 50)] : []))
    }

    @Test("A row that changes again asks again")
    func changedAgain() async throws {
        let later = Record(id: ada.id, version: 60, values: [.text("Ada Byron"), .integer(2002), ada.values[2]])
        let house = House(keepers: [theirs], refusal: .conflict(model: "Keeper", current: later))
        let form = house.row(
            ada.id, version: 3, origin: ChildRow.digest(["name": "Ada King", "since": "2001"]),
            [
                "name": "Ada King", "since": "2001", ".remove": "true", ".against": "50", ".compared": ".remove",
                ".keep..remove": "mine",
            ])
        var editor = try await house.submitted(form)
        #expect(await editor.save(history: history, at: now) == .conflict)
        let text = try #require(editor.message?.text)
        #expect(
            text.hasSuffix(
                "Choose whether to remove the changed rows below, then save. Cancel discards your changes."))
    }

    @Test("A row that is no longer marked for removal asks nothing")
    func unticked() async throws {
        let house = House(keepers: [theirs])
        let origin = ChildRow.digest(["name": "Ada King", "since": "2001"])
        let form = house.row(
            ada.id, version: 3, origin: origin,
            [
                "name": "Ada King", "since": "2001", ".against": "50", ".compared": ".remove",
            ])
        var editor = try await house.submitted(form)
        _ = await editor.save(at: now)
        #expect(try #require(await house.submissions.first).others.isEmpty)
    }

    @Test("A draft of a removal conflict asks again")
    func draft() async throws {
        let house = House(keepers: [theirs])
        var editor = try await removing(house)
        await editor.compareRows(history: history, at: now)
        var reopened = try await house.continuing(
            editor.makeDraft(sequence: 1, restoreEpoch: "", schemaFingerprint: "", at: now))
        await reopened.compareRows(history: history, at: now)
        let row = try row(reopened)
        #expect(row.isRemoved && row.asksRemoval && row.version == 3 && row.against == 50)
    }
}
