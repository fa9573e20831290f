import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Pages of a list")
struct PageTests {
    static let orders: [ListOrder] = ["id", "name", "diet", "legs", "weight", "note", "born"].flatMap { property in
        [ListOrder(property: property, direction: .ascending), ListOrder(property: property, direction: .descending)]
    }

    /// A few distinct texts, so that most repeat: some empty, in mixed case, or sorted before every letter.
    private static let texts = [
        "", "!", "-Inf", "A", "a", "B", "b", "ab", "AB", "ä", "Ä", "z", "Z", "e\u{301}", "\u{E9}", "🦉", "_", "[",
        "\u{1}",
    ]
    static let walks = [
        (seed: 1, count: 0, size: 5), (2, 1, 5), (3, 5, 5), (4, 6, 5), (5, 83, 7), (6, 60, 1), (7, 60, 60), (8, 60, 59),
    ]

    private func animals(_ count: Int, _ generator: inout SeededGenerator) -> [Animal] {
        (0..<count).map { _ in
            Animal(
                name: "x" + (Self.texts.randomElement(using: &generator) ?? ""),
                diet: Animal.Diet.allCases.randomElement(using: &generator) ?? .herbivorous,
                legs: [nil, nil, 0, 2, 4, -1, Int.max, Int.min].randomElement(using: &generator) ?? nil,
                weight: [0, -0.5, 1, 1e300, -1e300].randomElement(using: &generator) ?? 0,
                note: Bool.random(using: &generator) ? nil : Self.texts.randomElement(using: &generator),
                born: Int.random(in: 0..<3, using: &generator) == 0
                    ? nil : CalendarDate(year: Int.random(in: 1...2, using: &generator), month: 1, day: 1)
            )
        }
    }

