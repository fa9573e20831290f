import Foundation
import Testing

@testable import AviaryDomain
@testable import EditorFeature

@Suite("Opening an editor")
struct EditorOpeningTests {
    @Test("A new record has defaults and an identity before it is stored")
    func adding() async throws {
        let records = RecordsInMemory()
        let editor = try EditorViewModel(adding: animalSchema, repository: records, principal: .ada)
        #expect(editor.isNew)
        #expect(editor.title == "Add animal")
        #expect(editor.fields["diet"] == "carnivorous")
        #expect(editor.fields["name"] == "")
        #expect(editor.fields["isTame"] == "false")
        #expect(editor.draft != editor.record)
        #expect(editor.action == "/admin/animals")
        #expect(await records.submissions.isEmpty)
    }

    @Test("Two new records have different identities")
    func identities() throws {
        let one = try EditorViewModel(adding: animalSchema, repository: RecordsInMemory(), principal: .ada)
        let other = try EditorViewModel(adding: animalSchema, repository: RecordsInMemory(), principal: .ada)
        #expect(Set([one.draft, one.record, other.draft, other.record]).count == 4)
    }

    @Test("A stored record opens with its form texts")
    func editing() throws {
        let record = okapi()
        let editor = try EditorViewModel(
            editing: record, of: animalSchema, repository: RecordsInMemory(), principal: .ada)
        #expect(!editor.isNew)
        #expect(editor.title == "Edit animal")
        #expect(editor.recordTitle == "Okapi")
        #expect(editor.version == 7)
        #expect(editor.action == "/admin/animals/\(record.id.canonicalText)")
        #expect(
            editor.fields == [
                "name": "Okapi", "diet": "herbivorous", "legs": "4", "isTame": "true",
                "seen": "2026-11-20T18:39:55.123",
                "category": "",
            ])
    }

    @Test("Saving an unchanged record submits the stored values")
    func unchanged() async throws {
        let (records, record) = (RecordsInMemory(), okapi())
        var editor = try EditorViewModel(editing: record, of: animalSchema, repository: records, principal: .ada)
        _ = await editor.save(at: .now)
        let saved = try #require(await records.submissions.first)
        #expect(animalSchema.storedProperties.map { saved.values[$0.name] } == record.values)
    }

    @Test("A continued draft keeps its identity and its invalid text")
    func continuing() throws {
        let draft = draft(fields: [FormField(name: "name", value: ""), FormField(name: "legs", value: "fo")])
        let editor = try continued(draft)
        #expect(editor.isKept)
        #expect(editor.draft == draft.id)
        #expect(editor.record == draft.record)
        #expect(editor.fields["legs"] == "fo")
    }

    @Test("A draft from another schema gets defaults and loses unknown fields")
    func otherSchema() throws {
        let editor = try continued(
            draft(fields: [FormField(name: "wings", value: "2"), FormField(name: "name", value: "Emu")]))
        #expect(editor.fields["diet"] == "carnivorous")
        #expect(editor.fields["name"] == "Emu")
        #expect(editor.fields["wings"] == nil)
    }

    @Test("A draft from before a restore shows a warning")
    func restored() throws {
        let draft = draft(epoch: "1", fields: [])
        var editor = try continued(draft)
        editor.review(restoreEpoch: "1", of: draft)
        #expect(editor.message == nil)
        editor.review(restoreEpoch: "2", of: draft)
        #expect(editor.message?.kind == .warning)
    }

    private func continued(_ draft: Draft) throws -> EditorViewModel {
        try EditorViewModel(
            continuing: draft, of: animalSchema, stored: nil, repository: RecordsInMemory(), principal: .ada
        )
    }
}

@Suite("Filling in a form")
struct FillingTests {
    private static let values: [String: FieldValue] = [
        "name": .text("Kea"), "seen": .text("2026-11-20T18:39:55.123Z"),
        "category": .text("0192f0c1-2a3b-7c4d-8e5f-001122334455"),
    ]

    @Test("A date is filled in as the form control expects it, and is saved without loss")
    func dates() async throws {
        let records = RecordsInMemory()
        var editor = try EditorViewModel(adding: animalSchema, repository: records, principal: .ada)
        editor.fillIn(Self.values)
        #expect(editor.fields["seen"] == "2026-11-20T18:39:55.123")
        _ = await editor.save(at: .now)
        #expect(await records.submissions.first?.values["seen"] == .text("2026-11-20T18:39:55.123Z"))
    }

    @Test("Filling in does not change fields that are read-only, hidden or not given")
    func fixed() throws {
        var sheet = SheetConfiguration()
        sheet.readOnly = ["name"]
        let viewer = Role("viewer of animals", .allow([.view, .edit], onModelNamed: "Animal"))
        var editor = try EditorViewModel(
            editing: okapi(), of: animalSchema, sheet: sheet, repository: RecordsInMemory(),
            principal: Principal(account: UUID(), name: "eve", role: viewer, epoch: 1)
        )
        editor.fillIn(Self.values)
        #expect(editor.fields["name"] == "Okapi" && editor.fields["legs"] == "4")
        #expect(editor.fields["category"] == "", "whose records may not be seen")
    }
}
