import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Related records")
struct RelatedReadingTests {
    private let emma = Book(name: "Emma"), ulysses = Book(name: "Ulysses")
    private let jane = Author(name: "Jane"), james = Author(name: "James"), ada = Author(name: "Ada")

    private func fixture() async throws -> StoreFixture {
        let fixture = try StoreFixture.links()
        try await fixture.insert(emma, ulysses, jane, james, ada, Chapter(of: emma), Chapter(of: emma))
        try await fixture.submit(
            .link(emma, \.authors, jane), .link(emma, \.authors, james), .link(emma, \.authors, ada),
            .link(ulysses, \.authors, james)
        )
        return fixture
    }

    private func repository<M: Model>(_ model: M.Type, _ fixture: StoreFixture) -> Repository<M> {
        Repository(fixture.records(model), author: "test")
    }

    @Test("A repository returns the related records of one or many records from either side")
    func related() async throws {
        let fixture = try await fixture()
        let books = repository(Book.self, fixture), authors = repository(Author.self, fixture)
        #expect(try await books.related(\.authors, to: ulysses.id).map(\.name) == ["James"])
        #expect(try await authors.related(\.books, to: james.id).map(\.name).sorted() == ["Emma", "Ulysses"])
        #expect(try await books.related(\.chapters, to: emma.id).count == 2)
        let unknown = Book()
        let all = try await books.related(\.authors, to: [emma.id, ulysses.id, unknown.id])
        #expect(
            all.mapValues { $0.map(\.name).sorted() } == [emma.id: ["Ada", "James", "Jane"], ulysses.id: ["James"]])
    }

    @Test("A symmetric relation returns the related record from either side")
    func symmetric() async throws {
        let fixture = try StoreFixture.links()
        let ada = Person(name: "Ada"), bea = Person(name: "Bea")
        try await fixture.insert(ada, bea)
        try await fixture.submit(.link(ada, \.friends, bea))
        let people = repository(Person.self, fixture)
        #expect(try await people.related(\.friends, to: ada.id).map(\.name) == ["Bea"])
        #expect(try await people.related(\.friends, to: bea.id).map(\.name) == ["Ada"])
    }

    @Test("A repository links, unlinks and replaces links, and a repeated change set has no effect")
    func writing() async throws {
        let fixture = try await fixture()
        let books = repository(Book.self, fixture)
        try await books.link(ulysses.id, \.authors, with: [ada.id, jane.id])
        try await books.unlink(ulysses.id, \.authors, from: [james.id, ada.id])
        #expect(try fixture.linked(ulysses, "authors") == ["Jane"])
        let id = UUID.version7()
        let first = try await books.replaceLinks(of: ulysses.id, \.authors, with: [james.id, ada.id], changeSet: id)
        #expect(try fixture.linked(ulysses, "authors") == ["Ada", "James"])
        try await books.link(ulysses.id, \.authors, with: [jane.id])
        let again = try await books.replaceLinks(of: ulysses.id, \.authors, with: [james.id, ada.id], changeSet: id)
        #expect(again.isRepeat)
        #expect(again.commit == first.commit)
        #expect(try fixture.linked(ulysses, "authors") == ["Ada", "James", "Jane"])
    }

    @Test("A summary contains the first titles and the number of related records")
    func summaries() async throws {
        let fixture = try await fixture()
        let none = Book()
        try await fixture.insert(none)
        let ids = [emma, ulysses, none].map(\.id.uuid)
        let authors = try await fixture.records(Book.self).related(to: ids, by: "authors", limit: 2)
        #expect(authors[emma.id.uuid]?.count == 3)
        #expect(authors[emma.id.uuid]?.first.count == 2)
        #expect(authors[ulysses.id.uuid]?.first.map(\.title) == ["James"])
        #expect(authors[none.id.uuid] == RelatedSummary.none)
        let chapters = try await fixture.records(Book.self).related(to: ids, by: "chapters", limit: 3)
        #expect(chapters[emma.id.uuid]?.first.map(\.title) == ["chapter", "chapter"])
        #expect(chapters[emma.id.uuid]?.count == 2)
        await #expect(throws: PageRequestError.self) {
            try await fixture.records(Book.self).related(to: ids, by: "name", limit: 2)
        }
    }

    @Test("A summary stops counting above 1,000 related records")
    func many() async throws {
        let fixture = try StoreFixture.links()
        let author = Author(), books = (0..<1500).map { Book(name: "\($0)") }
        _ = try await fixture.store.submit(
            ChangeSet(
                author: "test",
                changes: [author.insertion]
                    + books.flatMap {
                        [$0.insertion, .link($0, \.authors, author)]
                    }))
        let summary = try await fixture.records(Author.self).related(to: [author.id.uuid], by: "books", limit: 3)[
            author.id.uuid]
        #expect(summary?.count == 1001)
        #expect(summary?.countInWords == "more than 1,000")
        #expect(summary?.first.count == 3)
    }

    @Test("The choices of given identifiers omit missing records")
    func titles() async throws {
        let fixture = try await fixture()
        let found = try await fixture.records(Author.self).choices(of: [jane.id.uuid, UUID(), ada.id.uuid])
        #expect(Set(found.map(\.title)) == ["Jane", "Ada"])
    }
}
