import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Fetch descriptors")
struct FetchTests {
    private func some() -> [Creature] {
        let values: [(String, Int?, Double)] = [("b", 2, 1), ("B", nil, 1), ("a", 2, 3), ("é", nil, 3), ("", 4, 2)]
        return values.map { name, legs, weight in
            var creature = Creature(name: name)
            creature.legs = legs
            creature.weight = weight
            return creature
        }
    }

    @Test("A fetch returns the stored values")
    func values() async throws {
        var menagerie = Menagerie(seed: 7)
        let creatures = menagerie.creatures(50)
        let fixture = try await StoreFixture.creatures(creatures)
        let fetched = try await fixture.repository(Creature.self).fetch(FetchDescriptor())
        let wanted = Dictionary(uniqueKeysWithValues: creatures.map { ($0.id, $0.fieldValues) })
        #expect(Dictionary(uniqueKeysWithValues: fetched.map { ($0.id, $0.fieldValues) }) == wanted)
        #expect(fetched.map(\.id.description) == fetched.map(\.id.description).sorted())
    }

    @Test("Records are sorted by bytes with nil first, and equal values by the next descriptor")
    func sorted() async throws {
        let fixture = try await StoreFixture.creatures(some())
        let creatures = fixture.repository(Creature.self)
        func names(_ order: SortDescriptor<Creature>...) async throws -> [String] {
            try await creatures.fetch(FetchDescriptor(sortBy: order)).map(\.name)
        }
        #expect(try await names(SortDescriptor(\.name)) == ["", "B", "a", "b", "é"])
        #expect(try await names(SortDescriptor(\.name, order: .reverse)) == ["é", "b", "a", "B", ""])
        #expect(
            try await names(SortDescriptor(\.name, comparator: .lexical, order: .reverse)) == ["é", "b", "a", "B", ""])
        #expect(try await names(SortDescriptor(\.legs), SortDescriptor(\.name)) == ["B", "é", "a", "b", ""])
        #expect(
            try await names(SortDescriptor(\.weight, order: .reverse), SortDescriptor(\.name)) == [
                "a", "é", "", "B", "b",
            ])
    }

    @Test(
        "The order of 300 random records is the same as in Swift",
        arguments: [TestSeed.value])
    func orders(seed: UInt64) async throws {
        var menagerie = Menagerie(seed: seed)
        let fixture = try await StoreFixture.creatures(menagerie.creatures(300))
        let creatures = fixture.repository(Creature.self)
        let orders: [[SortDescriptor<Creature>]] = [
            [SortDescriptor(\.name)], [SortDescriptor(\.nickname, order: .reverse)],
            [SortDescriptor(\.age), SortDescriptor(\.legs, order: .reverse)],
            [SortDescriptor(\.weight, order: .reverse), SortDescriptor(\.height)],
            [SortDescriptor(\.born), SortDescriptor(\.moved, order: .reverse)],
            [SortDescriptor(\.seen, order: .reverse)], [SortDescriptor(\.fed)],
            [SortDescriptor(\.tag), SortDescriptor(\.age)],
        ]
        let stored = try await creatures.fetchAll().map(ByteText.encoded)
        for order in orders {
            // The sort is stable, so equal records keep the order of their identifiers.
            #expect(
                try await creatures.fetchIdentifiers(FetchDescriptor(sortBy: order))
                    == stored.sorted(using: order).map(\.id), "\(order); seed \(seed)")
        }
    }

    @Test("A limit and an offset apply equally to records, identifiers and the count")
    func pieces() async throws {
        let fixture = try await StoreFixture.creatures(some())
        let creatures = fixture.repository(Creature.self)
        let all = ["", "B", "a", "b", "é"]
        for (limit, offset) in [(2, nil), (2, 1), (nil, 3), (0, nil), (10, 4), (3, 9), (nil, nil), (nil, 0)]
            as [(Int?, Int?)]
        {
            var descriptor = FetchDescriptor<Creature>(sortBy: [SortDescriptor(\.name)])
            descriptor.fetchLimit = limit
            descriptor.fetchOffset = offset
            let wanted = all.dropFirst(offset ?? 0).prefix(limit ?? 10)
            let fetched = try await creatures.fetch(descriptor)
            #expect(fetched.map(\.name) == Array(wanted))
            #expect(try await creatures.fetchIdentifiers(descriptor) == fetched.map(\.id))
            #expect(try await creatures.fetchCount(descriptor) == wanted.count)
        }
    }

    @Test("A predicate can compare references and identifiers")
    func references() async throws {
        let first = Creature(name: "first")
        var second = Creature(name: "second")
        second.mate = Reference(first)
        let fixture = try await StoreFixture.creatures([first, second])
        let creatures = fixture.repository(Creature.self)
        let id = first.id, reference = Reference(first), optional: Reference<Creature>? = reference, ids = [first.id]
        for predicate in [
            #Predicate<Creature> { $0.mate == reference }, #Predicate<Creature> { $0.mate == optional },
            #Predicate<Creature> { $0.mate?.id == id }, #Predicate<Creature> { $0.id != id },
            #Predicate<Creature> { c in c.mate.flatMap { ids.contains($0.id) } ?? false },
            #Predicate<Creature> { !ids.contains($0.id) },
        ] {
            #expect(try await creatures.fetch(FetchDescriptor(predicate: predicate)).map(\.name) == ["second"])
        }
    }

    @Test("A constant date is compared in milliseconds like a stored date")
    func milliseconds() async throws {
        var creature = Creature()
        creature.seen = Date(timeIntervalSince1970: 1_700_000_000.1254)
        let fixture = try await StoreFixture.creatures([creature])
        let near = Date(timeIntervalSince1970: 1_700_000_000.1251), far = Date(timeIntervalSince1970: 1_700_000_000.126)
        let creatures = fixture.repository(Creature.self)
        #expect(try await creatures.fetchCount(FetchDescriptor(predicate: #Predicate { $0.seen == near })) == 1)
        #expect(try await creatures.fetchCount(FetchDescriptor(predicate: #Predicate { $0.seen < far })) == 1)
    }

    @Test("A calculation that overflows throws an error")
    func overflow() async throws {
        var creature = Creature()
        creature.age = Int.max
        creature.weight = .greatestFiniteMagnitude
        let fixture = try await StoreFixture.creatures([creature])
        let creatures = fixture.repository(Creature.self)
        for predicate in [
            #Predicate<Creature> { $0.age + 1 > 0 }, #Predicate<Creature> { $0.age * 2 < 0 },
            #Predicate<Creature> { ($0.age + 1) / 2 != 1 },
            #Predicate<Creature> { -($0.age) - 2 < 0 }, #Predicate<Creature> { ($0.age * 3) % 5 != 9 },
            #Predicate<Creature> { $0.weight * 10 - $0.weight * 10 != 1 },
        ] {
            await #expect(throws: QueryError.self) {
                try await creatures.fetchCount(FetchDescriptor(predicate: predicate))
            }
        }
        #expect(try await creatures.fetchCount(FetchDescriptor(predicate: #Predicate { $0.age - 1 > 0 })) == 1)
    }

    @Test("A calculation whose result is infinite finds records", .onlySQLite("infinite results of calculations"))
    func infinity() async throws {
        var creature = Creature()
        creature.weight = .greatestFiniteMagnitude
        let fixture = try await StoreFixture.creatures([creature]), creatures = fixture.repository(Creature.self)
        #expect(try await creatures.fetchCount(FetchDescriptor(predicate: #Predicate { $0.weight * 10 > 0 })) == 1)
    }

    @Test("A range whose upper bound is below its lower bound throws an error")
    func ranges() async throws {
        var creature = Creature()
        creature.age = 7
        let fixture = try await StoreFixture.creatures([creature])
        let creatures = fixture.repository(Creature.self)
        let low = 3, high = 9
        #expect(
            try await creatures.fetchCount(FetchDescriptor(predicate: #Predicate { ($0.age...high).contains(8) })) == 1)
        for predicate in [
            #Predicate<Creature> { ($0.age..<low).contains(8) }, #Predicate<Creature> { ($0.age...low).contains(8) },
            #Predicate<Creature> { (high..<low).contains($0.age) },
        ] {
            await #expect(throws: QueryError.self) {
                try await creatures.fetchCount(FetchDescriptor(predicate: predicate))
            }
        }
    }

    @Test("Values are bound as parameters and never appear in the statement")
    func parameters() async throws {
        let hostile = "'; DROP TABLE \"Creature\"; --"
        let fixture = try await StoreFixture.creatures([Creature(name: hostile)])
        let predicate = #Predicate<Creature> { $0.name == hostile && $0.name.contains(hostile) && $0.age < 77_777 }
        let query = try FetchDescriptor(predicate: predicate).query()
        let sql = try FetchSQL(query, of: fixture.records(Creature.self).table, .none, selecting: "id")
        #expect(!sql.text.contains("DROP") && !sql.text.contains("77"))
        #expect(sql.values == [.text(hostile), .text(hostile), .integer(77_777)])
        #expect(try await fixture.repository(Creature.self).fetch(FetchDescriptor(predicate: predicate)).count == 1)
    }

    @Test(
        "Identifiers, references, unique values and sorted properties are found by their indexes",
        .onlySQLite("query plans of this form"))
    func indexes() throws {
        let fixture = try StoreFixture.lists()
        let id = RecordID<Animal>(), reference = Reference<AviaryDataTests.Category>(id: RecordID())
        let kea = "Kea", note: String? = "shy", legs: Int? = 2
        let animals = [
            #Predicate<Animal> { $0.id == id }, #Predicate<Animal> { $0.category == reference },
            #Predicate<Animal> { $0.name == kea },
            #Predicate<Animal> { $0.weight > 3 && note == $0.note }, #Predicate<Animal> { $0.legs == legs },
        ]
        for predicate in animals {
            #expect(try plan(predicate, in: fixture).contains { $0.hasPrefix("SEARCH") }, "\(predicate)")
        }
        let name = "Mammal"
        #expect(
            try plan(#Predicate<AviaryDataTests.Category> { $0.name == name }, in: fixture).contains {
                $0.hasPrefix("SEARCH")
            })
        // A computed value has no index.
        #expect(try plan(#Predicate<Animal> { $0.weight * 2 > 3 }, in: fixture).contains { $0.hasPrefix("SCAN") })
    }

    @Test("An equality is case-sensitive even if the index is not")
    func exactBesideIndex() async throws {
        let fixture = try StoreFixture.lists()
        for name in ["kea", "Kea", "KEA"] { try await fixture.insert(Animal(name: name, note: name)) }
        try await fixture.insert(Animal(name: "Okapi"))
        let animals = fixture.repository(Animal.self)
        let kea = "Kea", note: String? = "Kea"
        #expect(
            try await animals.fetch(FetchDescriptor(predicate: #Predicate { $0.name == kea })).map(\.name) == ["Kea"])
        #expect(try await animals.fetchCount(FetchDescriptor(predicate: #Predicate { !($0.note == note) })) == 3)
        #expect(
            try await animals.fetchCount(FetchDescriptor(predicate: #Predicate { ($0.note == note) == false })) == 3)
    }

    private func plan<M: Model>(_ predicate: Predicate<M>, in fixture: StoreFixture) throws -> [String] {
        let sql = try FetchSQL(
            FetchDescriptor(predicate: predicate).query(), of: fixture.records(M.self).table,
            fixture.readers.aids, selecting: "id"
        )
        return try fixture.readers.read { connection in
            try connection.rows("EXPLAIN QUERY PLAN " + sql.text, sql.values) { $0.text(3) ?? "" }
        }
    }

    @Test("A long fetch ends when its task is cancelled")
    func cancelled() async throws {
        // The read takes far longer than the limit of a short read. SQLite compares from the start of a part, PostgreSQL
        // from its end, and both compare many characters at each place of a name.
        let letters = { (count: Int) in String(repeating: "a", count: count) }
        let fixture = try await StoreFixture.creatures((0..<300).map { Creature(name: letters(4000) + "\($0)") })
        let parts = (0..<200).map { letters(1500) + "b\($0)" + letters(400) }
        let slow = #Predicate<Creature> { c in parts.contains { part in c.name.contains(part) } }
        let creatures = fixture.repository(Creature.self)
        let fetch = Task { try await creatures.fetchCount(FetchDescriptor(predicate: slow)) }
        fetch.cancel()
        await #expect(throws: ReadError.cancelled) { _ = try await fetch.value }
        #expect(try await creatures.fetchCount() == 300)
    }
}
