import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Search by title")
struct TitleSearchTests {
    private func fixture() async throws -> StoreFixture {
        let fixture = try StoreFixture.rules()
        for name in ["North", "north wing", "Old North", "South"] {
            var zone = Zone()
            zone.name = name
            try await fixture.insert(zone)
        }
        return fixture
    }

    @Test("Titles that begin with the text precede titles that contain the text")
    func matches() async throws {
        let fixture = try await fixture()
        let found = try await fixture.records(Zone.self).choices(matching: "north", limit: 9, within: Patience.bound)
        #expect(found.choices.map(\.title) == ["North", "north wing", "Old North"] && found.isComplete)
    }

    @Test("A search matches every form of apostrophe", arguments: ["o'b", "O’B"])
    func marks(text: String) async throws {
        let fixture = try StoreFixture.rules()
        for name in ["O'Brien", "O’Brien", "Obrien"] {
            var zone = Zone()
            zone.name = name
            try await fixture.insert(zone)
        }
        let found = try await fixture.records(Zone.self).choices(matching: text, limit: 9, within: Patience.bound)
        #expect(found.choices.map(\.title) == ["O'Brien", "O’Brien"])
    }

    @Test(
        "A title with a text index is found by any part, however short", arguments: ["th", "h", "or", "nort", "th win"])
    func indexed(part: String) async throws {
        let fixture = try StoreFixture(.rules(indexingTitles: true))
        let names = ["North", "north wing", "Old Nörth", "Smithy", "South", "orth"]
        for name in names {
            var zone = Zone()
            zone.name = name
            try await fixture.insert(zone)
        }
        let records = SQLRecordRepository(
            model: Zone.schema.indexingTitle(), schema: fixture.schema, readers: fixture.readers, writer: fixture.store)
        let found = try await records.choices(matching: part, limit: 9, within: Patience.bound)
        let words = part.split(separator: " ")
        let wanted = names.filter { name in words.allSatisfy { name.containsFolded(String($0)) } }
        #expect(Set(found.choices.map(\.title)) == Set(wanted) && found.isComplete)
    }

    @Test("A search that reaches its limit is complete")
    func limited() async throws {
        let fixture = try await fixture()
        let found = try await fixture.records(Zone.self).choices(matching: "north", limit: 1, within: Patience.bound)
        #expect(found.choices.map(\.title) == ["North"] && found.isComplete)
    }

    @Test("A search that runs out of time is marked as incomplete")
    func stopped() async throws {
        let fixture = try await fixture()
        // SQLite checks the time once in 10,000 steps.
        try await fixture.store.submit(ChangeSet(author: "ada", changes: (0..<5000).map { _ in Zone().insertion }))
        let records = fixture.records(Zone.self)
        let stopped = try await records.choices(matching: "no such name", limit: 9, within: .zero)
        #expect(!stopped.isComplete && stopped.choices.isEmpty)
        #expect(try await records.choices(matching: "no such name", limit: 9, within: .seconds(60)).isComplete)
    }
}
