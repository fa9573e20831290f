import AviaryDesign
import Foundation
import Testing

@testable import AviaryDomain
@testable import BrowseFeature

@Suite("Rendering a filtered list")
struct FilteredViewTests {
    private func html(
        _ text: String, _ records: RecordsInMemory, principal: Principal = .ada
    ) async throws -> String {
        let fields = try FormEncoding.decode(text.utf8)
        var list = try ListViewModel(
            configuration: FilterAddressTests.configuration,
            query: ListQuery(fields, for: FilterAddressTests.configuration),
            repository: records, principal: principal, panel: ListPanel(fields),
            others: { _ in RecordsInMemory(categorySchema) }
        )
        await list.load()
        await list.loadPanel()
        var html = HTML()
        html.render(ListView(model: list, csrf: "token"))
        return String(decoding: html.bytes, as: UTF8.self)
    }

    private let okapi = RecordsInMemory(
        FilterAddressTests.configuration.schema,
        [
            Record(
                id: .version7(), version: 1,
                values: FilterAddressTests.configuration.schema.storedProperties.map {
                    $0.name == "name" ? .text("Okapi") : .null
                })
        ]
    )

    @Test("A search that takes too long shows advice, but no rows and no count")
    func tooMuch() async throws {
        await okapi.makeTooMuch()
        let page = try await html("q=a", okapi)
        #expect(page.contains("Too many records to search"))
        #expect(page.contains("Remove </span><bdi>Search: “a”"))
        #expect(page.contains(#"name="q" value="a""#))
        #expect(!page.contains("<table"))
        #expect(!page.contains("No animals"))
    }

    @Test("A read that takes too long without a search shows the general error")
    func tooMuchOfAll() async throws {
        await okapi.makeTooMuch()
        #expect(try await html("", okapi).contains("Couldn’t load"))
    }

    @Test("Text from the address is escaped")
    func escaping() async throws {
        let hostile = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E%27%20x%3D%22"
        let page = try await html(
            "q=\(hostile)&panel=filters&find.category=\(hostile)",
            RecordsInMemory(FilterAddressTests.configuration.schema))
        #expect(!page.contains("<script"))
        #expect(page.contains("&lt;script&gt;"))
    }

    @Test("The header shows the number of matches and the total")
    func header() async throws {
        #expect(try await html("q=oka", okapi).contains(#"data-count="1" data-matching>1 of 1</span>"#))
        #expect(try await html("", okapi).contains(#"data-count="1">1</span>"#))
    }

    @Test("German counts are the number of matches and of the records shown")
    func germanCounts() async throws {
        let one = try await Language.german.use { try await html("q=oka", okapi) }
        #expect(one.contains(" data-matching>1 von 1</span>"))
        #expect(one.contains("<span data-summary>1 Treffer</span>"))
    }

    @Test("A filter chip links to the list without that filter")
    func chips() async throws {
        let page = try await html("q=kom&filter.diet=carnivorous&sort=-name", okapi)
        #expect(page.contains(#"<a class="chip" href="/admin/animals?filter.diet=carnivorous&amp;sort=-name">"#))
        #expect(page.contains(#"<a class="chip" href="/admin/animals?q=kom&amp;sort=-name">"#))
    }

    @Test("The filter panel has a control for each filter and keeps search and order")
    func panel() async throws {
        let page = try await html("q=kom&sort=-name&panel=filters&filter.diet=carnivorous", okapi)
        #expect(page.contains(#"name="filter.diet" value="carnivorous" checked"#))
        #expect(page.contains(#"type="number" step="any" name="filter.legs.from""#))
        #expect(page.contains(#"type="date" name="filter.born.to""#))
        #expect(page.contains(#"name="filter.note.empty" value="0""#))
        #expect(
            page.contains(#"<input type="hidden" name="q" value="kom"><input type="hidden" name="sort" value="-name">"#)
        )
        // Only the search form next to the panel contains the filters as hidden fields. In the panel, they are the
        // editable fields.
        #expect(page.components(separatedBy: #"<input type="hidden" name="filter.diet""#).count == 2)
    }

    @Test("A relation's filter for records with a value has a ticked box in the panel")
    func hasValue() async throws {
        let page = try await html("panel=filters&filter.category.empty=0", okapi)
        #expect(
            page.contains(#"name="filter.category.empty" value="0" checked><bdi>Has a value</bdi>"#)
                && page.contains(#"name="filter.category.empty" value="1"><bdi>No value</bdi>"#))
        #expect(page.contains("<bdi>Category: has a value</bdi>"))
        let other = try await html("panel=filters", okapi)
        #expect(!other.contains(#"name="filter.category.empty" value="0""#))
    }

    @Test("A reversed range shows an error with a link that swaps its bounds")
    func reversedRange() async throws {
        let page = try await html("q=oka&filter.legs.from=8&filter.legs.to=2&panel=filters", okapi)
        #expect(page.contains("Legs: The start (8) is after the end (2), so nothing matches."))
        #expect(
            page.contains(#"href="/admin/animals?q=oka&amp;filter.legs.from=2&amp;filter.legs.to=8">Swap</a>"#))
        #expect(page.contains("Remove </span><bdi>Legs: 8 to 2"))
        #expect(
            page.contains(
                #"name="filter.legs.to" value="2" aria-invalid="true" aria-describedby="problem-filter.legs.from""#))
        #expect(page.contains(#"<p class="error" id="problem-filter.legs.from">"#))
        let other = try await html("filter.legs.from=2&filter.legs.to=8&panel=filters", okapi)
        #expect(!other.contains("is after the end") && !other.contains("aria-invalid"))
    }

    @Test("A role that cannot delete is not offered to delete all records")
    func viewer() async throws {
        let viewer = Principal.with(.allow([.view], onModelNamed: "Animal"))
        #expect(try await !html("q=kom", okapi, principal: viewer).contains("do=delete"))
        #expect(try await html("q=kom", okapi).contains("do=delete&amp;all=1&amp;return=q%3Dkom"))
    }
}
