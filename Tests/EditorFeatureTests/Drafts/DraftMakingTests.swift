import AviaryDomain
import EditorFeature
import Foundation
import Testing

@Suite("Creating drafts")
struct DraftMakingTests {
    private let now = Date(timeIntervalSince1970: 1_000_000)

    @Test("A draft keeps invalid text as typed")
    func unvalidated() throws {
        let draft = try draft("name=+%0A&diet=vegan&legs=fo&isTame=maybe")
        #expect(draft.fields.value("legs") == "fo")
        #expect(draft.fields.value("diet") == "vegan")
        #expect(draft.fields.value("name") == " \n")
    }

    @Test("A draft has its user, record, version and expiry date")
    func identity() throws {
        let editor = try editor(RecordsInMemory(), valid, version: 7)
        let draft = editor.makeDraft(sequence: 4, restoreEpoch: "e", schemaFingerprint: "f", at: now)
        #expect(draft.id == editor.draft)
        #expect(draft.record == editor.record)
        #expect(draft.version == 7)
        #expect(draft.model == "Animal")
        #expect(draft.user == Principal.ada.draftOwner)
        #expect(draft.sequence == 4)
        #expect(draft.restoreEpoch == "e")
        #expect(draft.expiresAt == now.addingTimeInterval(7 * 24 * 3600))
    }

    @Test("A draft contains only fields of the model")
    func ownFields() throws {
        let draft = try draft("\(valid)&csrf=secret&wings=2")
        #expect(draft.fields.map(\.name) == ["name", "diet", "legs", "isTame", "seen", "category"])
    }

    @Test("A continued draft has the same fields")
    func roundTrip() throws {
        let draft = try draft("name=%F0%9F%A6%9C&diet=&legs=fo&isTame=&seen=&category=")
        let editor = try EditorViewModel(
            continuing: draft, of: animalSchema, stored: nil, repository: RecordsInMemory(), principal: .ada
        )
        #expect(editor.fields == ["name": "🦜", "diet": "", "legs": "fo", "isTame": "", "seen": "", "category": ""])
    }

    @Test(
        "A form is untouched if its values equal the stored values",
        arguments: [
            ("name=Okapi&legs=4", true), ("name=Okapi&legs=+04", true), ("name=Okapia&legs=4", false),
            ("name=Okapi&legs=fo", false),
        ])
    func untouched(fields: String, isUntouched: Bool) throws {
        let editor = try editor(RecordsInMemory(), fields, version: 7, stored: okapi())
        #expect(editor.isUntouched == isUntouched)
    }

    @Test("Creating a draft stores no record")
    func nothingStored() async throws {
        let records = RecordsInMemory()
        _ = try editor(records, valid).makeDraft(sequence: 1, restoreEpoch: "", schemaFingerprint: "", at: now)
        #expect(await records.submissions.isEmpty)
    }

    private func draft(_ fields: String) throws -> Draft {
        try editor(RecordsInMemory(), fields).makeDraft(sequence: 1, restoreEpoch: "", schemaFingerprint: "", at: now)
    }
}
