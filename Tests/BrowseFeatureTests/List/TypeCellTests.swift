import AllTypesModel
import AviaryDesign
import AviaryDomain
import BrowseFeature
import Foundation
import Testing

@Suite("List cells for every type")
struct TypeCellTests {
    @Test(
        "The greatest values are formatted for reading",
        arguments: [
            ("uint64", "9,223,372,036,854,775,807"), ("int8", "127"), ("price", "92,233,720,368,547,758.07"),
            ("mass", "9,223,372,036,854.775807"), ("image", "65,536 bytes"), ("maybeImage", "3 bytes"),
            ("page", #"<a href="https://user@example.com:8443/a%20b/?q=1&amp;r=%C3%A9#part">"#),
            ("maybePage", "<bdi>mailto:ada@example.com</bdi>"), ("grade", "Good"), ("maybeGrade", "Poor"),
            ("kinds", "Bone, Feather, Egg shell"), ("tags", " blank  and 2 more"), ("maybeTags", "plain, words"),
            ("sizes", "9,223,372,036,854,775.807, 0.001"), ("label", "<bdi>Text: /, Grade: Good, Next: {…}</bdi>"),
            ("day", "31 Dec 9999"),
        ])
    func shown(property: String, text: String) async throws {
        #expect(try await cell(property, of: .greatest).contains(text))
    }

    @Test(
        "A null or empty value gives an empty cell",
        arguments: ["maybeImage", "maybePage", "maybeGrade", "maybeTags", "maybeLabel", "tags"])
    func empty(property: String) async throws {
        #expect(try await cell(property, of: Exhibit()).contains(#"<td class="none"#))
    }

    @Test("A URL with an unsafe scheme is not a link")
    func unsafe() async throws {
        var exhibit = Exhibit()
        exhibit.page = try #require(URL(string: "javascript:alert(1)"))
        let html = try await cell("page", of: exhibit)
        #expect(html.contains("<bdi>javascript:alert(1)</bdi>") && !html.contains(#"href="javascript"#))
    }

    @Test("Data, JSON, lists and references cannot be sorted")
    func sortable() {
        let names = Exhibit.schema.storedProperties.map(\.name)
        let sortable = ModelConfiguration(schema: Exhibit.schema, columns: names).sortableColumns
        #expect(
            Set(names).subtracting(sortable) == [
                "image", "origin", "label", "tags", "sizes", "kinds", "labels", "colours", "maybeImage", "maybeOrigin",
                "maybeLabel",
                "maybeTags", "parent",
            ])
    }

    /// Returns the rendered list that has one row, with the text and this property.
    private func cell(_ property: String, of exhibit: Exhibit) async throws -> String {
        let values = Exhibit.schema.storedProperties.map { exhibit.fieldValues[$0.name] ?? .null }
        let record = Record(id: exhibit.id.uuid, version: 1, values: values)
        var list = try ListViewModel(
            configuration: ModelConfiguration(schema: Exhibit.schema, columns: ["text", property]),
            query: ListQuery(sort: ListOrder(property: "text", direction: .ascending), size: 50),
            repository: RecordsInMemory(Exhibit.schema, [record]), principal: .ada
        )
        await list.load()
        var html = HTML()
        html.render(ListView(model: list))
        return String(decoding: html.bytes, as: UTF8.self)
    }
}
