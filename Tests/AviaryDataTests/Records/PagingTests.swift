import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Paged fetches")
struct PagingTests {
    private static let orders: [[SortDescriptor<Creature>]] = [
        [], [SortDescriptor(\.name)], [SortDescriptor(\.nickname, order: .reverse)],
        [SortDescriptor(\.legs), SortDescriptor(\.height, order: .reverse)],
        [SortDescriptor(\.isTagged), SortDescriptor(\.weight)],
        [SortDescriptor(\.secondDiet, order: .reverse), SortDescriptor(\.fed)],
        [SortDescriptor(\.diet), SortDescriptor(\.tag)],
        [SortDescriptor(\.isTame), SortDescriptor(\.moved), SortDescriptor(\.age, order: .reverse)],
    ]

    private func pages(
        _ descriptor: FetchDescriptor<Creature>, of creatures: Repository<Creature>,
        between: () async throws -> Void = {}
    ) async throws -> [[Creature.ID]] {
        var pages: [[Creature.ID]] = []
        var cursor: FetchCursor?
        repeat {
            let page = try await creatures.fetchPage(descriptor, after: cursor)
            pages.append(page.records.map(\.id))
            // The cursor is converted to text and back, as in a link.
            cursor = try page.next.map { try #require(FetchCursor($0.description)) }
            try await between()
        } while cursor != nil && pages.count < 1000
        return pages
    }

    @Test(
        "All pages together equal one fetch, whatever the sort order",
        arguments: [TestSeed.value])
    func complete(seed: UInt64) async throws {
        var menagerie = Menagerie(seed: seed)
        let fixture = try await StoreFixture.creatures(menagerie.creatures(120))
        let creatures = fixture.repository(Creature.self)
        for order in Self.orders {
            var descriptor = FetchDescriptor<Creature>(predicate: #Predicate { $0.age > -3 }, sortBy: order)
            let all = try await creatures.fetchIdentifiers(descriptor)
            descriptor.fetchLimit = 7
            let pages = try await pages(descriptor, of: creatures)
            #expect(pages.flatMap(\.self) == all, "\(order), seed \(seed)")
            #expect(pages.dropLast().allSatisfy { $0.count == 7 })
        }
    }

    @Test("Inserts and deletes between two pages neither hide nor repeat a record")
    func steady() async throws {
        var menagerie = Menagerie(seed: 3)
        let kept = menagerie.creatures(60), passing = menagerie.creatures(40)
        for (index, order) in Self.orders.enumerated() {
            let fixture = try await StoreFixture.creatures(kept + passing)
            let creatures = fixture.repository(Creature.self)
            var descriptor = FetchDescriptor(sortBy: order)
            descriptor.fetchLimit = 9
            var rest = passing.map { $0 }, fresh = Menagerie(seed: UInt64(index))
            let pages = try await pages(descriptor, of: creatures) {
                try await creatures.delete(ids: Set(rest.prefix(4).map(\.id)))
                rest.removeFirst(min(4, rest.count))
                for new in fresh.creatures(3).map({ Creature(copying: $0) }) { try await creatures.insert(new) }
            }
            let seen = pages.flatMap(\.self)
            #expect(Set(seen).count == seen.count)
            #expect(Set(kept.map(\.id)).isSubset(of: seen), "\(order)")
        }
    }

    @Test("A cursor of another predicate or order is rejected, and so is a cursor with an offset")
    func foreign() async throws {
        let fixture = try await StoreFixture.creatures((0..<5).map { Creature(name: "\($0)") })
        let creatures = fixture.repository(Creature.self)
        var descriptor = FetchDescriptor<Creature>(
            predicate: #Predicate { $0.age < 5 }, sortBy: [SortDescriptor(\.name)])
        descriptor.fetchLimit = 2
        let cursor = try #require(try await creatures.fetchPage(descriptor).next)
        var others = [descriptor, descriptor, descriptor, descriptor]
        others[0].predicate = #Predicate { $0.age < 6 }
        others[1].sortBy = [SortDescriptor(\.name, order: .reverse)]
        others[2].sortBy = []
        others[3].fetchOffset = 1
        for other in others {
            await #expect(throws: QueryError.self) { try await creatures.fetchPage(other, after: cursor) }
        }
        // The page size may change.
        descriptor.fetchLimit = 3
        #expect(try await creatures.fetchPage(descriptor, after: cursor).records.map(\.name) == ["2", "3", "4"])
    }

    @Test("A malformed cursor and a page size of zero are rejected")
    func malformed() async throws {
        for text in ["", "e30", "%", "AAAA", String(repeating: "a", count: 10_000)] {
            #expect(FetchCursor(text) == nil)
        }
        let fixture = try await StoreFixture.creatures([])
        var descriptor = FetchDescriptor<Creature>()
        descriptor.fetchLimit = 0
        await #expect(throws: QueryError.self) { try await fixture.repository(Creature.self).fetchPage(descriptor) }
    }

    @Test(
        "The next page of an indexed order begins with a search in the index", .onlySQLite("query plans of this form"))
    func indexed() throws {
        let fixture = try StoreFixture(.lists(), sortIndexes: SortIndex.lists)
        let query = try FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.weight)]).query()
        let cursor = FetchCursor(
            after: Record(
                id: .version7(), version: 1, values: [.text(""), .text(""), .null, .null, .real(4), .null, .null]),
            of: query, Animal.schema
        )
        let sql = try FetchSQL(
            query.after(cursor, of: Animal.schema), of: fixture.records(Animal.self).table, fixture.readers.aids,
            selecting: "id"
        )
        let plan = try fixture.readers.read { connection in
            try connection.rows("EXPLAIN QUERY PLAN " + sql.text, sql.values) { $0.text(3) ?? "" }
        }
        #expect(plan.contains { $0.hasPrefix("SEARCH") } && !plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }
}

@Suite("Enumeration of records")
struct EnumerationTests {
    @Test("An enumeration visits each record once and in order, within the limit and the offset")
    func complete() async throws {
        var menagerie = Menagerie(seed: 5)
        let fixture = try await StoreFixture.creatures(menagerie.creatures(100))
        let creatures = fixture.repository(Creature.self)
        for (limit, offset, batch) in [
            (nil, nil, 7), (30, nil, 7), (nil, 20, 100), (25, 9, 8), (1000, 95, 3), (0, nil, 5),
        ] as [(Int?, Int?, Int)] {
            var descriptor = FetchDescriptor<Creature>(sortBy: [
                SortDescriptor(\.legs, order: .reverse), SortDescriptor(\.name),
            ])
            descriptor.fetchLimit = limit
            descriptor.fetchOffset = offset
            var seen: [Creature.ID] = []
            try await creatures.enumerate(descriptor, batchSize: batch) { seen.append($0.id) }
            #expect(try await creatures.fetchIdentifiers(descriptor) == seen)
        }
    }

