import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Minimum and maximum number of related records")
struct RelatedCountTests {
    private let emma = Book(name: "Emma"), jane = Author(name: "Jane"), james = Author(name: "James")

    private func refusal(_ count: Int, _ allowed: ModelCount, of book: Book) -> StoreError {
        .relatedCount(model: "Book", id: book.id.uuid, property: "authors", count: count, allowed: allowed)
    }

    private func fixture(_ authors: RelationshipOptions) throws -> StoreFixture {
        try StoreFixture.links(authors: authors)
    }

    @Test("A change set that ends with too few links is rejected with the count and the minimum")
    func minimum() async throws {
        let fixture = try fixture(.init(minimumModelCount: 1, inverse: \Author.books))
        try await fixture.insert(jane, james)
        let error = await fixture.refusal(emma.insertion)
        #expect(error == refusal(0, ModelCount(minimum: 1), of: emma))
        #expect(error?.description == "Book.authors takes at least 1, and there would be 0.")
        #expect(try await fixture.count(Book.self) == 0)
        try await fixture.submit(.link(emma, \.authors, jane), emma.insertion)
        #expect(await fixture.refusal(.unlink(emma, \.authors, jane)) == refusal(0, ModelCount(minimum: 1), of: emma))
        try await fixture.submit(.unlink(emma, \.authors, jane), .link(emma, \.authors, james))
        #expect(try fixture.linked(emma, "authors") == ["James"])
    }

