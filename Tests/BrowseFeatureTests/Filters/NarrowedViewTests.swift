import AviaryDesign
import Foundation
import Testing

@testable import AviaryDomain
@testable import BrowseFeature

@Suite("A narrowed list as a page")
struct NarrowedViewTests {
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

    @Test("A search that would take too long says how to narrow it, and shows no rows and no wrong number")
    func tooMuch() async throws {
        await okapi.makeTooMuch()
        let page = try await html("q=a", okapi)
        #expect(page.contains("Too many records to search"))
        #expect(page.contains("Remove </span><bdi>Search: “a”"))
        #expect(page.contains(#"name="q" value="a""#))
        #expect(!page.contains("<table"))
        #expect(!page.contains("No animals"))
    }

    @Test("Without search and filters the same is an error like others")
    func tooMuchOfAll() async throws {
        await okapi.makeTooMuch()
        #expect(try await html("", okapi).contains("Couldn’t load"))
    }

    @Test("Words and values of an address stay text wherever the page shows them")
    func escaping() async throws {
        let hostile = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E%27%20x%3D%22"
        let page = try await html(
            "q=\(hostile)&panel=filters&find.category=\(hostile)",
            RecordsInMemory(FilterAddressTests.configuration.schema))
        #expect(!page.contains("<script"))
        #expect(page.contains("&lt;script&gt;"))
    }

    @Test("Beside the name stands how many are found, and of how many; without a search how many there are")
    func header() async throws {
        #expect(try await html("q=oka", okapi).contains(#"data-count="1" data-matching>1 of 1</span>"#))
        #expect(try await html("", okapi).contains(#"data-count="1">1</span>"#))
    }

    @Test("A chip leads to the list without it, and keeps the others")
    func chips() async throws {
        let page = try await html("q=kom&filter.diet=carnivorous&sort=-name", okapi)
        #expect(page.contains(#"<a class="chip" href="/admin/animals?filter.diet=carnivorous&amp;sort=-name">"#))
        #expect(page.contains(#"<a class="chip" href="/admin/animals?q=kom&amp;sort=-name">"#))
    }

    @Test("The panel offers what each filter is made of, and carries the search and the order along")
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

    @Test("A range that ends before it begins says so with both ends, and leads to what was meant")
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

    @Test("Who may not delete is offered no way to delete all")
    func viewer() async throws {
        let viewer = Principal.with(.allow([.view], onModelNamed: "Animal"))
        #expect(try await !html("q=kom", okapi, principal: viewer).contains("do=delete"))
        #expect(try await html("q=kom", okapi).contains("do=delete&amp;all=1&amp;return=q%3Dkom"))
    }
}
