import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Search for parts of any length")
struct TextPartTests {
    /// Texts whose comparison goes wrong if one of the ways folds, quotes or cuts differently.
    private static let pieces = [
        "a", "b", "ab", "A", "B", "ing", "ING", "x", "0", " ", "  ", "é", "e\u{301}", "É", "ß", "ss", "ſ", "İ", "ı",
        "Σ",
        "ς", "日本語", "日", "🐳", "👩‍👩‍👧", "\u{200D}", "\u{FE0F}", "\u{301}", "\u{903}", "\u{10FFFF}", "\u{FFFD}", "\u{FFFF}",
        "ZZ", "zz", "\"", "'", "’", "“", "-", "–", "%", "_", "*", "^", "(", ")", "{", "}", ":", "+", ".", ";", "--",
        "\\",
        "OR", "AND", "NOT", "NEAR(", "title:", "/*",
    ]
    private static let order = ListOrder(property: "id", direction: .ascending)

    private func text(_ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...8, using: &generator)).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }
            .joined()
    }

    /// Returns a part of 1 to 6 characters of one of the texts, or of a text of its own.
    private func part(of texts: [String], _ generator: inout SeededGenerator) -> String {
        let isOwn = Int.random(in: 0..<4, using: &generator) == 0
        let whole = isOwn ? text(&generator) : texts.randomElement(using: &generator) ?? ""
        let scalars = Array(whole.unicodeScalars)
        guard !scalars.isEmpty else { return "a" }
        let length = min(Int.random(in: 1...6, using: &generator), scalars.count)
        let start = Int.random(in: 0...(scalars.count - length), using: &generator)
        return String(String.UnicodeScalarView(scalars[start..<(start + length)]))
    }

    /// Indicates, without any SQL, whether each word occurs in one of the texts.
    private func holds(_ search: String, for page: LeafPage) -> Bool {
        let words = search.split(whereSeparator: \.isWhitespace).map { String($0).folded }.filter { !$0.isEmpty }
        return words.allSatisfy { word in
            word.spellings.contains { page.title.containsFolded($0) || page.text?.containsFolded($0) == true }
        }
    }

    private func page(
        _ condition: QueryExpression, _ way: ListPlan.AccessPath, of fixture: StoreFixture
    ) throws -> Set<UUID> {
        let records = fixture.records(LeafPage.self)
        let filterClause = try FilterClause(
            [condition], way, sortedBy: nil, of: records.table, fixture.readers.aids)
        let query = ListStatement(
            records.table, selection: "SELECT record.id FROM \(records.table.name) AS record", sortedBy: nil,
            filterClause: filterClause)
        let ids = try fixture.readers.read { connection in
            try connection.rows(
                query.sql(.all, upwards: true), query.parameters(.all, limit: 10_000)
            ) { $0.uuid(0) }
        }
        return Set(ids.compactMap(\.self))
    }

    @Test(
        "A walk, the text index and a fetch find exactly the texts that contain each word", arguments: [TestSeed.value])
    func parts(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let fixture = try StoreFixture.pages()
        let pages = (0..<120).map { _ in
            LeafPage(text(&generator), Bool.random(using: &generator) ? text(&generator) : nil)
        }
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: pages.map(\.insertion)))
        let texts = pages.flatMap { [$0.title, $0.text ?? ""] }
        let schema = LeafPage.schema
        var distinctive = 0, counted = 0
        for number in 0..<400 {
            let search = (0..<Int.random(in: 1...3, using: &generator)).map { _ in part(of: texts, &generator) }
                .joined(separator: " ")
            let condition = schema.searchExpression(for: search, in: schema.searchedProperties)
            let wanted = Set(pages.filter { holds(search, for: $0) }.map(\.id.uuid))
            if !wanted.isEmpty, wanted.count < pages.count / 2 { distinctive += 1 }
            for way in [ListPlan.AccessPath.walk, .collect(0)] {
                let found = try page(condition, way, of: fixture)
                #expect(found == wanted, "\(way), search \(number) for \(search.debugDescription), seed \(seed)")
            }
            if let found = TextSearch(condition, of: schema, fixture.readers.aids) {
                let sql = SearchTable.count(of: found, in: schema.name, upTo: 50, StoreEngines.standard.dialect)
                let count = try fixture.readers.read { try $0.firstRow(sql.text, sql.values) { Int($0.integer(0)) } }
                #expect(count == min(50, wanted.count), "count, search \(number) for \(search.debugDescription)")
                counted += 1
            }
            guard number % 10 == 0 else { continue }
            let fetched = Set(try await fixture.pages.search(search).map(\.id.uuid))
            #expect(fetched == wanted, "fetch, search \(number) for \(search.debugDescription), seed \(seed)")
        }
        // Searches that find nothing or nearly everything would prove little.
        #expect(distinctive > 100 && counted > 390, "\(distinctive), \(counted)")
    }

    @Test(
        "A short word uses the list of parts, unless a longer word of the same search uses the index",
        .onlySQLite("query plans of this form"),
        arguments: [("wh", [".parts"]), ("whale", [".words"]), ("wh ale", [".words"]), ("a b", [".parts"])])
    func plans(search: String, tables: [String]) throws {
        let fixture = try StoreFixture.pages(["title"])
        let records = fixture.records(LeafPage.self), schema = LeafPage.declared(searching: ["title"])
        let condition = schema.searchExpression(for: search, in: schema.searchedProperties)
        func plan(_ way: ListPlan.AccessPath) throws -> [String] {
            let filterClause = try FilterClause(
                [condition], way, sortedBy: nil, of: records.table, fixture.readers.aids)
            let sql = "SELECT id FROM \(records.table.name) AS record WHERE \(filterClause.text)"
            return try fixture.readers.read { connection in
                try connection.rows("EXPLAIN QUERY PLAN " + sql, filterClause.values) { $0.text(3) ?? "" }
            }.filter { $0.contains("VIRTUAL TABLE") }
        }
        #expect(try plan(.walk).isEmpty)
        let lines = try plan(.collect(0))
        #expect(!lines.isEmpty && lines.allSatisfy { line in tables.contains { line.contains("LeafPage\($0)") } })
    }

    @Test(
        "A text with many places of a short part is compared with the other parts once",
        .onlySQLite("its list of parts"))
    func comparedOnce() async throws {
        let fixture = try StoreFixture.pages()
        let page = LeafPage("e" + String(repeating: "xe", count: 50) + " q")
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: [page.insertion]))
        let table = try #require(SearchTable(LeafPage.schema, StoreEngines.standard.dialect))
        let search = TextSearch.all([.part("e", column: "title"), .part("q", column: "title")])
        let queries = table.dialect.keys(of: search, in: table.index)
        let keys = try fixture.readers.read { connection in
            try queries.flatMap { try connection.rows($0.text, $0.values) { $0.integer(0) } }
        }
        #expect(keys.count == 1)
    }

    @Test("Short words beside more long parts than one search of the index may have are compared, not listed")
    func manyParts() throws {
        let fixture = try StoreFixture.pages()
        let table = fixture.records(LeafPage.self).table
        func contains(_ part: String) -> QueryExpression {
            .contains(.folded(.property("title")), part: .constant(.text(part)))
        }
        let condition = QueryExpression.and(.any((0..<101).map { contains("part \($0)") }), contains("e"))
        let filterClause = try FilterClause([condition], .collect(0), sortedBy: nil, of: table, fixture.readers.aids)
        #expect(!filterClause.text.contains(SearchTable.partsSuffix))
    }

    @Test(
        "One statement of the index finds the records of all words, however frequent each is",
        .onlySQLite("query plans of this form"), arguments: ["whale shark", "whale shark wh", "wh ale sh rk"])
    func oneStatement(search: String) throws {
        let fixture = try StoreFixture.pages()
        let table = fixture.records(LeafPage.self).table, schema = LeafPage.schema
        let condition = schema.searchExpression(for: search, in: schema.searchedProperties)
        let filterClause = try FilterClause([condition], .collect(0), sortedBy: nil, of: table, fixture.readers.aids)
        let plan = try fixture.readers.read { connection in
            try connection.rows(
                "EXPLAIN QUERY PLAN SELECT id FROM \(table.name) AS record WHERE \(filterClause.text)",
                filterClause.values
            ) { $0.text(3) ?? "" }
        }
        #expect(plan.count { $0.contains("VIRTUAL TABLE") } == 1, "\(plan)")
    }

    @Test(
        "A list answers a search of any length even if neither a count nor a walk completes in time",
        arguments: ["e", "wh", "hal", "whale", "e whale", "w 7"])
    func answered(search: String) async throws {
        let fixture = try StoreFixture.pages()
        let pages = (0..<300).map { LeafPage($0 < 200 ? "shark \($0)" : "whale \($0)") }
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: pages.map(\.insertion)))
        var records = fixture.records(LeafPage.self)
        records.pageLimits = PageLimits(page: .zero, plan: .zero, walk: .zero, collection: Patience.bound)
        let schema = LeafPage.schema
        let condition = schema.searchExpression(for: search, in: schema.searchedProperties)
        let page = try await records.page(PageRequest(sort: Self.order, size: 20, conditions: [condition]))
        let wanted = pages.filter { holds(search, for: $0) }.map(\.id.uuid)
        #expect(!wanted.isEmpty && wanted.count < 300)
        #expect(Set(page.records.map(\.id)).isSubset(of: wanted) && page.records.count == min(20, wanted.count))
        #expect(page.matches == .exactly(wanted.count))
    }
}
