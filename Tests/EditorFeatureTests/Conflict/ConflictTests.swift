import AviaryDesign
import AviaryDomain
import Foundation
import Testing

@testable import EditorFeature

@Suite("Conflicts while editing")
struct ConflictTests {
    @Test("A conflict shows both versions of each differing field and stores nothing")
    func changed() async throws {
        let current = okapi(version: 9, name: "Okapia")
        var editor = try editor(
            RecordsInMemory(refusal: .conflict(model: "Animal", current: current)), valid, version: 7)
        let draft = editor.draft
        #expect(await editor.save(at: .now) == .conflict)
        #expect(editor.fields["name"] == "Okapi")
        #expect(
            editor.comparisons == [
                "name": FieldComparison(before: nil, theirs: "Okapia", mine: "Okapi"),
                "seen": FieldComparison(before: nil, theirs: "2026-11-20T18:39:55.123", mine: ""),
            ])
        #expect(editor.version == 7 && editor.against == 9)
        #expect(editor.recordTitle == "Okapia")
        #expect(editor.draft == draft)
        // Without a history, the author is unknown.
        #expect(editor.message?.text.hasPrefix("This animal was changed while you were editing.") == true)
    }

    @Test("A three-way merge asks only for fields that both sides changed")
    func threeWays() throws {
        var editor = try editor(
            RecordsInMemory(), "name=Okapi&diet=carnivorous&legs=3&isTame=false&seen=&category=", version: 7)
        // Before: Okapia, herbivorous, 4 legs, wild. Theirs: Okapi johnstoni, 4 legs, tame.
        let theirs = Record(
            id: editor.record, version: 9,
            values: [
                .text("Okapi johnstoni"), .text("herbivorous"), .integer(4), .integer(1), .null, .null,
            ])
        let past = ConcurrentChanges(
            before: ["name": .text("Okapia"), "isTame": .integer(0)], author: "grace",
            time: Date(timeIntervalSince1970: 0))
        editor.compare(with: theirs, past: past, at: Date(timeIntervalSince1970: 60))
        #expect(
            editor.comparisons == ["name": FieldComparison(before: "Okapia", theirs: "Okapi johnstoni", mine: "Okapi")])
        #expect(editor.merged.keys.sorted() == ["isTame"])
        #expect(editor.fields["isTame"] == "true")
        #expect(editor.fields["diet"] == "carnivorous" && editor.fields["legs"] == "3")
        #expect(editor.message?.text.contains("grace") == true)
    }

    @Test("A concurrent change by the same account is described as one's own")
    func own() throws {
        var editor = try editor(
            RecordsInMemory(), "name=Okapi&diet=herbivorous&legs=4&isTame=false&seen=&category=", version: 7)
        let stored = Record(
            id: editor.record, version: 9,
            values: [
                .text("Okapi johnstoni"), .text("herbivorous"), .integer(4), .integer(1), .null, .null,
            ])
        let past = ConcurrentChanges(
            before: ["name": .text("Okapia"), "isTame": .integer(0)], author: "ada",
            time: Date(timeIntervalSince1970: 0))
        editor.compare(with: stored, past: past, at: Date(timeIntervalSince1970: 0))
        let text = try #require(editor.message?.text)
        #expect(text.hasPrefix("You changed this animal elsewhere while you were editing ("))
        #expect(
            text.hasSuffix(
                "Choose which version to keep for each field below, then save. Cancel discards your changes."))
        var html = HTML()
        html.render(EditorView(model: editor, choices: [:], csrf: "token", location: ""))
        let page = String(decoding: html.bytes, as: UTF8.self)
        #expect(page.contains("Saved version") && page.contains("Updated with your change from elsewhere (before: "))
        #expect(!page.contains("omebody else") && !page.contains("omeone else") && !page.contains("someone else"))
    }

    @Test(
        "A conflict names its author even if the earlier values are not in the history",
        arguments: ["ada", "grace"])
    func forgotten(author: String) async throws {
        let current = okapi(version: 9, name: "Okapia")
        var editor = try editor(
            RecordsInMemory(refusal: .conflict(model: "Animal", current: current)), valid, version: 7)
        #expect(await editor.save(history: HistoryOfOne(author: author), at: .now) == .conflict)
        #expect(editor.comparisons.keys.sorted() == ["name", "seen"])
        #expect(editor.isOwnChange == (author == "ada"))
        let beginning =
            author == "ada"
            ? "You changed this animal elsewhere" : "Someone else changed this animal while you were editing (grace"
        #expect(editor.message?.text.hasPrefix(beginning) == true)
    }

    @Test(
        "A conflict without visible differences names its author", arguments: ["ada", "grace"])
    func alike(author: String) async throws {
        let current = okapi(version: 9)
        var editor = try editor(
            RecordsInMemory(refusal: .conflict(model: "Animal", current: current)),
            "name=Okapi&diet=herbivorous&legs=4&isTame=true&category=",
            version: 7, stored: okapi()
        )
        #expect(await editor.save(history: HistoryOfOne(author: author, before: [:]), at: .now) == .conflict)
        let text = try #require(editor.message?.text)
        #expect(
            text.hasPrefix(author == "ada" ? "You changed this animal elsewhere" : "Someone else changed this animal"))
        #expect(text.hasSuffix("Save keeps your version, Cancel discards it."))
    }

    @Test("Save submits the fields for which the editor keeps their own version")
    func chosen() async throws {
        let records = RecordsInMemory()
        let choice = "&.against=9&.compared=name+seen&.keep.name=mine&.keep.seen=theirs"
        var editor = try editor(records, valid + "&seen=" + choice, version: 7)
        guard case .saved = await editor.save(at: .now) else {
            Issue.record("\(editor.problems)")
            return
        }
        let submission = try #require(await records.submissions.first)
        #expect(submission.version == 9)
        #expect(submission.values["name"] == .text("Okapi"))
        #expect(submission.values["seen"] == nil)
    }

    @Test("A conflict without a choice is not saved")
    func undecided() async throws {
        let records = RecordsInMemory()
        var editor = try editor(records, valid + "&.against=9&.compared=name", version: 7)
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems == [FieldProblem(property: "name", message: "Choose which version to keep.")])
        #expect(await records.submissions.isEmpty)
    }

    @Test("A draft of a conflict keeps its version and shows the conflict again")
    func draftOfConflict() async throws {
        let current = okapi(version: 9, name: "Okapia")
        var editor = try editor(
            RecordsInMemory(refusal: .conflict(model: "Animal", current: current)), valid, version: 7)
        _ = await editor.save(at: .now)
        let draft = editor.makeDraft(sequence: 1, restoreEpoch: "", schemaFingerprint: "", at: Date())
        var reopened = try EditorViewModel(
            continuing: draft, of: animalSchema, stored: nil, repository: RecordsInMemory(), principal: .ada
        )
        reopened.compare(with: current, past: nil, at: .now)
        #expect(reopened.comparisons == editor.comparisons)
    }

    @Test("A record that was deleted concurrently is saved as a new record with new ids")
    func deleted() async throws {
        var editor = try editor(
            RecordsInMemory(refusal: .notFound(model: "Animal", id: .version7())), valid, version: 7)
        let before = [editor.draft, editor.record]
        #expect(await editor.save(at: .now) == .conflict)
        #expect(editor.isNew)
        #expect(editor.action == "/admin/animals")
        #expect(!before.contains(editor.draft) && !before.contains(editor.record))
        #expect(editor.fields["name"] == "Okapi")
        #expect(
            editor.message?.text
                == "This animal was deleted in the meantime. Your changes are still here. Save adds them as a new animal, Cancel discards them."
        )
    }

    @Test("A role that cannot add records keeps its text if the record was deleted")
    func deletedForGood() async throws {
        let role = Role("some", .allow([.view, .edit], onModelNamed: "Animal"))
        let eve = Principal(account: UUID(), name: "eve", role: role, epoch: 1)
        var editor = try editor(
            RecordsInMemory(refusal: .notFound(model: "Animal", id: .version7())), valid, version: 7, as: eve)
        let record = editor.record
        #expect(await editor.save(at: .now) == .conflict)
        #expect(!editor.isNew && editor.record == record && editor.fields["name"] == "Okapi")
        #expect(
            editor.message?.text.hasPrefix("This animal was deleted in the meantime, and you can’t add a new one.")
                == true)
    }

    @Test("A form of a new record that was saved with other content continues as another record")
    func alreadySaved() async throws {
        var editor = try editor(RecordsInMemory(refusal: .alreadySaved(commit: 3)), valid)
        let before = [editor.draft, editor.record]
        #expect(await editor.save(at: .now) == .conflict)
        #expect(!before.contains(editor.draft) && !before.contains(editor.record))
        #expect(
            editor.message?.text
                == "This form was already saved with other values. Your changes are still here. Save adds them as another animal, Cancel discards them."
        )
    }

    @Test("An edit that was saved with other content continues on the same record")
    func editAlreadySaved() async throws {
        var editor = try editor(RecordsInMemory(refusal: .alreadySaved(commit: 3)), valid, version: 7)
        let before = (draft: editor.draft, record: editor.record)
        #expect(await editor.save(at: .now) == .conflict)
        #expect(editor.draft != before.draft)
        #expect(editor.record == before.record)
        #expect(editor.version == 7)
    }

    @Test("A discarded draft is never saved under its id", arguments: [nil, Int64(7)])
    func discarded(version: Int64?) async throws {
        var editor = try editor(RecordsInMemory(refusal: .alreadyDiscarded), valid, version: version)
        let draft = editor.draft
        #expect(await editor.save(at: .now) == .conflict)
        #expect(editor.draft != draft)
        #expect(editor.isNew == (version == nil))
        #expect(
            editor.message?.text
                == "This draft was already discarded. Your changes are still here. Save keeps them, Cancel discards them."
        )
    }

    @Test(
        "A rejected form does not count as saved",
        arguments: [
            StoreError.alreadySaved(commit: 1), .alreadyDiscarded, .malformed("x"), .unavailable("x"),
            .notFound(model: "Animal", id: UUID()), .conflict(model: "Animal", current: okapi()),
        ])
    func notSaved(error: StoreError) async throws {
        var editor = try editor(RecordsInMemory(refusal: error), valid)
        _ = await editor.save(at: .now)
        #expect(!editor.isSaved)
        #expect(editor.message != nil)
        #expect(editor.fields["name"] == "Okapi")
    }
}