    private func fill(_ fixture: StoreFixture, _ animals: [Animal]) async throws {
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: animals.map(\.insertion)))
    }

    @Test("Paging forwards and backwards shows every record once and in order", arguments: PageTests.walks.indices)
    func walk(number: Int) async throws {
        let (seed, count, size) = Self.walks[number]
        var generator = SeededGenerator(seed: UInt64(seed))
        let fixture = try StoreFixture.lists()
        try await fill(fixture, animals(count, &generator))
        let records = fixture.records(Animal.self)
        let all = try await records.fetchAll()
        for order in Self.orders {
            let expected = ListOracle(order, in: Animal.schema).sorted(all).map(\.id)
            var forwards: [[UUID]] = []
            var page = try await records.page(PageRequest(sort: order, size: size))
            #expect(page.previous == nil)
            #expect(page.total == count)
            forwards.append(page.records.map(\.id))
            // The loop is bounded, so that a cycle fails the test instead of running forever.
            while let next = page.next, forwards.count <= count {
                page = try await records.page(PageRequest(sort: order, cursor: .after(next), size: size))
                #expect(page.previous != nil)
                forwards.append(page.records.map(\.id))
            }
            #expect(Array(forwards.joined()) == expected, "\(order)")
            var backwards = [page.records.map(\.id)]
            while let previous = page.previous, backwards.count <= count {
                page = try await records.page(PageRequest(sort: order, cursor: .before(previous), size: size))
                #expect(page.next != nil)
                backwards.append(page.records.map(\.id))
            }
            #expect(Array(backwards.reversed().joined()) == expected, "\(order)")
        }
    }

    @Test("Deletions between pages neither skip nor repeat a record", arguments: PageTests.orders)
    func deletions(order: ListOrder) async throws {
        var generator = SeededGenerator(seed: 11)
        let fixture = try StoreFixture.lists()
        try await fill(fixture, animals(80, &generator))
        let records = fixture.records(Animal.self)
        let oracle = ListOracle(order, in: Animal.schema)
        var alive = oracle.sorted(try await records.fetchAll())
        var cursor: PageCursor?
        var seen: [UUID] = []
        var deleted: Set<UUID> = []
        repeat {
            let page = try await records.page(PageRequest(sort: order, cursor: cursor, size: 6))
            let ids = page.records.map(\.id)
            seen += ids
            // The next pages show exactly the records after those already seen that are not deleted.
            let rest = alive.map(\.id).filter { !seen.contains($0) }
            var doomed = Array(rest.shuffled(using: &generator).prefix(3))
            if let last = ids.last, Bool.random(using: &generator) { doomed.append(last) }
            if !doomed.isEmpty {
                _ = try await records.delete(ids: doomed, as: Deletion(author: "test", cascadeLimit: nil))
            }
            deleted.formUnion(doomed)
            alive.removeAll { deleted.contains($0.id) }
            cursor = page.next.map(PageCursor.after)
        } while cursor != nil && seen.count <= 80
        #expect(Set(seen).count == seen.count)
        #expect(seen.filter { !deleted.contains($0) } == alive.map(\.id))
    }

    @Test("A page becomes the first or the last when all records before or after the page are deleted")
    func neighboursGone() async throws {
        let fixture = try StoreFixture.lists()
        let animals = (0..<9).map { Animal(name: "\($0)") }
        try await fill(fixture, animals)
        let records = fixture.records(Animal.self)
        let order = ListOrder(property: "name", direction: .ascending)
        let first = try await records.page(PageRequest(sort: order, size: 3))
        let deletion = { Deletion(author: "test", cascadeLimit: nil) }
        let middle = PageRequest(sort: order, cursor: .after(try #require(first.next)), size: 3)
        let end = try #require(try await records.page(middle).next)
        let last = try await records.page(PageRequest(sort: order, cursor: .after(end), size: 3))
        _ = try await records.delete(ids: animals[..<3].map(\.id.uuid), as: deletion())
        #expect(try await records.page(middle).previous == nil)
        #expect(try await records.page(middle).next != nil)
        _ = try await records.delete(ids: animals[6...].map(\.id.uuid), as: deletion())
        #expect(try await records.page(middle).next == nil)
        let start = try #require(last.previous)
        let back = try await records.page(PageRequest(sort: order, cursor: .before(start), size: 3))
        #expect(back.records.map(\.id) == animals[3..<6].map(\.id.uuid))
        #expect(back.previous == nil)
        #expect(back.next == nil)
    }

    @Test("An empty page beyond the end leads back to the last record, even if its cursor names that record")
    func emptyPage() async throws {
        let fixture = try StoreFixture.lists()
        let animals = (0..<6).map { Animal(name: "\($0)") }
        try await fill(fixture, animals)
        let records = fixture.records(Animal.self)
        for direction in [SortDirection.ascending, .descending] {
            let order = ListOrder(property: "name", direction: direction)
            let first = try await records.page(PageRequest(sort: order, size: 6))
            let end = try #require(first.records.last)
            let position = KeysetPosition(value: end.values[0], id: end.id)
            let empty = try await records.page(PageRequest(sort: order, cursor: .after(position), size: 3))
            #expect(empty.records.isEmpty)
            #expect(empty.next == nil)
            let start = try #require(empty.previous)
            let back = try await records.page(PageRequest(sort: order, cursor: .before(start), size: 3))
            #expect(back.records.last?.id == end.id)
        }
    }

    @Test("A page contains the titles of the referenced records")
    func titles() async throws {
        let fixture = try StoreFixture.lists()
        let birds = Category(name: "Birds")
        try await fixture.insert(birds, Animal(name: "Kea", category: birds), Animal(name: "Lynx"))
        let order = ListOrder(property: "name", direction: .ascending)
        let page = try await fixture.records(Animal.self).page(PageRequest(sort: order))
        #expect(page.records.map { $0.referenceTitle(at: 2) } == ["Birds", nil])
        #expect(page.records.map { $0.referenceTitle(at: 0) } == [nil, nil])
    }

    @Test("A page request accepts any page size", arguments: [Int.min, -1, 0, 1, Int.max])
    func size(size: Int) async throws {
        let fixture = try StoreFixture.lists()
        try await fixture.insert(Animal(name: "Kea"), Animal(name: "Lynx"))
        let order = ListOrder(property: "name", direction: .ascending)
        let page = try await fixture.records(Animal.self).page(PageRequest(sort: order, size: size))
        #expect(page.records.count == (size > 1 ? 2 : 1))
    }

    @Test("Sorting by a property without an index is rejected")
    func notSortable() async throws {
        let records = try StoreFixture.lists().records(Animal.self)
        await #expect(throws: PageRequestError.unknownProperty(model: "Animal", property: "horn")) {
            try await records.page(PageRequest(sort: ListOrder(property: "horn", direction: .ascending)))
        }
        await #expect(throws: PageRequestError.notSortable(model: "Animal", property: "category")) {
            try await records.page(PageRequest(sort: ListOrder(property: "category", direction: .ascending)))
        }
    }

    @Test(
        "A cursor whose value does not fit the column is accepted",
        arguments: [
            FieldValue.text("x"), .integer(3), .real(0.5), .null, .blob([1, 2]), .text("' OR 1=1 --"),
        ])
    func foreignCursor(value: FieldValue) async throws {
        let fixture = try StoreFixture.lists()
        try await fill(fixture, (0..<5).map { Animal(name: "x", legs: $0) })
        let position = KeysetPosition(value: value, id: .version7())
        for order in Self.orders {
            for cursor in [PageCursor.after(position), .before(position)] {
                let request = PageRequest(sort: order, cursor: cursor, size: 2)
                let page = try await fixture.records(Animal.self).page(request)
                #expect(page.records.count <= 2)
            }
        }
    }
}