    @Test("A change set that ends with too many links is rejected with the count and the maximum")
    func maximum() async throws {
        let fixture = try fixture(.init(maximumModelCount: 1, inverse: \Author.books))
        try await fixture.insert(emma, jane, james)
        #expect(
            await fixture.refusal(.link(emma, \.authors, jane), .link(james, \.books, emma))
                == refusal(2, ModelCount(maximum: 1), of: emma))
        try await fixture.submit(.link(emma, \.authors, jane))
        #expect(await fixture.refusal(.link(emma, \.authors, james)) == refusal(2, ModelCount(maximum: 1), of: emma))
        try await fixture.submit(.link(emma, \.authors, james), .unlink(emma, \.authors, jane))
    }

    @Test("A relation accepts the largest integer as its maximum")
    func greatest() async throws {
        let fixture = try fixture(.init(minimumModelCount: 1, maximumModelCount: .max, inverse: \Author.books))
        try await fixture.insert(jane)
        #expect(await fixture.refusal(emma.insertion) == refusal(0, ModelCount(minimum: 1, maximum: .max), of: emma))
        try await fixture.submit(emma.insertion, .link(emma, \.authors, jane))
        #expect(try fixture.linked(emma, "authors") == ["Jane"])
    }

    @Test("A delete that leaves a remaining record with too few links is rejected")
    func deletes() async throws {
        let fixture = try fixture(.init(minimumModelCount: 1, inverse: \Author.books))
        try await fixture.submit(emma.insertion, jane.insertion, .link(emma, \.authors, jane))
        #expect(await fixture.refusal(jane.deletion) == refusal(0, ModelCount(minimum: 1), of: emma))
        #expect(try await fixture.count(Author.self) == 1)
        try await fixture.submit(jane.deletion, emma.deletion)
        #expect(try await fixture.count(Author.self) == 0)
    }

    @Test("Each side of a relation has its own minimum and maximum")
    func otherSide() async throws {
        let fixture = try StoreFixture.links(books: .init(minimumModelCount: 1, maximumModelCount: 2))
        #expect(
            await fixture.refusal(jane.insertion)
                == .relatedCount(
                    model: "Author", id: jane.id.uuid, property: "books", count: 0,
                    allowed: ModelCount(minimum: 1, maximum: 2)
                ))
        try await fixture.submit(jane.insertion, emma.insertion, .link(emma, \.authors, jane))
        #expect(await fixture.refusal(emma.deletion) != nil)
    }

    @Test("A symmetric link counts at both records")
    func symmetric() async throws {
        let fixture = try StoreFixture.links(person: Person.declared(friends: .init(.symmetric, maximumModelCount: 1)))
        let people = ["Ada", "Ben", "Cleo"].map { Person(name: $0) }
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: people.map(\.insertion)))
        try await fixture.submit(.link(people[0], \.friends, people[1]))
        #expect(
            await fixture.refusal(.link(people[2], \.friends, people[1]))
                == .relatedCount(
                    model: "Person", id: people[1].id.uuid, property: "friends", count: 2,
                    allowed: ModelCount(maximum: 1)
                ))
    }

    private func chapters(_ options: RelationshipOptions) throws -> StoreFixture {
        try StoreFixture.links(chapters: options)
    }

    private func chapterRefusal(_ count: Int, _ allowed: ModelCount, of book: Book) -> StoreError {
        .relatedCount(model: "Book", id: book.id.uuid, property: "chapters", count: count, allowed: allowed)
    }

    @Test("An insert, update or delete that leaves too many or too few references is rejected")
    func references() async throws {
        let allowed = ModelCount(minimum: 1, maximum: 2)
        let fixture = try chapters(.init(minimumModelCount: 1, maximumModelCount: 2, inverse: \Chapter.book))
        let other = Book(name: "Ulysses")
        var first = Chapter(of: emma)
        let second = Chapter(of: other), third = Chapter(of: other)
        #expect(await fixture.refusal(emma.insertion) == chapterRefusal(0, allowed, of: emma))
        let version = try await fixture.insert(emma, other, first, second, third).commit
        #expect(await fixture.refusal(Chapter(of: other).insertion) == chapterRefusal(3, allowed, of: other))
        first.book = Reference(other)
        // Both books violate the rule then. It does not matter which one the error names.
        #expect(await fixture.refusal(first.update(from: version)) != nil)
        #expect(await fixture.refusal(first.deletion) == chapterRefusal(0, allowed, of: emma))
        first.book = nil
        #expect(await fixture.refusal(first.update(from: version)) == chapterRefusal(0, allowed, of: emma))
        try await fixture.submit(third.deletion)
        #expect(try await fixture.count(Chapter.self) == 2)
    }

    @Test("Two records can exchange their references within one change set")
    func swap() async throws {
        let fixture = try chapters(.init(minimumModelCount: 1, maximumModelCount: 1, inverse: \Chapter.book))
        let other = Book(name: "Ulysses")
        var first = Chapter(of: emma), second = Chapter(of: other)
        let version = try await fixture.insert(first, emma, second, other).commit
        (first.book, second.book) = (second.book, first.book)
        try await fixture.submit(first.update(from: version), second.update(from: version))
        #expect(try await fixture.find(first)?.value("book", in: Chapter.schema) == .text(other.id.description))
    }

    @Test("An undo that would leave too few links is rejected")
    func undo() async throws {
        let fixture = try fixture(.init(minimumModelCount: 1, inverse: \Author.books))
        try await fixture.submit(emma.insertion, jane.insertion, james.insertion, .link(emma, \.authors, jane))
        let second = try await fixture.submit(.link(emma, \.authors, james)).commit
        let ended = try await fixture.submit(.unlink(emma, \.authors, jane)).commit
        let error = await #expect(throws: StoreError.self) { try await fixture.undo(second) }
        #expect(error == refusal(0, ModelCount(minimum: 1), of: emma))
        try await fixture.undo(ended)
        try await fixture.undo(second)
        #expect(try fixture.linked(emma, "authors") == ["Jane"])
    }

    @Test("A change set rejected for too few references does not affect the others in its batch")
    func batch() async throws {
        let fixture = try chapters(.init(minimumModelCount: 1, inverse: \Chapter.book))
        let other = Book(name: "Ulysses")
        let results = try await fixture.submitTogether([
            ChangeSet(emma.insertion), ChangeSet(other.insertion, Chapter(of: other).insertion),
        ])
        #expect(results.values.joined().count(where: \.isSuccess) == 1)
        #expect(try await fixture.count(Book.self) == 1)
        #expect(try await fixture.totalsMatch())
    }
}
