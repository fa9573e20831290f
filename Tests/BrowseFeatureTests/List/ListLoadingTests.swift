import AviaryDomain
import BrowseFeature
import Foundation
import Testing

@Suite("Loading a list")
struct ListLoadingTests {
    @Test("A loaded list has its rows in order and no error")
    func load() async throws {
        var list = try list(RecordsInMemory(animalSchema, [animal("Okapi"), animal("Axolotl")]))
        await list.load()
        #expect(list.page?.records.map { $0.title(in: animalSchema) } == ["Axolotl", "Okapi"])
        #expect(list.errorMessage == nil)
    }

    @Test("A failed read gives an error message and no rows")
    func unreadable() async throws {
        var list = try list(RecordsInMemory(animalSchema, [animal("Okapi")], isReadable: false))
        await list.load()
        #expect(list.page == nil)
        #expect(list.errorMessage == "Couldn’t load the animals. Try again in a moment.")
    }

    @Test("A page whose rows were all deleted falls back to existing rows")
    func emptyAfterDeletes() async throws {
        let gone = KeysetPosition(value: .text("Zebra"), id: .version7())
        var list = try list(RecordsInMemory(animalSchema, [animal("Okapi")]), cursor: .after(gone))
        await list.load()
        #expect(list.page?.records.count == 1)
    }

    @Test("An empty list has no error")
    func empty() async throws {
        let gone = KeysetPosition(value: .text("Zebra"), id: .version7())
        var list = try list(RecordsInMemory(animalSchema), cursor: .after(gone))
        await list.load()
        #expect(list.page?.records.isEmpty == true)
        #expect(list.errorMessage == nil)
    }

    @Test("The address of a new record keeps the order of the list")
    func creation() throws {
        let list = try list(RecordsInMemory(animalSchema), sort: ListOrder(property: "diet", direction: .descending))
        #expect(list.startCreation() == "/admin/animals/new?fresh=1&sort=-diet")
    }

    private func list(
        _ records: RecordsInMemory, cursor: PageCursor? = nil,
        sort: ListOrder = ListOrder(property: "name", direction: .ascending)
    ) throws -> ListViewModel {
        try ListViewModel(
            configuration: animals, query: ListQuery(sort: sort, cursor: cursor), repository: records, principal: .ada
        )
    }
}
