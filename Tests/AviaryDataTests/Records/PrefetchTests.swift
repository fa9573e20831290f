import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Prefetching of related records")
struct PrefetchTests {
    private func zoo(_ count: Int) async throws -> (StoreFixture, [AviaryDataTests.Category], [Animal]) {
        let fixture = try StoreFixture.lists()
        let categories = (0..<max(1, count / 4)).map { AviaryDataTests.Category(name: "category \($0)") }
        let animals = (0..<count).map {
            Animal(name: "animal \($0)", category: $0 % 5 == 0 ? nil : categories[$0 % categories.count])
        }
        _ = try await fixture.store.submit(
            ChangeSet(author: "test", changes: categories.map(\.insertion) + animals.map(\.insertion)))
        return (fixture, categories, animals)
    }

    @Test("A prefetched reference returns its record or nil")
    func toOne() async throws {
        let (fixture, categories, _) = try await zoo(40)
        var descriptor = FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)])
        descriptor.relationshipKeyPathsForPrefetching = [\.category]
        let results = try await fixture.repository(Animal.self).fetchResults(descriptor)
        #expect(results.count == 40)
        for animal in results {
            let category = try results[\.category, of: animal]
            #expect(
                category?.id == animal.category?.id
                    && category?.name == categories.first { $0.id == animal.category?.id }?.name)
        }
    }

    @Test("A prefetched to-many relation returns the referring records")
    func toMany() async throws {
        let (fixture, _, animals) = try await zoo(40)
        var descriptor = FetchDescriptor<AviaryDataTests.Category>()
        descriptor.relationshipKeyPathsForPrefetching = [\.animals]
        let results = try await fixture.repository(AviaryDataTests.Category.self).fetchResults(descriptor)
        for category in results {
            let wanted = animals.filter { $0.category?.id == category.id }.map(\.id.description).sorted()
            #expect(try results[\.animals, of: category].map(\.id.description) == wanted)
        }
    }

    @Test("A prefetched many-to-many relation returns the linked records from both sides")
    func links() async throws {
        let fixture = try StoreFixture(Schema([Book.schema, Author.schema, Chapter.schema]))
        let books = (0..<6).map { Book(name: "book \($0)") }, authors = (0..<4).map { Author(name: "author \($0)") }
        var links: [Change] = [], pairs: Set<[UUID]> = []
        for (index, book) in books.enumerated() where index > 0 {
            for author in authors.prefix(index % 4) {
                links.append(.link(model: "Book", property: "authors", id: book.id.uuid, target: author.id.uuid))
                pairs.insert([book.id.uuid, author.id.uuid])
            }
        }
        _ = try await fixture.store.submit(
            ChangeSet(author: "test", changes: books.map(\.insertion) + authors.map(\.insertion) + links))
        var byBook = FetchDescriptor<Book>(), byAuthor = FetchDescriptor<Author>()
        byBook.relationshipKeyPathsForPrefetching = [\.authors, \.chapters]
        byAuthor.relationshipKeyPathsForPrefetching = [\.books]
        let foundBooks = try await fixture.repository(Book.self).fetchResults(byBook)
        let foundAuthors = try await fixture.repository(Author.self).fetchResults(byAuthor)
        var forwards: Set<[UUID]> = [], backwards: Set<[UUID]> = []
        for book in foundBooks {
            for author in try foundBooks[\.authors, of: book] { forwards.insert([book.id.uuid, author.id.uuid]) }
        }
        for author in foundAuthors {
            for book in try foundAuthors[\.books, of: author] { backwards.insert([book.id.uuid, author.id.uuid]) }
        }
        #expect(forwards == pairs && backwards == pairs && !pairs.isEmpty)
        #expect(try foundBooks[\.chapters, of: books[0]].isEmpty)

        byBook.related = [RelatedCondition(\.authors, containing: #Predicate { $0.name == "author 2" })]
        let wanted = books.filter { pairs.contains([$0.id.uuid, authors[2].id.uuid]) }.map(\.id)
        #expect(try await fixture.repository(Book.self).fetchIdentifiers(byBook) == wanted)
    }

    @Test(
        "A prefetch runs one statement for the records and one for each relation",
        arguments: [4, 40, 400])
    func statements(count: Int) async throws {
        let (fixture, _, _) = try await zoo(count)
        let engine = RecordingEngine()
        let animals = try fixture.repository(Animal.self, recordedBy: engine)
        let categories = try fixture.repository(AviaryDataTests.Category.self, recordedBy: engine)
        var descriptor = FetchDescriptor<Animal>(), other = FetchDescriptor<AviaryDataTests.Category>()
        descriptor.relationshipKeyPathsForPrefetching = [\.category]
        other.relationshipKeyPathsForPrefetching = [\.animals]
        let queries = try await engine.queries {
            let results = try await animals.fetchResults(descriptor)
            for animal in results { _ = try results[\.category, of: animal] }
            let others = try await categories.fetchResults(other)
            for category in others { _ = try others[\.animals, of: category] }
        }
        #expect(queries.count == 4, "\(queries)")
        // Reading the records one by one takes more queries, so the count is meaningful.
        let single = try await engine.queries {
            for animal in try await animals.fetchAll() { _ = try await animals.find(animal.id) }
        }
        #expect(single.count == count + 1)
    }

    @Test("A relation that was not prefetched, an unknown record or a plain property throws an error")
    func missing() async throws {
        let (fixture, _, animals) = try await zoo(8)
        let repository = fixture.repository(Animal.self)
        let results = try await repository.fetchResults(FetchDescriptor())
        #expect(throws: QueryError.self) { try results[\.category, of: animals[0]] }
        var descriptor = FetchDescriptor<Animal>()
        descriptor.relationshipKeyPathsForPrefetching = [\.category]
        let other = try await repository.fetchResults(descriptor)
        #expect(throws: QueryError.self) { try other[\.category, of: Animal(name: "stranger")] }
        descriptor.relationshipKeyPathsForPrefetching = [\.name]
        await #expect(throws: QueryError.self) { try await repository.fetchResults(descriptor) }
    }
}
