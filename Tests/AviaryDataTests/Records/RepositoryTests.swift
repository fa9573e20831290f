import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Writing through a repository")
struct RepositoryTests {
    @Test("An update keeps concurrent changes of other properties")
    func merged() async throws {
        let creature = Creature.aged(3, id: RecordID())
        let fixture = try await StoreFixture.creatures([creature])
        let records = OvertakenRecords(base: fixture.records(Creature.self)) {
            try await fixture.repository(Creature.self).update(creature.id) { $0.weight = 9 }
        }
        try await Repository<Creature>(records, author: "test").update(creature.id) { $0.age += 1 }
        let stored = try #require(try await fixture.repository(Creature.self).find(creature.id))
        #expect(records.looks.value == 2)
        #expect(stored.age == 4 && stored.weight == 9)
    }

    @Test(
        "A save succeeds if its record is inserted, updated or deleted concurrently",
        arguments: 0..<3)
    func overtaken(way: Int) async throws {
        let creature = Creature.aged(3, id: RecordID())
        let fixture = try await StoreFixture.creatures(way == 0 ? [] : [creature])
        let others = fixture.repository(Creature.self)
        let records = OvertakenRecords(base: fixture.records(Creature.self)) {
            switch way {
            case 0: try await others.insert(Creature.aged(7, id: creature.id))
            case 1: try await others.update(creature.id) { $0.age = 7 }
            default: try await others.delete(id: creature.id)
            }
        }
        try await Repository<Creature>(records, author: "test").save(Creature.aged(5, id: creature.id))
        #expect(try await others.fetchAll().map(\.age) == [5])
        #expect(records.looks.value == 2)
    }

    @Test("A fetch without a descriptor returns all records, and a deleted record is not among them")
    func fetchedAndDeleted() async throws {
        let first = Creature.aged(3, id: RecordID()), second = Creature.aged(4, id: RecordID())
        let fixture = try await StoreFixture.creatures([first, second])
        let creatures = fixture.repository(Creature.self)
        #expect(try await Set(creatures.fetch().map(\.id)) == [first.id, second.id])
        try await creatures.delete(first)
        #expect(try await creatures.fetch().map(\.id) == [second.id])
        let receipt = try await creatures.delete(second, changeSet: UUID())
        #expect(!receipt.isRepeat)
        #expect(try await creatures.fetch().isEmpty)
    }

