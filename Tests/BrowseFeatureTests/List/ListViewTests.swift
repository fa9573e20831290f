import AviaryDesign
import AviaryDomain
import BrowseFeature
import Foundation
import Testing

@Suite("Rendering a list")
struct ListViewTests {
    private static let marked = "\"\u{301}"
    private static let hostile = #"<script>alert("1")</script>' onmouseover='x" "# + marked

    @Test("Values, reference titles and names are escaped")
    func escaping() async throws {
        let html = try await render([animal(Self.hostile, category: Self.hostile)])
        #expect(!html.contains("<script"))
        #expect(!html.contains("' onmouseover='"))
        // A quotation mark that is followed by a combining mark must not end an attribute either.
        #expect(!html.utf8Contains(Self.marked))
        #expect(html.contains("&lt;script&gt;alert(&quot;1&quot;)"))
    }

    @Test("An unknown choice is shown as escaped text")
    func unknownChoice() async throws {
        let html = try await render([animal("Okapi", diet: "<b>frugivorous</b>")])
        #expect(html.contains("&lt;b&gt;frugivorous&lt;/b&gt;"))
        #expect(!html.contains("<b>"))
    }

    @Test("The link of the sorted column reverses the order, and the others sort by their column")
    func sortLinks() async throws {
        let html = try await render([animal("Okapi")])
        #expect(html.contains(#"href="/admin/animals?sort=-name""#))
        #expect(html.contains(#"href="/admin/animals?sort=diet""#))
        #expect(!html.contains("sort=category"))
    }

    @Test("In descending order, the link of the sorted column returns to the default order")
    func secondClick() async throws {
        let html = try await render([animal("Okapi")], sort: ListOrder(property: "name", direction: .descending))
        #expect(html.contains(#"href="/admin/animals""#))
        #expect(!html.contains(#"href="/admin/animals?sort=-name""#))
    }

    @Test("The link to the next page contains a cursor, and the last page has no such link")
    func nextPage() async throws {
        let two = [animal("Axolotl"), animal("Okapi")]
        #expect(try await render(two, size: 1).contains(#"/admin/animals?size=1&amp;after="#))
        #expect(try await !render(two, size: 2).contains("after="))
    }

    @Test("The total is exact even if the page shows only some rows")
    func total() async throws {
        let html = try await render([animal("Axolotl"), animal("Okapi"), animal("Newt")], size: 2)
        #expect(html.contains("2 of 3 animals"))
        #expect(html.contains(#"data-count="3""#))
        let german = try await Language.german.use {
            try await render([animal("Axolotl"), animal("Okapi"), animal("Newt")], size: 2)
        }
        #expect(german.contains("<span data-summary>3 animals, 2 angezeigt</span>"))
    }

    @Test("An empty list links to the form for a new record")
    func empty() async throws {
        let html = try await render([])
        #expect(html.contains("No animals yet"))
        #expect(html.contains(#"href="/admin/animals/new?fresh=1""#))
        #expect(!html.contains("<table"))
    }

    @Test(
        "A search without a result says which properties were searched, and how",
        arguments: [
            (
                Language.english, "In “Note”, the words are found anywhere.",
                "Only the beginning of “Name” is searched."
            ),
            (
                .german, "In „Note“ werden die Wörter an jeder Stelle gefunden.",
                "Von „Name“ wird nur der Anfang durchsucht."
            ),
        ])
    func searched(language: Language, words: String, beginning: String) async throws {
        let name = property("name", .string), note = property("note", .string, attributes: [.fullText])
        let schema = ModelSchema(name: "Animal", properties: [name, note])
        let configuration = ModelConfiguration(schema: schema, columns: ["name"], searched: [name, note])
        var list = try ListViewModel(
            configuration: configuration,
            query: ListQuery([FormField(name: "q", value: "JFK")], for: configuration),
            repository: RecordsInMemory(schema, []), principal: .ada)
        await list.load()
        let view = ListView(model: list)
        let text = await language.use {
            var html = HTML()
            html.render(view)
            return String(decoding: html.bytes, as: UTF8.self)
        }
        #expect(text.contains(words) && text.contains(beginning))
    }

    @Test("The title of an application's model is searched anywhere, and the page says so")
    func searchedTitle() async throws {
        let schema = ModelSchema(
            name: "Animal", properties: [property("name", .string), property("note", .string)]
        ).indexingTitle()
        let configuration = ModelConfiguration(schema: schema, columns: ["name"], searched: schema.searchedProperties)
        var list = try ListViewModel(
            configuration: configuration,
            query: ListQuery([FormField(name: "q", value: "JFK")], for: configuration),
            repository: RecordsInMemory(schema, []), principal: .ada)
        await list.load()
        var html = HTML()
        html.render(ListView(model: list))
        let text = String(decoding: html.bytes, as: UTF8.self)
        #expect(text.contains("In “Name”, the words are found anywhere.") && !text.contains("Only the beginning"))
    }

    @Test("A list that cannot be read is not shown as an empty one")
    func unreadable() async throws {
        let html = try await render([animal("Okapi")], isReadable: false)
        #expect(html.contains("Couldn’t load"))
        #expect(!html.contains("No animals yet"))
    }

    @Test("A record without a name is labeled by its first values or by its position")
    func nameless() async throws {
        let loans = [FieldValue.text("2026-11-01"), .null].map {
            Record(id: .version7(), version: 1, values: [.null, .null, $0])
        }
        var list = try ListViewModel(
            configuration: ModelConfiguration(schema: Loan.schema, columns: ["borrowed", "wing"]),
            query: ListQuery(sort: ListOrder(property: "borrowed", direction: .ascending)),
            repository: RecordsInMemory(Loan.schema, loans), principal: .ada
        )
        await list.load()
        var html = HTML()
        html.render(ListView(model: list))
        let text = String(decoding: html.bytes, as: UTF8.self)
        #expect(text.contains(#"aria-label="Select loan (1 Nov 2026)""#))
        #expect(text.contains(/aria-label="Select loan [12] on this page"/))
        for loan in loans { #expect(!text.contains(/aria-label="[^"]*[0-9a-f]{8}-/), "\(loan.id)") }
    }

    private func render(
        _ records: [Record], sort: ListOrder = ListOrder(property: "name", direction: .ascending), size: Int = 50,
        isReadable: Bool = true, saved: UUID? = nil
    ) async throws -> String {
        var list = try ListViewModel(
            configuration: animals, query: ListQuery(sort: sort, size: size),
            repository: RecordsInMemory(animalSchema, records, isReadable: isReadable), principal: .ada
        )
        await list.load()
        var html = HTML()
        html.render(ListView(model: list, saved: saved))
        return String(decoding: html.bytes, as: UTF8.self)
    }
}

extension String {
    /// Compares bytes. A quotation mark with a combining mark is a different character.
    func utf8Contains(_ other: String) -> Bool {
        let (bytes, wanted) = (Array(utf8), Array(other.utf8))
        return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
    }
}
