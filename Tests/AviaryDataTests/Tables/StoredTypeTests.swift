import AllTypesModel
import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Storage of every property type")
struct StoredTypeTests {
    private static let sorted = [
        "int8", "uint64", "float", "price", "mass", "page", "grade", "maybePrice", "maybeGrade",
    ]

    private func fixture(in temporary: TemporaryDirectory = TemporaryDirectory()) throws -> StoreFixture {
        try StoreFixture(
            Schema([Exhibit.schema]), sortIndexes: Self.sorted.map { SortIndex(model: "Exhibit", property: $0) },
            in: temporary)
    }

    @Test("The table is strict, and each value has the storage class of its type", .onlySQLite("strict tables"))
    func columnTypes() async throws {
        let fixture = try fixture()
        try await fixture.insert(Exhibit.greatest)
        try fixture.readers.read { connection in
            let sql =
                try connection.firstRow("SELECT sql FROM sqlite_schema WHERE name = 'Exhibit'") { $0.text(0) ?? "" }
                ?? ""
            #expect(sql.hasSuffix("STRICT"))
            for property in Exhibit.schema.storedProperties {
                let kind = try connection.firstRow("SELECT typeof(\"\(property.name)\") FROM Exhibit") {
                    $0.text(0) ?? ""
                }
                let expected =
                    switch property.type.storage {
                    case .integer: "integer"
                    case .real: "real"
                    case .text: "text"
                    case .blob: "blob"
                    }
                #expect(kind == expected, "\(property.name)")
            }
        }
    }

    @Test(
        "Values are encoded as the file format describes",
        arguments: [
            ("uint64", "9223372036854775807"), ("price", "9223372036854775807"), ("found", "9999-12-31T23:59:59.999Z"),
            ("grade", "7"), ("flag", "1"), ("tags", #"["two\nlines",""," blank ","[","é"]"#),
            ("sizes", "[9223372036854775.807,0.001]"),
            ("kinds", #"["bone","feather","eggShell"]"#), ("colours", #"["green","red","é"]"#),
            (
                "label",
                #"{"grade":7,"next":[{"grade":0,"next":[{"grade":0,"next":[],"text":"b"}],"text":"a"}],"text":"/"}"#
            ),
            ("page", "https://user@example.com:8443/a%20b/?q=1&r=%C3%A9#part"),
        ])
    func encodings(property: String, text: String) async throws {
        let fixture = try fixture()
        try await fixture.insert(Exhibit.greatest)
        let stored = try fixture.readers.read { connection in
            try connection.firstRow("SELECT CAST(\"\(property)\" AS TEXT) FROM \"Exhibit\"") { $0.text(0) }
        }
        #expect(stored == text)
    }

    @Test(
        "A round trip preserves default, least and greatest values",
        arguments: [Exhibit(), .least, .greatest])
    func roundTrip(exhibit: Exhibit) async throws {
        let fixture = try fixture()
        try await fixture.insert(exhibit)
        let repository = Repository<Exhibit>(fixture.records(Exhibit.self), author: "test")
        #expect(try await repository.find(exhibit.id) == exhibit)
    }

    @Test("Empty data is not null")
    func emptyBlob() async throws {
        let fixture = try fixture()
        var exhibit = Exhibit()
        exhibit.maybeImage = Data()
        try await fixture.insert(exhibit)
        let repository = Repository<Exhibit>(fixture.records(Exhibit.self), author: "test")
        #expect(try await repository.find(exhibit.id)?.maybeImage == Data())
    }

    @Test("The store rejects values that cannot be stored and names their properties")
    func refused() async throws {
        let fixture = try fixture()
        var exhibit = Exhibit()
        exhibit.uint64 = .max
        exhibit.maybeFound = Date(timeIntervalSince1970: 1e12)
        let refusal = await fixture.refusal(exhibit.insertion)
        guard case .invalid("Exhibit", let problems) = refusal?.reason else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(problems.map(\.property) == ["uint64", "maybeFound"])
        #expect(try await fixture.count(Exhibit.self) == 0)
    }

    @Test("A list is sorted by value in both directions and across pages", arguments: sorted)
    func order(property: String) async throws {
        let fixture = try fixture()
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<40 { try await fixture.insert(Exhibit.random(using: &generator)) }
        let records = fixture.records(Exhibit.self)
        for order in [
            ListOrder(property: property, direction: .ascending), ListOrder(property: property, direction: .descending),
        ] {
            let expected = ListOracle(order, in: Exhibit.schema).sorted(try await records.fetchAll()).map(\.id)
            var found: [UUID] = []
            var cursor: PageCursor?
            repeat {
                let page = try await records.page(PageRequest(sort: order, cursor: cursor, size: 7))
                found += page.records.map(\.id)
                cursor = page.next.map(PageCursor.after)
            } while cursor != nil && found.count <= 40
            #expect(found == expected)
        }
    }

    @Test("A snapshot restores least, greatest and random values")
    func snapshot() async throws {
        let fixture = try fixture()
        var generator = SeededGenerator(seed: 11)
        try await fixture.insert(Exhibit(), Exhibit.least, Exhibit.greatest)
        var exhibits: [Exhibit] = []
        for _ in 0..<200 { exhibits.append(Exhibit.random(using: &generator)) }
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: exhibits.map(\.insertion)))
        let snapshots = SQLSnapshotRepository(
            data: fixture.directory.path, app: "Museum", schema: fixture.schema, sortIndexes: [],
            runningStore: { fixture.store })
        let path = try await snapshots.create(at: .standard, level: 1).path ?? ""
        let other = TemporaryDirectory()
        _ = try await SQLSnapshotRepository(data: other.path, app: "Museum", schema: fixture.schema, sortIndexes: [])
            .restore(from: path)
        #expect(try contents(of: fixture.directory.path, onlyRecords: true).count == 203)
        #expect(
            try contents(of: fixture.directory.path, onlyRecords: true) == contents(of: other.path, onlyRecords: true))
        let restored = Repository<Exhibit>(try self.fixture(in: other).records(Exhibit.self), author: "test")
        for exhibit in exhibits { #expect(try await restored.find(exhibit.id) == exhibit) }
    }

    @Test("An undo restores values of every type unchanged")
    func undo() async throws {
        let fixture = try fixture()
        let exhibit = Exhibit.greatest
        try await fixture.insert(exhibit)
        var changed = Exhibit.least
        changed.id = exhibit.id
        let version = try #require(try await fixture.find(exhibit)?.version)
        let receipt = try await fixture.submit(changed.update(from: version))
        _ = try await fixture.store.undo(Undo(commit: receipt.commit, author: "test"))
        let repository = Repository<Exhibit>(fixture.records(Exhibit.self), author: "test")
        #expect(try await repository.find(exhibit.id) == exhibit)
        let deletion = try await fixture.submit(exhibit.deletion)
        _ = try await fixture.store.undo(Undo(commit: deletion.commit, author: "test"))
        #expect(try await repository.find(exhibit.id) == exhibit)
    }

    @Test("The store rejects JSON that its type cannot decode and names the property")
    func unreadable() async throws {
        let fixture = try fixture()
        let exhibit = Exhibit()
        try await fixture.insert(exhibit)
        let record = try #require(try await fixture.find(exhibit))
        // The value represents the output of another program.
        let refusal = await fixture.refusal(
            .update(
                model: "Exhibit", id: exhibit.id.uuid, version: record.version,
                values: ["origin": .text(#"{"land":1}"#)]))
        guard case .invalid(_, let problems) = refusal?.reason else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(problems == [FieldProblem(property: "origin", message: "This JSON doesn’t fit: country is missing.")])
    }
}
