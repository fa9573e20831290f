import AviaryDomain
import EditorFeature
import Foundation
import Testing

@Suite("What happened meanwhile is told, and no typed text is lost")
struct ConflictTests {
    @Test("A record that someone else changed shows both versions, and the next Save decides")
    func changed() async throws {
        let current = okapi(version: 9, name: "Okapia")
        var editor = try editor(RecordsInMemory(refusal: .conflict(model: "Animal", current: current)), valid, version: 7)
        let draft = editor.draft
        #expect(await editor.save() == .conflict)
        #expect(editor.fields["name"] == "Okapi")
        #expect(editor.storedFields == ["name": "Okapia", "seen": "2026-11-20T18:39:55.123"])
        #expect(editor.version == 9)
        #expect(editor.recordTitle == "Okapia")
        #expect(editor.draft == draft)
        #expect(editor.message?.text.contains("Save keeps your text, Cancel keeps theirs.") == true)
    }

    @Test("A record that was deleted meanwhile is saved as a new one, with new ids")
    func deleted() async throws {
        var editor = try editor(RecordsInMemory(refusal: .notFound(model: "Animal", id: .version7())), valid, version: 7)
        let before = [editor.draft, editor.record]
        #expect(await editor.save() == .conflict)
        #expect(editor.isNew)
        #expect(editor.action == "/admin/animals")
        #expect(!before.contains(editor.draft) && !before.contains(editor.record))
        #expect(editor.fields["name"] == "Okapi")
        #expect(editor.message?.text == "This animal was deleted in the meantime. Your text is still here: Save stores it as a new animal, Cancel drops it.")
    }

    @Test("A new record's form that was saved with other content goes on as another record")
    func alreadySaved() async throws {
        var editor = try editor(RecordsInMemory(refusal: .alreadySaved(commit: 3)), valid)
        let before = [editor.draft, editor.record]
        #expect(await editor.save() == .conflict)
        #expect(!before.contains(editor.draft) && !before.contains(editor.record))
        #expect(editor.message?.text == "This form was saved already, with other content. Your text is still here: Save stores it as another animal, Cancel drops it.")
    }

    @Test("An edit that was saved with other content goes on at the same record")
    func editAlreadySaved() async throws {
        var editor = try editor(RecordsInMemory(refusal: .alreadySaved(commit: 3)), valid, version: 7)
        let before = (draft: editor.draft, record: editor.record)
        #expect(await editor.save() == .conflict)
        #expect(editor.draft != before.draft)
        #expect(editor.record == before.record)
        #expect(editor.version == 7)
    }

    @Test("A draft that was discarded before is never stored under its id", arguments: [nil, Int64(7)])
    func discarded(version: Int64?) async throws {
        var editor = try editor(RecordsInMemory(refusal: .alreadyDiscarded), valid, version: version)
        let draft = editor.draft
        #expect(await editor.save() == .conflict)
        #expect(editor.draft != draft)
        #expect(editor.isNew == (version == nil))
        #expect(editor.message?.text == "This draft was discarded before. Your text is still here: Save stores it, Cancel drops it.")
    }

    @Test("Nothing counts as saved that was refused", arguments: [
        StoreError.alreadySaved(commit: 1), .alreadyDiscarded, .malformed("x"), .unavailable("x"),
        .notFound(model: "Animal", id: UUID()), .conflict(model: "Animal", current: okapi()),
    ])
    func notSaved(error: StoreError) async throws {
        var editor = try editor(RecordsInMemory(refusal: error), valid)
        _ = await editor.save()
        #expect(!editor.isSaved)
        #expect(editor.message != nil)
        #expect(editor.fields["name"] == "Okapi")
    }
}