    @Test("Each statement of an enumeration reads at most one batch")
    func bounded() async throws {
        let fixture = try await StoreFixture.creatures((0..<1000).map { Creature(name: "\($0)") })
        let engine = RecordingEngine()
        let creatures = try fixture.repository(Creature.self, recordedBy: engine)
        var largest = 0, all = 0
        let queries = try await engine.queries {
            var held = 0
            try await creatures.enumerate(batchSize: 50) { _ in
                all += 1
                held += 1
                largest = max(largest, held)
                if all % 50 == 0 { held = 0 }
            }
        }
        #expect(all == 1000 && largest == 50)
        #expect(queries.count == 20 && queries.allSatisfy { $0.contains("LIMIT ?") })
    }

    @Test("An enumeration skips a record that is deleted meanwhile and visits the others")
    func changing() async throws {
        let fixture = try await StoreFixture.creatures((0..<20).map { Creature(name: String(format: "%02d", $0)) })
        let creatures = fixture.repository(Creature.self)
        let last = try #require(
            try await creatures.fetch(FetchDescriptor(predicate: #Predicate { $0.name == "19" })).first)
        var names: [String] = []
        try await creatures.enumerate(FetchDescriptor(sortBy: [SortDescriptor(\.name)]), batchSize: 5) { creature in
            names.append(creature.name)
            if creature.name == "03" { try await creatures.delete(id: last.id) }
        }
        #expect(names == (0..<19).map { String(format: "%02d", $0) })
    }

    @Test("An error thrown by the body ends the enumeration")
    func thrown() async throws {
        let fixture = try await StoreFixture.creatures((0..<20).map { Creature(name: "\($0)") })
        var count = 0
        await #expect(throws: CancellationError.self) {
            try await fixture.repository(Creature.self).enumerate(batchSize: 3) { _ in
                count += 1
                if count == 5 { throw CancellationError() }
            }
        }
        #expect(count == 5)
    }
}

extension Creature {
    /// Creates a copy with a new identifier. It has no mate, because that one may be deleted.
    init(copying other: Creature) {
        self = other
        id = RecordID()
        mate = nil
    }
}
