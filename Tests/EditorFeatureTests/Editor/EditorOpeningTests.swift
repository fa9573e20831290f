import Foundation
import Testing

@testable import AviaryDomain
@testable import EditorFeature

@Suite("An editor opens with a new record, a stored one or a draft")
struct EditorOpeningTests {
    @Test("A new record begins with its defaults, and with an identity before anything is stored")
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

    @Test("Two new records never share an identity")
    func identities() throws {
        let one = try EditorViewModel(adding: animalSchema, repository: RecordsInMemory(), principal: .ada)
        let other = try EditorViewModel(adding: animalSchema, repository: RecordsInMemory(), principal: .ada)
        #expect(Set([one.draft, one.record, other.draft, other.record]).count == 4)
    }

    @Test("A stored record opens with its values as a form shows them")
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

    @Test("What is shown of a stored record and saved unchanged is the stored values")
    func unchanged() async throws {
        let (records, record) = (RecordsInMemory(), okapi())
        var editor = try EditorViewModel(editing: record, of: animalSchema, repository: records, principal: .ada)
        _ = await editor.save(at: .now)
        let saved = try #require(await records.submissions.first)
        #expect(animalSchema.storedProperties.map { saved.values[$0.name] } == record.values)
    }

    @Test("A draft goes on as typed, also what does not validate, under its own identity")
    func continuing() throws {
        let draft = draft(fields: [FormField(name: "name", value: ""), FormField(name: "legs", value: "fo")])
        let editor = try continued(draft)
        #expect(editor.isKept)
        #expect(editor.draft == draft.id)
        #expect(editor.record == draft.record)
        #expect(editor.fields["legs"] == "fo")
    }

    @Test("A field that the draft does not know has its default; one that the model no longer has is left out")
    func otherSchema() throws {
        let editor = try continued(
            draft(fields: [FormField(name: "wings", value: "2"), FormField(name: "name", value: "Emu")]))
        #expect(editor.fields["diet"] == "carnivorous")
        #expect(editor.fields["name"] == "Emu")
        #expect(editor.fields["wings"] == nil)
    }

    @Test("A draft from before a restore asks for a look; one of the same store does not")
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

@Suite("A form is filled with the values of another time or another record")
struct FillingTests {
    private static let values: [String: FieldValue] = [
        "name": .text("Kea"), "seen": .text("2026-11-20T18:39:55.123Z"),
        "category": .text("0192f0c1-2a3b-7c4d-8e5f-001122334455"),
    ]

    @Test("A date and time stands there as a browser's control takes it, and saving stores it")
    func dates() async throws {
        let records = RecordsInMemory()
        var editor = try EditorViewModel(adding: animalSchema, repository: records, principal: .ada)
        editor.fillIn(Self.values)
        #expect(editor.fields["seen"] == "2026-11-20T18:39:55.123")
        _ = await editor.save(at: .now)
        #expect(await records.submissions.first?.values["seen"] == .text("2026-11-20T18:39:55.123Z"))
    }

    @Test("What this form cannot set, and what is not among the values, stays as it is")
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
