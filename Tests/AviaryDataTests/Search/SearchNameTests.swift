import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Text indexes of properties with names of the index's own columns")
struct SearchNameTests {
    /// A model of which each searched property has the name of a column of the search table or of FTS5.
    private struct Invoice: Model {
        var id = RecordID<Invoice>()
        var number: String
        var rank: String?
        var term = ""

        static let schema = declared(searching: ["number", "Rank", "term"])

        static func declared(searching: Set<String>) -> ModelSchema {
            func attributes(_ name: String) -> Set<AttributeOption> { searching.contains(name) ? [.fullText] : [] }
            return ModelSchema(
                Invoice.self,
                [
                    .init(\.number, "number", attributes: attributes("number")),
                    .init(\.rank, "Rank", attributes: attributes("Rank")),
                    .init(\.term, "term", attributes: attributes("term")),
                ])
        }

        init(_ number: String, _ rank: String? = nil, term: String = "") {
            self.number = number
            self.rank = rank
            self.term = term
        }

        init(from reader: inout FieldReader) throws {
            id = try reader.next("id")
            number = try reader.next("number")
            rank = try reader.next("Rank")
            term = try reader.next("term")
        }

        func bind(to writer: inout FieldWriter) {
            writer.bind(number)
            writer.bind(rank)
            writer.bind(term)
        }
    }

    private func open(
        searching: Set<String> = ["number", "Rank", "term"], in temporary: TemporaryDirectory = TemporaryDirectory()
    ) throws -> StoreFixture {
        try StoreFixture(Schema([Invoice.declared(searching: searching)]), in: temporary)
    }

    private func numbers(_ fixture: StoreFixture, _ search: String) async throws -> [String] {
        try await fixture.repository(Invoice.self).search(search).map(\.number).sorted()
    }

    private func problems(_ fixture: StoreFixture) async throws -> [String] {
        try await DataCheck(data: fixture.directory.path, schema: fixture.schema, history: HistoryPolicy()).run()
            .problems
    }

    private func columns(_ fixture: StoreFixture) throws -> [String] {
        try fixture.readers.read { try $0.columnNames(ofTable: "aviary_search.Invoice") }
    }

    @Test("Their texts are found by parts of any length, before and after a change")
    func searched() async throws {
        let fixture = try open()
        let first = Invoice("A-1700", "Gold", term: "net 30"), second = Invoice("B-1800", "Silver", term: "at once")
        try await fixture.insert(first, second)
        for (part, found) in [
            ("1700", "A-1700"), ("b-", "B-1800"), ("gold", "A-1700"), ("lv", "B-1800"), ("g", "A-1700"),
            ("net", "A-1700"), ("on", "B-1800"),
        ] {
            #expect(try await numbers(fixture, part) == [found], "\(part)")
        }
        let part = "17"
        let exact = try await fixture.repository(Invoice.self).fetchIdentifiers(
            FetchDescriptor(predicate: #Predicate { $0.number.localizedStandardContains(part) }))
        #expect(exact == [first.id])
        try await fixture.repository(Invoice.self).update(first.id) {
            $0.number = "C-1900"; $0.rank = nil
        }
        #expect(try await numbers(fixture, "gold").isEmpty)
        #expect(try await numbers(fixture, "c-1") == ["C-1900"])
        try await fixture.repository(Invoice.self).delete(id: second.id)
        #expect(try await numbers(fixture, "silver").isEmpty)
        #expect(try await problems(fixture) == [])
    }

    @Test("The file has their index as the program would create it: it is not built again")
    func opened() async throws {
        let temporary = TemporaryDirectory(), fixture = try open(in: temporary)
        try await fixture.insert(Invoice("A-1700", "Gold"))
        #expect(try columns(fixture) == ["number", "id", "aviary_number", "aviary_Rank", "term"])
        let plan = try DerivedMigration.planned(
            for: fixture.schema, sortIndexes: [], .none, in: fixture.directory)
        #expect(plan?.kind == SchemaDifference.Kind.none)
    }

    @Test(
        "A property with another name keeps the column of its name", arguments: ["term", "docid", "content", "numbers"])
    func unchanged(name: String) {
        #expect(SearchColumn.columnName(of: name) == name)
    }

    @Test("A store gets and loses the index of such a property later")
    func migrated() async throws {
        let temporary = TemporaryDirectory()
        for searching in [[], ["term"], ["term", "number"], ["term", "number", "Rank"], ["Rank"], []] as [Set<String>] {
            let fixture = try open(searching: searching, in: temporary)
            if try await fixture.count(Invoice.self) == 0 {
                try await fixture.insert(Invoice("A-1700", "Gold", term: "net 30"))
            }
            // A model without searched properties has no condition.
            for (property, part) in searching.isEmpty ? [] : [("number", "1700"), ("Rank", "gold"), ("term", "net")] {
                let model = fixture.schema.models[0]
                let query = RecordQuery(
                    condition: model.searchExpression(for: part, in: model.searchedProperties))
                let found = try await fixture.records(Invoice.self).identifiers(query).count
                #expect((found > 0) == searching.contains(property), "\(searching) \(part)")
            }
            #expect(try await problems(fixture) == [])
            await fixture.store.close()
            fixture.readers.close()
        }
    }

    @Test("A property with such a name is added to a store, with its index")
    func added() async throws {
        let store = try MigratedStore(from: .made(.made("name", .string, fullText: true)))
        _ = try await store.insert(["name": .text("Okapi")])
        let new = try Schema.made(
            .made("name", .string, fullText: true),
            .made("number", .string, fullText: true, default: .text("17")),
            .made("rank", .string, optional: true, fullText: true))
        #expect(try store.plan(new).kind == .additive)
        await (try await store.open(new)).close()
        #expect(try store.plan(new).kind == .none && store.problems() == [])
        let texts = try store.read {
            try $0.rows(#"SELECT name, aviary_number, aviary_rank FROM "aviary_search.Animal""#) { $0.values(0..<3) }
        }
        #expect(texts == [[.text(TestEngine.indexed("okapi")), .text(TestEngine.indexed("17")), .null]])
    }

    @Test(
        "A check reports their texts when they differ, and a repair builds their index again",
        .onlySQLite("a repair of its file"))
    func repaired() async throws {
        let temporary = TemporaryDirectory(), fixture = try open(in: temporary)
        try await fixture.insert(Invoice("A-1700", "Gold"))
        try await fixture.store.configure {
            try $0.run(#"UPDATE "aviary_search.Invoice" SET aviary_number = 'b'"#)
        }
        #expect(try await problems(fixture).count == 1)
        await fixture.store.close()
        fixture.readers.close()
        _ = try StoreRepair(of: DataDirectory(path: temporary.path), schema: fixture.schema, sortIndexes: [])
            .run(isDry: false, at: Date())
        let again = try open(in: temporary)
        #expect(try await numbers(again, "1700") == ["A-1700"])
        #expect(try await problems(again) == [])
    }
}
