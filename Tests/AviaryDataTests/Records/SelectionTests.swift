import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Fetching of selected properties")
struct SelectionTests {
    @Test("A selection returns typed values in the requested order")
    func values() async throws {
        var menagerie = Menagerie(seed: 11)
        let fixture = try await StoreFixture.creatures(menagerie.creatures(40))
        let creatures = fixture.repository(Creature.self)
        let descriptor = FetchDescriptor<Creature>(
            predicate: #Predicate { $0.age > 0 }, sortBy: [SortDescriptor(\.weight)])
        let whole = try await creatures.fetch(descriptor)
        let parts = try await creatures.fetch(descriptor, selecting: \.nickname, \.seen, \.diet, \.mate)
        #expect(parts.map(\.id) == whole.map(\.id))
        for (part, creature) in zip(parts, whole) {
            let (nickname, seen, diet, mate): (String?, Date, Creature.Diet, Reference<Creature>?) = part.values
            #expect(
                nickname == creature.nickname && seen == creature.seen && diet == creature.diet && mate == creature.mate
            )
        }
    }

    @Test("A selection reads only the requested columns")
    func columns() async throws {
        let fixture = try await StoreFixture.creatures([Creature(name: "a")])
        let engine = RecordingEngine()
        let creatures = try fixture.repository(Creature.self, recordedBy: engine)
        let queries = try await engine.queries {
            _ = try await creatures.fetch(FetchDescriptor(), selecting: \.name, \.age)
        }
        #expect(queries == [#"SELECT id, "name", "age" FROM "Creature" ORDER BY id"#])
    }

    @Test("A computed property cannot be selected")
    func calculated() async throws {
        let fixture = try await StoreFixture.creatures([])
        await #expect(throws: QueryError.self) {
            _ = try await fixture.repository(Creature.self).fetch(FetchDescriptor(), selecting: \.shortName)
        }
    }
}
