import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Full-text search")
struct SearchTests {
    @Test("A search finds parts of words in any searched property, ignoring case and diacritics")
    func found() async throws {
        let fixture = try StoreFixture.pages()
        try await fixture.insert(
            LeafPage("Moby-Dick", "Call me Ishmael."), LeafPage("Éléphants"),
            LeafPage("Straße", "of \"quotes\" and 100%"),
            LeafPage("Plain", nil, mark: "Ishmael")
        )
        #expect(try await fixture.titles("shma") == ["Moby-Dick"])
        #expect(try await fixture.titles("ELEPHANT") == ["Éléphants"])
        #expect(try await fixture.titles("e\u{301}le") == ["Éléphants"])
        #expect(try await fixture.titles("strasse") == ["Straße"])
        #expect(try await fixture.titles("\"quotes\"") == ["Straße"])
        #expect(try await fixture.titles("100%") == ["Straße"])
        #expect(try await fixture.titles("whale").isEmpty)
    }

    @Test(
        "A search treats all forms of apostrophes, quotes and dashes as equal",
        arguments: [
            ("Sinéad O'Brien", "o’brien"), ("Sinéad O’Brien", "O'BRIEN"), ("Hawaiʼi", "hawai'i"), ("D´Arcy", "d'arcy"),
            ("the \"whale\"", "“whale”"), ("the „whale“", "\"whale\""), ("Moby\u{2011}Dick", "moby-dick"),
            ("1850–1860", "1850-1860"),
            ("1850-1860", "1850—1860"), ("rock ’n’ roll", "'n'"),
        ])
    func marks(title: String, words: String) async throws {
        let fixture = try StoreFixture.pages()
        try await fixture.insert(LeafPage(title), LeafPage("another"))
        #expect(try await fixture.titles(words) == [title])
    }

    @Test("A search requires each word, including short words, in any order and property")
    func several() async throws {
        let fixture = try StoreFixture.pages()
        try await fixture.insert(LeafPage("Moby-Dick", "Call me Ishmael."), LeafPage("Moby", "a musician"))
        #expect(try await fixture.titles("ishmael moby") == ["Moby-Dick"])
        #expect(try await fixture.titles("mo us") == ["Moby"])
        #expect(try await fixture.titles("a") == ["Moby", "Moby-Dick"])
        #expect(try await fixture.titles("moby zz").isEmpty)
        #expect(try await fixture.titles(" ") == ["Moby", "Moby-Dick"])
    }

    @Test(
        "The query syntax of the index is searched as plain text",
        arguments: ["a\"b", "title : foo", "NEAR(foo bar)", "foo*", "-foo", "^foo", "foo OR bar", "'''", "((("])
    func syntax(words: String) async throws {
        let fixture = try StoreFixture.pages()
        try await fixture.insert(LeafPage("before \(words) behind"), LeafPage("foo"), LeafPage("bar"))
        #expect(try await fixture.titles(words).contains("before \(words) behind"))
    }

    @Test(
        "A quotation mark with a combining mark does not end the searched phrase",
        arguments: ["\u{200D}", "\u{FE0F}", "\u{0903}"])
    func combiningMarks(mark: String) async throws {
        let fixture = try StoreFixture.pages()
        let words = "say\"\(mark)OR\"\(mark)title"
        try await fixture.insert(LeafPage("I \(words) it"), LeafPage("another title"))
        #expect(try await fixture.titles(words) == ["I \(words) it"])
    }

    @Test("A search can be combined with a predicate, a sort order, pages and a count")
    func combined() async throws {
        let fixture = try StoreFixture.pages()
        for number in 0..<20 {
            try await fixture.insert(LeafPage("whale \(number)", mark: number % 2 == 0 ? "even" : "odd"))
        }
        try await fixture.insert(LeafPage("shark", mark: "even"))
        var descriptor = FetchDescriptor<LeafPage>(
            predicate: #Predicate { $0.mark == "even" }, sortBy: [SortDescriptor(\.title, order: .reverse)])
        descriptor.search = "hal"
        #expect(try await fixture.pages.fetchCount(descriptor) == 10)
        descriptor.fetchLimit = 4
        let first = try await fixture.pages.fetchPage(descriptor)
        #expect(first.records.map(\.title) == ["whale 8", "whale 6", "whale 4", "whale 2"])
        #expect(try await fixture.pages.fetchPage(descriptor, after: first.next).records.first?.title == "whale 18")
    }

    @Test("Searching a model without searched properties throws an error with advice")
    func undeclared() async throws {
        let fixture = try await StoreFixture.creatures([])
        let error = await #expect(throws: QueryError.self) { try await fixture.repository(Creature.self).search("a") }
        #expect(error?.advice.contains(".fullText") == true)
    }

    @Test(
        "A search and localizedStandardContains use the index except for short words",
        .onlySQLite("query plans of this form"))
    func plans() throws {
        let fixture = try StoreFixture.pages()
        var descriptor = FetchDescriptor<LeafPage>()
        descriptor.search = "whale"
        #expect(try plan(descriptor, in: fixture).contains { $0.contains("VIRTUAL TABLE") })
        descriptor = FetchDescriptor(predicate: #Predicate { $0.title.localizedStandardContains("whale") })
        #expect(try plan(descriptor, in: fixture).contains { $0.contains("VIRTUAL TABLE") })
        descriptor = FetchDescriptor(
            predicate: #Predicate {
                $0.title.localizedStandardContains("wh") || $0.mark.localizedStandardContains("whale")
            })
        #expect(try !plan(descriptor, in: fixture).contains { $0.contains("VIRTUAL TABLE") })
    }

    private func plan(_ descriptor: FetchDescriptor<LeafPage>, in fixture: StoreFixture) throws -> [String] {
        let sql = try FetchSQL(
            descriptor.query(), of: fixture.records(LeafPage.self).table, fixture.readers.aids, selecting: "id")
        return try fixture.readers.read { connection in
            try connection.rows("EXPLAIN QUERY PLAN " + sql.text, sql.values) { $0.text(3) ?? "" }
        }
    }
}
