import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Pages of a filtered list")
struct FilteredPageTests {
    private static let texts = ["", "!", "A", "a", "B", "b", "ab", "AB", "ä", "Ä", "z", "🦉", "_", "["]

    private func filled(_ count: Int, _ generator: inout SeededGenerator) async throws -> (StoreFixture, [Category]) {
        let fixture = try StoreFixture.lists()
        let categories = (0..<3).map { Category(name: "\($0)") }
        let animals = (0..<count).map { _ in
            Animal(
                name: "x" + (Self.texts.randomElement(using: &generator) ?? ""),
                diet: Animal.Diet.allCases.randomElement(using: &generator) ?? .herbivorous,
                category: (categories + [nil]).randomElement(using: &generator) ?? nil,
                legs: [nil, 0, 2, 4, -1, Int.max].randomElement(using: &generator) ?? nil,
                weight: [0, -0.5, 1, 1e300].randomElement(using: &generator) ?? 0,
                note: Bool.random(using: &generator) ? nil : "n",
                born: Bool.random(using: &generator)
                    ? nil : CalendarDate(year: Int.random(in: 1...3, using: &generator), month: 1, day: 1)
            )
        }
        let changes = categories.map(\.insertion) + animals.map(\.insertion)
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: changes))
        return (fixture, categories)
    }

    @Test(
        "Paging forwards and backwards shows every match once and in order",
        arguments: PageTests.orders)
    func walk(order: ListOrder) async throws {
        var generator = SeededGenerator(seed: 21)
        let (fixture, categories) = try await filled(90, &generator)
        var records = fixture.records(Animal.self)
        records.pageLimits = .patient
        let all = ListOracle(order, in: Animal.schema).sorted(try await records.fetchAll())
        for _ in 0..<25 {
            let settings = ListSettings.random(categories, &generator)
            let expected = all.filter(settings.holds).map(\.id)
            let request = { (cursor: PageCursor?) in
                PageRequest(sort: order, cursor: cursor, size: 7, conditions: settings.conditions)
            }
            var page = try await records.page(request(nil))
            var forwards = page.records.map(\.id)
            #expect(page.matches == .exactly(expected.count), "\(settings)")
            while let next = page.next, forwards.count <= 90 {
                page = try await records.page(request(.after(next)))
                forwards += page.records.map(\.id)
            }
            #expect(forwards == expected, "\(settings)")
            var backwards = page.records.map(\.id)
            while let previous = page.previous, backwards.count <= 90 {
                page = try await records.page(request(.before(previous)))
                backwards = page.records.map(\.id) + backwards
            }
            #expect(backwards == expected, "\(settings)")
        }
    }

    @Test("A prefix matches every spelling of an apostrophe on every access path", arguments: ["o'", "O’", "O`"])
    func spellings(prefix: String) async throws {
        let fixture = try StoreFixture.lists()
        let animals = ["O'Brien", "O’Hara", "Oʼodham", "Owl", "‘O"].map { Animal(name: $0) }
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: animals.map(\.insertion)))
        let condition = QueryExpression.starts(property: "name", withSpellingsOf: prefix)
        for way in [ListPlan.AccessPath.walk, .collect(0)] {
            let found = try page([condition], way, ListOrder(property: "name", direction: .ascending), of: fixture)
            #expect(Set(found) == Set(animals.prefix(3).map(\.id.uuid)), "\(way)")
        }
    }

    @Test("All access paths return the same records", arguments: PageTests.orders)
    func ways(order: ListOrder) async throws {
        var generator = SeededGenerator(seed: 22)
        let (fixture, categories) = try await filled(60, &generator)
        let records = fixture.records(Animal.self)
        let all = ListOracle(order, in: Animal.schema).sorted(try await records.fetchAll())
        for _ in 0..<25 {
            let settings = ListSettings.random(categories, &generator)
            let conditions = settings.conditions
            guard !conditions.isEmpty else { continue }
            for way in [.walk] + conditions.indices.map(ListPlan.AccessPath.collect) {
                let found = try page(conditions, way, order, of: fixture)
                #expect(found == all.filter(settings.holds).map(\.id), "\(way) \(settings)")
            }
        }
    }

    private func page(
        _ conditions: [QueryExpression], _ way: ListPlan.AccessPath, _ order: ListOrder, of fixture: StoreFixture
    ) throws -> [UUID] {
        let records = fixture.records(Animal.self)
        let sort = try records.sortIndex(order.property)
        let filterClause = try FilterClause(
            conditions, way, sortedBy: sort == nil ? nil : order.property, of: records.table, fixture.readers.aids
        )
        let query = ListStatement(
            records.table, selection: "SELECT record.id FROM \(records.table.name) AS record", sortedBy: sort,
            filterClause: filterClause
        )
        return try fixture.readers.read { connection in
            try PageReader(
                query: query, reader: records.reader, connection: connection,
                isAscending: order.direction == .ascending,
                size: 1000, readsIDs: true
            ).page(nil).records.map(\.id)
        }
    }

    @Test("A filtered page contains the titles of the referenced records")
    func titles() async throws {
        let fixture = try StoreFixture.lists()
        let birds = Category(name: "Birds")
        try await fixture.insert(birds, Animal(name: "Kea", category: birds), Animal(name: "Okapi"))
        let filter = try #require(Animal.schema.property("category").flatMap { ListFilter($0) })
        let condition = try #require(filter.condition(FilterSetting("category", values: [birds.id.uuid.fieldValue])))
        let page = try await fixture.records(Animal.self).page(
            PageRequest(sort: ListOrder(property: "name", direction: .ascending), conditions: [condition])
        )
        #expect(page.records.map { $0.title(in: Animal.schema) } == ["Kea"])
        #expect(page.records.first?.referenceTitles.contains("Birds") == true)
        #expect(page.total == 2)
        #expect(page.matches == .exactly(1))
    }

    @Test("A day as the bound of an instant includes the whole day")
    func instants() async throws {
        let fixture = try StoreFixture(
            try Schema([Stamp.schema]), sortIndexes: [SortIndex(model: "Stamp", property: "at")])
        for text in [
            "2026-01-31T23:59:59.999Z", "2026-02-01T00:00:00.000Z", "2026-02-02T23:59:59.999Z",
            "2026-02-03T00:00:00.000Z",
        ] {
            try await fixture.insert(Stamp(at: try #require(Date(rfc3339: text))))
        }
        let filter = try #require(Stamp.schema.property("at").flatMap { ListFilter($0) })
        func count(_ setting: FilterSetting) async throws -> Int {
            let order = ListOrder(property: "at", direction: .ascending)
            return try await fixture.records(Stamp.self).page(
                PageRequest(sort: order, conditions: [try #require(filter.condition(setting))])
            ).records.count
        }
        #expect(try await count(FilterSetting("at", lower: .text("2026-02-01"), upper: .text("2026-02-02"))) == 2)
        #expect(try await count(FilterSetting("at", upper: .text("2026-01-31"))) == 1)
        #expect(try await count(FilterSetting("at", lower: .text("2026-02-03"))) == 1)
    }

    @Test("A to-many relation filters by any of the linked records or by the absence of links")
    func links() async throws {
        let fixture = try StoreFixture(
            try Schema([Book.schema, Author.schema, Chapter.schema]),
            sortIndexes: [SortIndex(model: "Book", property: "name")])
        let (one, two) = (Author(name: "one"), Author(name: "two"))
        let books = ["a", "b", "c"].map { Book(name: $0) }
        try await fixture.insert(one, two, books[0], books[1], books[2])
        try await fixture.submit(
            .link(books[0], \.authors, one), .link(books[1], \.authors, two), .link(books[1], \.authors, one))
        let property = try #require(Book.schema.property("authors"))
        let filter = try #require(ListFilter(property, path: Book.schema.relation(at: \Book.authors)))
        func names(_ setting: FilterSetting) async throws -> [String] {
            let order = ListOrder(property: "name", direction: .ascending)
            return try await fixture.records(Book.self).page(
                PageRequest(sort: order, conditions: [try #require(filter.condition(setting))])
            ).records.map { $0.title(in: Book.schema) }
        }
        #expect(try await names(FilterSetting("authors", values: [one.id.uuid.fieldValue])) == ["a", "b"])
        #expect(
            try await names(FilterSetting("authors", values: [two.id.uuid.fieldValue], isEmpty: true)) == ["b", "c"])
        #expect(try await names(FilterSetting("authors", isEmpty: true)) == ["c"])
        #expect(try await names(FilterSetting("authors", isEmpty: false)) == ["a", "b"])
    }

    @Test(
        "A walk reads the index of the sort order, and a collection begins with the index of the condition",
        .onlySQLite("query plans of this form"))
    func plans() async throws {
        let fixture = try StoreFixture.lists()
        let records = fixture.records(Animal.self)
        let diet = QueryExpression.isMember(.property("diet"), of: [.text("carnivorous")])
        let name = QueryExpression.startsIgnoringCase(property: "name", "k")
        func plan(_ conditions: [QueryExpression], _ way: ListPlan.AccessPath, sort: String) throws -> [String] {
            let index = try records.sortIndex(sort)
            let filterClause = try FilterClause(
                conditions, way, sortedBy: sort, of: records.table, fixture.readers.aids)
            let query = ListStatement(
                records.table, selection: "SELECT record.id FROM \"Animal\" AS record", sortedBy: index,
                filterClause: filterClause)
            return try fixture.readers.read {
                try $0.rows("EXPLAIN QUERY PLAN " + query.sql(.all, upwards: true)) { $0.text(3) ?? "" }
            }
        }
        #expect(try plan([diet], .walk, sort: "name") == ["SCAN record USING INDEX aviary_sort.Animal.name"])
        #expect(
            try plan([name, diet], .walk, sort: "name").first?.hasPrefix(
                "SEARCH record USING INDEX aviary_sort.Animal.name (name>? AND name<?)") == true)
        let spellings = QueryExpression.starts(property: "name", withSpellingsOf: "k'")
        let walk = try plan([spellings], .walk, sort: "name")
        #expect(walk == ["SEARCH record USING COVERING INDEX aviary_sort.Animal.name (name>? AND name<?)"])
        #expect(try plan([diet, name], .collect(0), sort: "name").first?.contains("aviary_sort.Animal.diet") == true)
        #expect(try plan([diet, name], .collect(1), sort: "diet").first?.contains("aviary_sort.Animal.name") == true)
        #expect(try plan([diet], .walk, sort: "diet").first?.contains("SEARCH record USING") == true)
    }
}

private struct Stamp: Model {
    var id = RecordID<Stamp>()
    var at: Date

    static let schema = ModelSchema(Stamp.self, [.init(\.at, "at")])

    init(at: Date) { self.at = at }
    init(from reader: inout FieldReader) throws { (id, at) = (try reader.next("id"), try reader.next("at")) }
    func bind(to writer: inout FieldWriter) { writer.bind(at) }
}
