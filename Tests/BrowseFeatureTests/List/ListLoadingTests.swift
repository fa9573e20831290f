import AviaryDomain
import BrowseFeature
import Foundation
import Testing

@Suite("A list loads its rows")
struct ListLoadingTests {
    @Test("A loaded list has its rows in order, and nothing to complain about")
    func load() async throws {
        var list = try list(RecordsInMemory(animalSchema, [animal("Okapi"), animal("Axolotl")]))
        await list.load()
        #expect(list.page?.records.map { $0.title(in: animalSchema) } == ["Axolotl", "Okapi"])
        #expect(list.errorMessage == nil)
    }

    @Test("What cannot be read is said in words, and no rows are shown")
    func unreadable() async throws {
        var list = try list(RecordsInMemory(animalSchema, [animal("Okapi")], isReadable: false))
        await list.load()
        #expect(list.page == nil)
        #expect(list.errorMessage == "Couldn’t load the animals. Try again in a moment.")
    }

    @Test("A page that lost all its rows to deletes shows rows again, not an empty list")
    func emptyAfterDeletes() async throws {
        let gone = KeysetPosition(value: .text("Zebra"), id: .version7())
        var list = try list(RecordsInMemory(animalSchema, [animal("Okapi")]), cursor: .after(gone))
        await list.load()
        #expect(list.page?.records.count == 1)
    }

    @Test("A list without any rows stays empty, without an error")
    func empty() async throws {
        let gone = KeysetPosition(value: .text("Zebra"), id: .version7())
        var list = try list(RecordsInMemory(animalSchema), cursor: .after(gone))
        await list.load()
        #expect(list.page?.records.isEmpty == true)
        #expect(list.errorMessage == nil)
    }

    @Test("A new record is begun from this part of the list, so that Save and Cancel lead back to it")
    func creation() throws {
        let list = try list(RecordsInMemory(animalSchema), sort: ListOrder(property: "diet", direction: .descending))
        #expect(list.startCreation() == "/admin/animals/new?sort=-diet")
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
