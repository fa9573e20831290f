import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Reading")
struct ReadingTests {
    @Test(
        "A string is read back byte for byte",
        arguments: [
            "Okapi", "🦉🏳️‍🌈", "e\u{301}", "\u{E9}", "\u{FEFF}bom", "line\nbreak\ttab", "\u{1}x\u{7F}", "'\"`;--",
            "\u{202E}rtl",
            String(repeating: "ß", count: 10_000),
        ])
    func texts(text: String) async throws {
        let fixture = try StoreFixture.lists()
        let animal = Animal(name: text, note: text)
        try await fixture.insert(animal)
        let record = try #require(try await fixture.find(animal))
        #expect(record.value("note", in: Animal.schema) == .text(text))
        #expect(try await fixture.records(Animal.self).ids(where: ["name": .text(text)], limit: 2) == [animal.id.uuid])
    }

    @Test("A NUL character is rejected")
    func nul() async throws {
        let fixture = try StoreFixture.lists()
        guard await fixture.refusal(Animal(name: "a\u{0}b").insertion)?.code == .invalid else {
            Issue.record("a NUL was stored")
            return
        }
    }

    @Test("An empty string is not null")
    func emptyText() async throws {
        let fixture = try StoreFixture.lists()
        let animal = Animal(name: "Okapi", note: "")
        try await fixture.insert(animal)
        #expect(try await fixture.find(animal)?.value("note", in: Animal.schema) == .text(""))
    }

    @Test("Numbers at the limits of their ranges are read back")
    func extremes() async throws {
        let fixture = try StoreFixture.lists()
        let ends = [(Int.max, Double.greatestFiniteMagnitude), (Int.min, -Double.leastNonzeroMagnitude), (0, 0.1)]
        for (legs, weight) in ends {
            let animal = Animal(name: "x", legs: legs, weight: weight)
            try await fixture.insert(animal)
            let record = try #require(try await fixture.find(animal))
            #expect(record.value("legs", in: Animal.schema) == .integer(Int64(legs)))
            #expect(record.value("weight", in: Animal.schema) == .real(weight))
        }
    }

    @Test("A lookup compares bytes, so that case and composition matter")
    func exactLookup() async throws {
        let fixture = try StoreFixture.lists()
        let animals = ["ä", "a\u{308}", "Ä", "kea", "Kea"].map { Animal(name: $0) }
        for animal in animals { try await fixture.insert(animal) }
        let records = fixture.records(Animal.self)
        for animal in animals {
            #expect(try await records.ids(where: ["name": .text(animal.name)], limit: 2) == [animal.id.uuid])
        }
        #expect(try await records.ids(where: ["name": .text("KEA")], limit: 2) == [])
        await #expect(throws: PageRequestError.self) { try await records.ids(where: ["horn": .null], limit: 2) }
    }

    @Test("A lookup returns the matching identifiers in order, up to its limit")
    func lookupOfSeveral() async throws {
        let fixture = try StoreFixture.lists()
        let animals = [("kea", 2), ("kea", 2), ("kea", nil), ("emu", 2)].map { Animal(name: $0, legs: $1) }
        for animal in animals { try await fixture.insert(animal) }
        let ids = animals.map(\.id.uuid), keas = ids.prefix(3).sorted { $0.canonicalText < $1.canonicalText }
        let records = fixture.records(Animal.self)
        #expect(try await records.ids(where: ["name": .text("kea")], limit: 9) == keas)
        #expect(try await records.ids(where: ["name": .text("kea")], limit: 2) == Array(keas.prefix(2)))
        #expect(try await records.ids(where: ["name": .text("kea"), "legs": .null], limit: 9) == [ids[2]])
        #expect(try await records.ids(where: ["legs": .integer(2), "name": .text("emu")], limit: 9) == [ids[3]])
    }

    @Test("Choices are sorted by title, and a blank title is replaced by the id")
    func choices() async throws {
        let fixture = try StoreFixture.rules()
        var zones = [Zone(), Zone(), Zone()]
        for (index, name) in ["b", " ", "A"].enumerated() { zones[index].name = name }
        for zone in zones { try await fixture.insert(zone) }
        let records = fixture.records(Zone.self)
        #expect(try await records.choices(limit: 10).map(\.title) == [zones[1].id.description, "A", "b"])
        #expect(try await records.choices(limit: 1).count == 1)
        #expect(try await fixture.records(Keeper.self).choices(limit: 3).isEmpty)
    }

    @Test("A repository saves, finds and deletes records")
    func repository() async throws {
        let fixture = try StoreFixture.lists()
        let animals = Repository<Animal>(fixture.records(Animal.self), author: "test")
        var okapi = Animal(name: "Okapi", legs: 4, born: CalendarDate(year: 2020, month: 2, day: 29))
        try await animals.save(okapi)
        okapi.note = "shy"
        try await animals.save(okapi)
        let stored = try #require(try await animals.find(okapi.id))
        #expect(stored.note == "shy" && stored.born == okapi.born && stored.legs == 4)
        #expect(try await animals.fetchAll().count == 1)
        try await animals.delete(ids: [okapi.id])
        #expect(try await fixture.count(Animal.self) == 0)
    }

