import AviaryDomain
import EditorFeature
import Foundation
import Testing

@Suite("Saving a form")
struct SavingTests {
    @Test("Save submits the values under the id of the draft")
    func saved() async throws {
        let records = RecordsInMemory()
        var editor = try editor(records, "name=Okapi&diet=herbivorous&legs=4&isTame=true")
        let outcome = await editor.save(at: .now)
        #expect(outcome == .saved(Receipt(changeSet: editor.draft, commit: 1, isRepeat: false)))
        #expect(editor.isSaved)
        #expect(
            await records.submissions == [
                RecordSubmission(
                    draft: editor.draft, author: "ada", id: editor.record, version: nil,
                    values: [
                        "name": .text("Okapi"), "diet": .text("herbivorous"), "legs": .integer(4),
                        "isTame": .integer(1),
                        "seen": .null, "category": .null,
                    ]
                )
            ])
    }

    @Test("A missing field keeps the stored value, or the default in a new record")
    func olderForm() async throws {
        let records = RecordsInMemory()
        var new = try editor(records, "name=Okapi&legs=4&isTame=true")
        _ = await new.save(at: .now)
        var existing = try editor(records, "name=Okapi&isTame=false&category=", version: 7, stored: okapi())
        _ = await existing.save(at: .now)
        let values = await records.submissions.map(\.values)
        #expect(values.count == 2)
        #expect(values.first?["diet"] == .text("carnivorous"))
        #expect(
            values.last == [
                "name": .text("Okapi"), "diet": .text("herbivorous"), "legs": .integer(4), "isTame": .integer(0),
                "seen": .text("2026-11-20T18:39:55.123Z"), "category": .null,
            ])
    }

    @Test(
        "A form does not set properties that the role cannot set",
        arguments: [true, false])
    func fixed(areHidden: Bool) async throws {
        let records = RecordsInMemory()
        let kim = Principal.with(.properties(["diet", "legs"], ofModelNamed: "Animal", areHidden: areHidden))
        for version in [nil, 7] as [Int64?] {
            var editor = try editor(
                records, "name=Okapi&diet=herbivorous&legs=4&isTame=true", version: version,
                stored: version.map { okapi(version: $0) }, as: kim)
            _ = await editor.save(at: .now)
            let values = try #require(await records.submissions.last).values
            #expect(values["name"] == .text("Okapi") && values["diet"] == nil && values["legs"] == nil)
            editor.fillIn(["diet": .text("herbivorous"), "legs": .integer(2), "name": .text("Kea")])
            #expect(editor.fields["name"] == "Kea" && editor.fields["legs"] != "2")
        }
    }

    @Test("An emptied field is empty, whatever its stored value or default")
    func emptied() async throws {
        let records = RecordsInMemory()
        var editor = try editor(
            records, "name=Okapi&diet=&legs=&isTame=false&seen=&category=", version: 7, stored: okapi())
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems.map(\.property) == ["diet"])
        #expect(editor.fields["legs"] == "" && editor.fields["seen"] == "")
    }

    @Test("An invalid form is not submitted, and all problems are reported together")
    func invalid() async throws {
        let records = RecordsInMemory()
        var editor = try editor(records, "name=+&diet=vegan&legs=four&isTame=false")
        #expect(await editor.save(at: .now) == .invalid)
        #expect(Set(editor.problems.map(\.property)) == ["name", "diet", "legs"])
        #expect(editor.problems.first { $0.property == "name" }?.message == "The animal needs a name.")
        #expect(editor.fields["legs"] == "four")
        #expect(!editor.isSaved)
        #expect(await records.submissions.isEmpty)
    }

    @Test("A problem does not quote the typed text")
    func noQuoting() async throws {
        var editor = try editor(RecordsInMemory(), "name=x&diet=secret-diet&legs=secret-legs&isTame=secret-tame")
        _ = await editor.save(at: .now)
        #expect(editor.problems.allSatisfy { !$0.message.contains("secret") })
    }

    @Test(
        "A problem reported by the store appears at its field",
        arguments: [
            (
                StoreError.invalid(model: "Animal", [FieldProblem(property: "name", message: "Shorten it.")]), "name",
                "Shorten it."
            ),
            (
                .notUnique(model: "Animal", property: "name"), "name",
                "Another animal already has this name. Choose a different one."
            ),
            (
                .missingReference(model: "Animal", property: "category"), "category",
                "This category no longer exists. Choose another one."
            ),
        ])
    func refused(error: StoreError, property: String, message: String) async throws {
        var editor = try editor(RecordsInMemory(refusal: error), valid)
        let draft = editor.draft
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems == [FieldProblem(property: property, message: message)])
        // Nothing was stored under the identifier, so the corrected form keeps it.
        #expect(editor.draft == draft)
    }

    @Test("A second save clears the problems of the first")
    func again() async throws {
        var editor = try editor(RecordsInMemory(refusal: .unavailable("x")), valid)
        _ = await editor.save(at: .now)
        #expect(editor.message != nil)
        _ = await editor.save(at: .now)
        #expect(editor.problems.isEmpty)
    }

    @Test("An unavailable store is not a conflict, and the same form can be saved again")
    func unavailable() async throws {
        var editor = try editor(RecordsInMemory(refusal: .unavailable("disk full at /srv")), valid)
        let before = (editor.draft, editor.record)
        #expect(await editor.save(at: .now) == .unavailable)
        #expect((editor.draft, editor.record) == before)
        #expect(editor.message?.kind == .failure)
        #expect(
            editor.message?.text
                == "Not saved: the server can’t save changes right now. Your changes are still here. Try again in a moment."
        )
    }
}

let valid = "name=Okapi&diet=herbivorous&legs=4&isTame=true"

func editor(
    _ records: RecordsInMemory, _ fields: String, version: Int64? = nil, stored: Record? = nil,
    as principal: Principal = .ada
) throws -> EditorViewModel {
    let (draft, record) = (UUID.version7().canonicalText, UUID.version7().canonicalText)
    let text = "draft=\(draft)&id=\(record)&version=\(version.map(String.init) ?? "")&\(fields)"
    let form = try FormSubmission(FormEncoding.decode(text.utf8), of: animalSchema)
    return try EditorViewModel(
        submitted: form, of: animalSchema, stored: stored, repository: records, principal: principal)
}
