import AviaryData
import AviaryDomain
import Foundation
import Testing

@testable import ActivityFeature

@Suite("The history of a record")
struct RecordHistoryTests {
    @Test("The history lists only changes of the record, newest first, with the number of related changes")
    func steps() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea"), kaka = Animal(name: "Kaka")
        try await fixture.submit(.insert(kea), .insert(kaka))
        _ = try await fixture.update(kaka, ["diet": .text("carnivorous")])
        _ = try await fixture.update(kea, ["name": .text("Kea II")])
        let model = try await fixture.recordHistory(kea)
        #expect(model.steps?.map(\.change.commit) == [3, 1])
        let view = RecordHistoryView(model: model, csrf: "token")
        #expect(RecordHistoryView.title(of: model) == "History of “Kea II”")
        #expect(view.words.contains("together with 1 other change"))
        #expect(!view.words.contains("Kaka"))
    }

    @Test("A deleted record keeps its history under its last name")
    func gone() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        try await fixture.submit(.insert(kea))
        try await fixture.submit(.delete(model: "Animal", id: kea.id.uuid))
        let model = try await fixture.recordHistory(kea)
        #expect(RecordHistoryView.title(of: model) == "History of “Kea”")
        #expect(model.steps?.contains { model.canRestore($0) } == false)
        #expect(RecordHistoryView(model: model, csrf: "").html.contains("/admin/undo/2"))
    }

    @Test("The page says that a record or a model has no history")
    func empty() async throws {
        let fixture = try ActivityFixture()
        let note = Note(text: "x")
        try await fixture.submit(.insert(note))
        let words = RecordHistoryView(model: try await fixture.recordHistory(note), csrf: "").words
        #expect(words.contains("No history") && words.contains("History is no longer kept for notes."))
    }

    @Test("Older changes are on further pages")
    func pages() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        try await fixture.submit(.insert(kea))
        for number in 0..<40 { _ = try await fixture.update(kea, ["name": .text("Kea \(number)")]) }
        let first = try await fixture.recordHistory(kea)
        let second = try await fixture.recordHistory(kea, before: first.next)
        #expect(
            (first.steps ?? []).map(\.change.commit) + (second.steps ?? []).map(\.change.commit) == (1...41).reversed())
        #expect(second.next == nil)
    }

    private func earlier(_ kea: Animal, _ number: Int64, _ fixture: ActivityFixture, _ role: Role = .admin) async throws
        -> RecordVersion?
    {
        guard let record = try await fixture.find(kea) else { return nil }
        return try await RecordVersion(
            of: record, in: Animal.schema, after: number, scope: fixture.scope(role), history: fixture.history
        )
    }

    @Test("An earlier version is reconstructed from the current record, without secrets")
    func versions() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea", chip: "s3cret")
        try await fixture.submit(.insert(kea))
        _ = try await fixture.update(kea, ["name": .text("Kaka"), "diet": .text("carnivorous")], by: "bob")
        _ = try await fixture.update(kea, ["name": .text("Kakapo")])
        let changes = try await fixture.history.changes(of: kea.id.uuid, in: "Animal", before: nil, limit: 9)
        let second = try await earlier(kea, changes[1].number, fixture)
        #expect(second?.values["name"] == .text("Kaka") && second?.values["diet"] == .text("carnivorous"))
        #expect(second?.author == "bob")
        let first = try await earlier(kea, changes[2].number, fixture)
        #expect(first?.values["name"] == .text("Kea") && first?.values["diet"] == .text("herbivorous"))
        #expect(first?.values["chip"] == nil)
        #expect(try await earlier(kea, 99, fixture) == nil, "of another record, or of none")
    }

    @Test("A property that the role hides is in no entry and in no earlier version")
    func hidden() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        try await fixture.submit(.insert(kea))
        _ = try await fixture.update(kea, ["name": .text("Kaka"), "diet": .text("carnivorous")])
        let keeper = Role(
            "keeper", .allowEverywhere(.view, .edit), .task(.activity),
            .properties(["diet"], ofModelNamed: "Animal", areHidden: true))
        let words = RecordHistoryView(model: try await fixture.recordHistory(kea, keeper), csrf: "").words
        #expect(words.contains("Kaka") && !words.contains("Diet") && !words.contains("Carnivorous"))
        #expect(
            RecordHistoryView(model: try await fixture.recordHistory(kea), csrf: "").words.contains("Carnivorous"))
        let changes = try await fixture.history.changes(of: kea.id.uuid, in: "Animal", before: nil, limit: 9)
        let version = try #require(try await earlier(kea, changes[1].number, fixture, keeper))
        #expect(version.values["name"] == .text("Kea") && version.values["diet"] == nil)
    }

    @Test("An earlier version requires permission to edit and to view the activity")
    func permissions() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        try await fixture.submit(.insert(kea))
        let watcher = Role("watcher", .allowEverywhere(.view), .task(.activity))
        for role in [watcher, .worker] {
            await #expect(throws: AccessError.forbidden) { _ = try await earlier(kea, 1, fixture, role) }
        }
    }

    @Test("An earlier version does not go back beyond a deletion")
    func formerLife() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        try await fixture.submit(.insert(kea))
        let deleted = try await fixture.submit(.delete(model: "Animal", id: kea.id.uuid))
        _ = try await fixture.history.undo(Undo(commit: deleted, author: "ada"))
        #expect(try await earlier(kea, 1, fixture) == nil)
    }
}