    @Test("A read that reaches the time limit is interrupted, and the next read succeeds")
    func deadline() throws {
        let fixture = try StoreFixture.lists()
        #expect(ReaderPool.shortReadLimit == .seconds(2))
        // The pool is opened within the limit, too, which takes long on a busy machine.
        let limit: Duration = .seconds(3)
        let readers = try ReaderPool(directory: fixture.directory, schema: fixture.schema, readLimit: limit)
        #expect(throws: ReadError.tookTooLong(limit: limit)) { try readers.read { try $0.readForever() } }
        #expect(try readers.read { try $0.firstRow("SELECT 1") { $0.integer(0) } } == 1)
    }

    @Test("A query that continues after a cancellation is cancelled again", .onlyPostgreSQL)
    func survivingQuery() throws {
        let fixture = try StoreFixture.lists()
        let query = """
            DO $$ BEGIN
                BEGIN PERFORM pg_sleep(600); EXCEPTION WHEN query_canceled THEN NULL; END;
                PERFORM pg_sleep(600);
            END $$
            """
        let limit: Duration = .milliseconds(200)
        #expect(throws: ReadError.tookTooLong(limit: limit)) {
            try fixture.readers.read(within: limit) { try $0.rows(query) { $0.integer(0) } }
        }
    }

    @Test("A read that times out ends its transaction")
    func interruptedTransactions() async throws {
        let fixture = try StoreFixture.lists()
        // SQLite checks the time after a number of steps of a statement. One of these reads times out during its
        // ROLLBACK.
        for _ in 0..<8_000 {
            #expect(throws: (any Error).self) {
                try fixture.readers.read(within: .zero) { connection in
                    try connection.snapshot { throw PageRequestError.notSortable(model: "", property: "") }
                }
            }
        }
        // A connection in a transaction of before would not see the record.
        try await fixture.insert(Animal(name: "Okapi"))
        for _ in 0..<16 { #expect(try await fixture.count(Animal.self) == 1) }
    }

    @Test("A timeout does not interrupt the ROLLBACK of a read")
    func rollbackOfInterruptedRead() throws {
        let fixture = try StoreFixture.lists()
        let reader = try Reader(fixture.directory, engine: StoreEngines.standard)
        defer { withExtendedLifetime(fixture) { reader.connection.close() } }
        for _ in 0..<8_000 {
            #expect(throws: (any Error).self) {
                try reader.read(within: .zero) { connection in
                    try connection.snapshot { throw PageRequestError.notSortable(model: "", property: "") }
                }
            }
            try #require(!reader.connection.isInTransaction)
        }
    }

    @Test("A connection that a read left in a transaction is not used again")
    func openTransaction() throws {
        let fixture = try StoreFixture.lists()
        // The read's own transaction ends with an error then.
        #expect(throws: EngineError.self) { try fixture.readers.read { try $0.run("COMMIT") } }
        #expect(throws: PageRequestError.self) {
            try fixture.readers.read { connection in
                try connection.run("COMMIT")
                try connection.run("BEGIN")
                throw PageRequestError.notSortable(model: "", property: "")
            }
        }
        let one = try fixture.readers.read { connection in
            try connection.snapshot { try connection.firstRow("SELECT 1") { $0.integer(0) } }
        }
        #expect(one == 1)
    }

    @Test("A nested read gets its own connection without waiting")
    func nestedReaders() throws {
        let fixture = try StoreFixture.lists()
        func nest(_ depth: Int) throws -> Int {
            try fixture.readers.read { connection in
                try connection.snapshot { depth == 0 ? 0 : try nest(depth - 1) + 1 }
            }
        }
        #expect(try nest(20) == 20)
    }

    @Test("A closed pool rejects reads")
    func closedPool() async throws {
        let fixture = try StoreFixture.lists()
        fixture.readers.close()
        await #expect(throws: EngineError.self) { try await fixture.count(Animal.self) }
    }

    @Test("A page read during concurrent commits has a total that matches its records")
    func snapshot() async throws {
        let fixture = try StoreFixture.lists()
        async let writes: Void = {
            for number in 0..<60 { try await fixture.insert(Animal(name: "\(number)")) }
        }()
        let records = fixture.records(Animal.self)
        var last = 0
        while last < 60 {
            let order = ListOrder(property: "id", direction: .ascending)
            let page = try await records.page(PageRequest(sort: order, size: 1000))
            #expect(page.total == page.records.count)
            #expect(page.total >= last)
            last = page.total
            // A short read never suspends, and the writes need a thread, too.
            await Task.yield()
        }
        try await writes
    }
}