    @Test("The changes of records name their versions and only what differs")
    func changes() async throws {
        let young = Creature.aged(3, id: RecordID()), old = Creature.aged(9, id: RecordID())
        let fixture = try await StoreFixture.creatures([young, old])
        let creatures = fixture.repository(Creature.self)
        let changes = try await creatures.changes(updating: [young.id, old.id, RecordID()]) { $0.age = 9 }
        #expect(
            changes == [.update(model: "Creature", id: young.id.uuid, version: 1, values: ["age": .integer(9)])])
        #expect(try await creatures.find(young.id)?.age == 3)
        #expect(Change.delete(young.id) == .delete(young))
    }

    @Test("Concurrent updates of a record are all applied")
    func counted() async throws {
        let creature = Creature()
        let fixture = try await StoreFixture.creatures([creature])
        let creatures = fixture.repository(Creature.self)
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<20 { group.addTask { try await creatures.update(creature.id) { $0.age += 1 } } }
        }
        #expect(try await creatures.find(creature.id)?.age == 20)
    }

    @Test("A save replaces the whole record, including later changes")
    func replaced() async throws {
        var early = Creature(name: "early")
        let fixture = try await StoreFixture.creatures([early])
        let creatures = fixture.repository(Creature.self)
        try await creatures.update(early.id) { $0.age = 5 }
        early.nickname = "late"
        try await creatures.save(early)
        let stored = try #require(try await creatures.find(early.id))
        #expect(stored.nickname == "late" && stored.age == 0)
    }

    @Test("Inserting an existing identifier and updating a missing identifier are rejected")
    func refused() async throws {
        let creature = Creature()
        let fixture = try await StoreFixture.creatures([creature])
        let creatures = fixture.repository(Creature.self)
        await #expect { try await creatures.insert(creature) } throws: { error in
            (error as? StoreError)?.code == .conflict
        }
        let unknown = RecordID<Creature>()
        await #expect(throws: StoreError.notFound(model: "Creature", id: unknown.uuid)) {
            try await creatures.update(unknown) { $0.age = 1 }
        }
        #expect(try await creatures.fetchCount() == 1)
    }

    @Test("An error thrown by the closure of an update is rethrown, and nothing is stored")
    func thrown() async throws {
        let creature = Creature()
        let fixture = try await StoreFixture.creatures([creature])
        let creatures = fixture.repository(Creature.self)
        await #expect(throws: CancellationError.self) {
            try await creatures.update(creature.id) { value in
                value.age = 7
                throw CancellationError()
            }
        }
        #expect(try await creatures.find(creature.id)?.age == 0)
    }

    @Test("A repeated write with the same change set is applied once and returns the first receipt")
    func repeated() async throws {
        let creature = Creature(), other = Creature(name: "other")
        let fixture = try await StoreFixture.creatures([creature])
        let creatures = fixture.repository(Creature.self)
        let ids = (0..<4).map { _ in UUID.version7() }
        let first = try await creatures.update(creature.id, changeSet: ids[0]) { $0.age += 1 }
        let second = try await creatures.update(creature.id, changeSet: ids[0]) { $0.age += 1 }
        #expect(!first.isRepeat && second.isRepeat && first.commit == second.commit)
        #expect(try await creatures.find(creature.id)?.age == 1)

        let inserted = try await creatures.insert(other, changeSet: ids[1])
        try await creatures.delete(id: other.id, changeSet: ids[3])
        #expect(try await creatures.insert(other, changeSet: ids[1]).commit == inserted.commit)
        #expect(try await creatures.delete(id: other.id, changeSet: ids[3]).isRepeat)
        #expect(try await creatures.find(other.id) == nil)

        let saved = try await creatures.save(Creature.aged(9, id: creature.id), changeSet: ids[2])
        try await creatures.update(creature.id) { $0.age = 10 }
        #expect(try await creatures.save(Creature.aged(9, id: creature.id), changeSet: ids[2]).commit == saved.commit)
        #expect(try await creatures.find(creature.id)?.age == 10)
    }

    @Test("A repeated update of a deleted record returns its receipt without calling the closure")
    func repeatedAfterDelete() async throws {
        let creature = Creature()
        let fixture = try await StoreFixture.creatures([creature])
        let creatures = fixture.repository(Creature.self)
        let id = UUID.version7()
        let first = try await creatures.update(creature.id, changeSet: id) { $0.age += 1 }
        try await creatures.delete(id: creature.id)
        let second = try await creatures.update(creature.id, changeSet: id) { _ in Issue.record("asked again") }
        #expect(second.isRepeat && second.commit == first.commit)
    }

    @Test("Two concurrent updates with the same change set are applied once")
    func together() async throws {
        let creature = Creature()
        let fixture = try await StoreFixture.creatures([creature])
        let creatures = fixture.repository(Creature.self)
        for _ in 0..<20 {
            let id = UUID.version7()
            async let left = creatures.update(creature.id, changeSet: id) { $0.age += 1 }
            async let right = creatures.update(creature.id, changeSet: id) { $0.age += 1 }
            let receipts = try await [left, right]
            #expect(receipts[0].commit == receipts[1].commit)
        }
        #expect(try await creatures.find(creature.id)?.age == 20)
    }
}

extension Creature {
    fileprivate static func aged(_ age: Int, id: RecordID<Creature>) -> Creature {
        var creature = Creature()
        creature.id = id
        creature.age = age
        return creature
    }
}

/// A repository whose records are changed concurrently right after the first read.
struct OvertakenRecords: ModelRecords {
    let base: SQLRecordRepository
    let looks = Tally()
    let change: @Sendable () async throws -> Void

    func find(_ id: UUID) async throws -> Record? {
        let record = try await base.find(id)
        if looks.add() == 1 { try await change() }
        return record
    }

    func fetch<Value: Sendable>(
        _ query: RecordQuery, _ make: @escaping @Sendable (Record) throws -> Value
    ) async throws -> [Value] {
        try await base.fetch(query, make)
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

    func identifiers(_ query: RecordQuery) async throws -> [UUID] { try await base.identifiers(query) }
    func count(_ query: RecordQuery) async throws -> Int { try await base.count(query) }
    func receipt(of changeSet: UUID) async throws -> Receipt? { try await base.receipt(of: changeSet) }
    func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt { try await base.submit(changeSet) }
}
