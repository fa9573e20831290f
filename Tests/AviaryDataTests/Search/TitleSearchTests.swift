import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Records are found by their titles")
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

    @Test("First those that begin with the text, then those with its words in them")
    func matches() async throws {
        let found = try await fixture().records(Zone.self).choices(matching: "north", limit: 9)
        #expect(found.choices.map(\.title) == ["North", "north wing", "Old North"] && found.isComplete)
    }

    @Test("Whichever apostrophe stands in them", arguments: ["o'b", "O’B"])
    func marks(text: String) async throws {
        let fixture = try StoreFixture.rules()
        for name in ["O'Brien", "O’Brien", "Obrien"] {
            var zone = Zone()
            zone.name = name
            try await fixture.insert(zone)
        }
        let found = try await fixture.records(Zone.self).choices(matching: text, limit: 9)
        #expect(found.choices.map(\.title) == ["O'Brien", "O’Brien"])
    }

    @Test("As many as were asked for are all that were wanted")
    func limited() async throws {
        let found = try await fixture().records(Zone.self).choices(matching: "north", limit: 1)
        #expect(found.choices.map(\.title) == ["North"] && found.isComplete)
    }

    @Test("What nobody had time to look at is not said to be none")
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
