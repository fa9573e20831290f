import Foundation
import Testing

@testable import AviaryDomain
@testable import BrowseFeature

@Suite("Columns of related records")
struct RelatedColumnTests {
    @Test("One read fetches a to-many column for all rows", arguments: [1, 50, 200])
    func reads(rows: Int) async throws {
        let records = RecordsInMemory(categorySchema, (0..<rows).map { category("\($0)") })
        var list = try ListViewModel(
            configuration: ModelConfiguration(schema: categorySchema, columns: ["name", "animals"]),
            query: ListQuery(sort: ListOrder(property: "name", direction: .ascending), size: 200), repository: records,
            principal: .ada
        )
        await list.load()
        #expect(list.page?.records.count == rows)
        #expect(await records.reads == ["page", "animals"])
        #expect(list.related["animals"]?.count == rows)
    }

    @Test("A hidden column is not read")
    func hidden() async throws {
        let records = RecordsInMemory(categorySchema, [category("a")])
        var list = try ListViewModel(
            configuration: ModelConfiguration(schema: categorySchema, columns: ["name", "animals"]),
            query: ListQuery(sort: ListOrder(property: "name", direction: .ascending)), repository: records,
            principal: .ada,
            chosenColumns: ["name"]
        )
        await list.load()
        #expect(await records.reads == ["page"])
        #expect(list.columns == ["name"])
    }

    @Test(
        "The chosen columns always include the first, and unknown names are ignored",
        arguments: [
            ([], ["name"]), (["diet"], ["name", "diet"]), (["legs", "wings", "name"], ["name", "legs"]),
            (["category", "diet"], ["name", "diet", "category"]),
        ])
    func choice(chosen: [String], shown: [String]) throws {
        let list = try ListViewModel(
            configuration: animals, query: ListQuery(sort: ListOrder(property: "name", direction: .ascending)),
            repository: RecordsInMemory(animalSchema), principal: .ada, chosenColumns: chosen
        )
        #expect(list.columns == shown)
    }

    @Test("A role that cannot view a model cannot filter by its records")
    func forbiddenFilter() throws {
        let configuration = ModelConfiguration(
            schema: animalSchema, columns: ["name"], filters: animalSchema.properties.compactMap { ListFilter($0) })
        let query = try ListQuery(
            [FormField(name: "filter.category", value: UUID.version7().canonicalText)], for: configuration)
        let principal = Principal.with(.allow([.view], onModelNamed: "Animal"))
        #expect(throws: AccessError.hidden) {
            try ListViewModel(
                configuration: configuration, query: query, repository: RecordsInMemory(animalSchema),
                principal: principal)
        }
        let list = try ListViewModel(
            configuration: configuration, query: ListQuery(sort: query.sort), repository: RecordsInMemory(animalSchema),
            principal: principal
        )
        #expect(list.filters.map(\.property) == ["diet", "legs"])
    }
}
