import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Deletion by predicate")
struct DeletionTests {
    @Test("A deletion removes the matching records in one commit and returns their number")
    func found() async throws {
        var menagerie = Menagerie(seed: 9)
        let fixture = try await StoreFixture.creatures(menagerie.creatures(80).map(Creature.init(copying:)))
        let creatures = fixture.repository(Creature.self)
        let before = try await creatures.fetchAll()
        let predicate = #Predicate<Creature> { $0.age > 2 && !$0.isTame }
        let wanted = try before.filter { try !predicate.evaluate($0) }.map(\.id)
        #expect(try await creatures.delete(where: predicate) == 80 - wanted.count)
        #expect(try await creatures.fetchIdentifiers() == wanted)
        #expect(try await creatures.delete(where: predicate) == 0)
        #expect(try await fixture.insert(Creature()).commit == 3)
    }

    @Test("A deny rule rejects the whole deletion")
    func rules() async throws {
        let fixture = try StoreFixture.rules()
        let free = Bird(), held = Bird()
        try await fixture.insert(free, held, Permit(for: held))
        let birds = fixture.repository(Bird.self)
        await #expect(throws: StoreError.self) { try await birds.delete(where: #Predicate { _ in true }) }
        #expect(try await birds.fetchCount() == 2)
    }

    @Test("A record that changed meanwhile is deleted only if the predicate still matches")
    func overtaken() async throws {
        let tame = Creature(name: "tame"), wild = Creature(name: "wild")
        let fixture = try await StoreFixture.creatures([tame, wild])
        let others = fixture.repository(Creature.self)
        let records = OvertakenFetch(base: fixture.records(Creature.self)) {
            try await others.update(tame.id) { $0.isTame = true }
        }
        let count = try await Repository<Creature>(records, author: "test").delete(where: #Predicate { !$0.isTame })
        #expect(count == 1)
        #expect(try await others.fetchAll().map(\.name) == ["tame"])
    }
}

/// A repository whose records are changed concurrently right after the first fetch.
private struct OvertakenFetch: ModelRecords {
    let base: SQLRecordRepository
    let looks = Tally()
    let change: @Sendable () async throws -> Void

    func fetch<Value: Sendable>(
        _ query: RecordQuery, _ make: @escaping @Sendable (Record) throws -> Value
    ) async throws -> [Value] {
        let found = try await base.fetch(query, make)
        if looks.add() == 1 { try await change() }
        return found
    }

    func values<Value: Sendable>(
        _ query: RecordQuery, of properties: [PropertySchema],
        _ make: @escaping @Sendable (UUID, [FieldValue]) throws -> Value
    ) async throws -> [Value] {
        try await base.values(query, of: properties, make)
    }

    func related(_ query: RecordQuery, by paths: [RelationPath]) async throws -> RelatedRecordLists {
        try await base.related(query, by: paths)
    }

    func find(_ id: UUID) async throws -> Record? { try await base.find(id) }
    func identifiers(_ query: RecordQuery) async throws -> [UUID] { try await base.identifiers(query) }
    func count(_ query: RecordQuery) async throws -> Int { try await base.count(query) }
    func receipt(of changeSet: UUID) async throws -> Receipt? { try await base.receipt(of: changeSet) }
    func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt { try await base.submit(changeSet) }
}
