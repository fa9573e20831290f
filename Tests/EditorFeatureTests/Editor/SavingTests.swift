import AviaryDomain
import EditorFeature
import Foundation
import Testing

@Suite("Save hands the values to the repository, once they are right")
struct SavingTests {
    @Test("What was typed is stored as values, under the draft's id")
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

    @Test(
        "A form from before a deploy lacks a property: a new record begins with its default, a stored one keeps what it has"
    )
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
        "A form sets nothing that a role hides or makes read-only: a new record begins with its default",
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

    @Test("A field that was emptied is empty, whatever is stored or its default")
    func emptied() async throws {
        let records = RecordsInMemory()
        var editor = try editor(
            records, "name=Okapi&diet=&legs=&isTame=false&seen=&category=", version: 7, stored: okapi())
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems.map(\.property) == ["diet"])
        #expect(editor.fields["legs"] == "" && editor.fields["seen"] == "")
    }

    @Test("What does not validate is not handed on, and every problem is told at once")
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

    @Test("A problem does not quote what was typed")
    func noQuoting() async throws {
        var editor = try editor(RecordsInMemory(), "name=x&diet=secret-diet&legs=secret-legs&isTame=secret-tame")
        _ = await editor.save(at: .now)
        #expect(editor.problems.allSatisfy { !$0.message.contains("secret") })
    }

    @Test(
        "The store's own problems are shown as the form's",
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

    @Test("A second Save forgets what the first one complained about")
    func again() async throws {
        var editor = try editor(RecordsInMemory(refusal: .unavailable("x")), valid)
        _ = await editor.save(at: .now)
        #expect(editor.message != nil)
        _ = await editor.save(at: .now)
        #expect(editor.problems.isEmpty)
    }

    @Test("A store that takes no changes now is no conflict: the same form can be sent again")
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
