import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Obstacles in a delete plan")
struct DeleteObstacleTests {
    private let emma = Book(name: "Emma"), ulysses = Book(name: "Ulysses")
    private let jane = Author(name: "Jane"), james = Author(name: "James")

    @Test("A plan lists the records that deny the delete at any depth of a cascade")
    func deny() async throws {
        let fixture = try StoreFixture.rules()
        let zone = Zone(), cage = Cage(in: zone), bird = Bird(in: cage)
        let permits = [Permit(for: bird), Permit(for: bird)]
        try await fixture.insert(zone, cage, bird, permits[0], permits[1])
        #expect(
            try await obstacles(zone, in: fixture) == [
                .referrers(model: "Permit", count: 2, first: permits.map(\.id.uuid))
            ])
        try await fixture.submit(permits[0].deletion, permits[1].deletion)
        #expect(try await obstacles(zone, in: fixture) == [])
    }

    @Test("A plan lists linked records if the rule is deny or noAction", arguments: [DeleteRule.deny, .noAction])
    func links(rule: DeleteRule) async throws {
        let fixture = try StoreFixture.links(authors: .init(deleteRule: rule, inverse: \Author.books))
        try await fixture.submit(
            emma.insertion, jane.insertion, james.insertion, .link(emma, \.authors, jane), .link(emma, \.authors, james)
        )
        let authors = [jane.id.uuid, james.id.uuid].sorted { $0.canonicalText < $1.canonicalText }
        #expect(try await obstacles(emma, in: fixture) == [.referrers(model: "Author", count: 2, first: authors)])
        #expect(try await obstacles(jane, in: fixture) == [])
        // An author who is linked with both books counts once.
        try await fixture.submit(ulysses.insertion, .link(ulysses, \.authors, jane))
        let both = try await fixture.records(Book.self).deletePlan(for: [emma.id.uuid, ulysses.id.uuid])
        #expect(both.obstacles == [.referrers(model: "Author", count: 2, first: authors)])
    }

    @Test("A record that both refers to and is linked with the deleted record counts once")
    func referringAndLinked() async throws {
        let fixture = try StoreFixture.links(
            person: Person.declared(
                follows: .init(deleteRule: .deny, inverse: \Person.followers),
                children: .init(deleteRule: .deny, inverse: \Person.parent)
            ))
        let ada = Person(name: "Ada"), both = Person(name: "Ben", childOf: ada),
            child = Person(name: "Cleo", childOf: ada)
        let followed = Person(name: "Dora")
        try await fixture.insert(ada, both, child, followed)
        try await fixture.submit(.link(ada, \.follows, both), .link(ada, \.follows, followed))
        #expect(
            try await obstacles(ada, in: fixture) == [
                .referrers(model: "Person", count: 3, first: [both, child, followed].map(\.id.uuid))
            ])
    }

    @Test("A plan lists the remaining records that would have too few links")
    func tooFewLinks() async throws {
        let least = ModelCount(minimum: 1)
        let fixture = try StoreFixture.links(authors: .init(minimumModelCount: 1, inverse: \Author.books))
        try await fixture.submit(
            emma.insertion, ulysses.insertion, jane.insertion, james.insertion,
            .link(emma, \.authors, jane), .link(ulysses, \.authors, jane), .link(ulysses, \.authors, james)
        )
        #expect(
            try await obstacles(jane, in: fixture) == [
                .relatedCount(model: "Book", property: "authors", count: 1, allowed: least, first: [emma.id.uuid])
            ])
        #expect(try await obstacles(james, in: fixture) == [])
        let both = try await fixture.records(Author.self).deletePlan(for: [jane.id.uuid, james.id.uuid])
        #expect(
            both.obstacles == [
                .relatedCount(
                    model: "Book", property: "authors", count: 2, allowed: least, first: first([emma, ulysses]))
            ])
        #expect(try await obstacles(emma, in: fixture) == [])
    }

    @Test("A plan lists the remaining records that would have too few referring records")
    func tooFewReferences() async throws {
        let fixture = try StoreFixture.links(
            chapters: .init(deleteRule: .cascade, minimumModelCount: 2, inverse: \Chapter.book))
        let chapters = [Chapter(of: emma), Chapter(of: emma), Chapter(of: emma)]
        try await fixture.insert(emma, chapters[0], chapters[1], chapters[2])
        #expect(try await obstacles(chapters[0], in: fixture) == [])
        let two = try await fixture.records(Chapter.self).deletePlan(for: chapters.prefix(2).map(\.id.uuid))
        #expect(
            two.obstacles == [
                .relatedCount(
                    model: "Book", property: "chapters", count: 1, allowed: ModelCount(minimum: 2),
                    first: [emma.id.uuid])
            ])
        // The book is deleted too, so its minimum no longer applies.
        #expect(try await obstacles(emma, in: fixture) == [])
    }

    @Test("A symmetric link counts at the remaining record")
    func symmetric() async throws {
        let fixture = try StoreFixture.links(person: Person.declared(friends: .init(.symmetric, minimumModelCount: 1)))
        let ada = Person(name: "Ada"), ben = Person(name: "Ben")
        try await fixture.submit(ada.insertion, ben.insertion, .link(ada, \.friends, ben))
        #expect(
            try await obstacles(ada, in: fixture) == [
                .relatedCount(
                    model: "Person", property: "friends", count: 1, allowed: ModelCount(minimum: 1),
                    first: [ben.id.uuid])
            ])
    }

    @Test("A plan names the first three of many records that would have too few links")
    func many() async throws {
        let fixture = try StoreFixture.links(authors: .init(minimumModelCount: 1, inverse: \Author.books))
        let books = (1...5).map { Book(name: "Book \($0)") }
        let changes =
            [jane.insertion] + books.flatMap { book -> [Change] in [book.insertion, .link(book, \.authors, jane)] }
        try await fixture.store.submit(ChangeSet(author: "test", changes: changes))
        #expect(
            try await obstacles(jane, in: fixture) == [
                .relatedCount(
                    model: "Book", property: "authors", count: 5, allowed: ModelCount(minimum: 1),
                    first: Array(first(books).prefix(3))
                )
            ])
    }

    @Test("A plan names the first three of many referring records")
    func manyReferrers() async throws {
        let fixture = try StoreFixture.rules()
        let zone = Zone(), cage = Cage(in: zone), bird = Bird(in: cage)
        try await fixture.insert(zone, cage, bird)
        let permits = (1...5).map { _ in Permit(for: bird) }
        for permit in permits { try await fixture.insert(permit) }
        #expect(
            try await obstacles(bird, in: fixture) == [
                .referrers(model: "Permit", count: 5, first: permits.prefix(3).map(\.id.uuid))
            ])
    }

    @Test("A plan encoded by an older version decodes without obstacles")
    func decoding() throws {
        let old = Data(#"{"requested":1,"cascades":{},"nullifies":{}}"#.utf8)
        #expect(try JSONDecoder().decode(DeletePlan.self, from: old).obstacles.isEmpty)
    }

    @Test("An obstacle encoded without record ids can be decoded")
    func decodingObstacles() throws {
        let some = Data(#"[{"referrers":{"model":"Permit","count":2}}]"#.utf8)
        #expect(try JSONDecoder().decode([DeleteObstacle].self, from: some) == [.referrers(model: "Permit", count: 2)])
        let all: [DeleteObstacle] = [
            .referrers(model: "Permit", count: 2, first: [UUID()]),
            .relatedCount(
                model: "Book", property: "authors", count: 1, allowed: ModelCount(minimum: 1, maximum: 3),
                first: [UUID(), UUID()]),
        ]
        #expect(try JSONDecoder().decode([DeleteObstacle].self, from: try JSONEncoder().encode(all)) == all)
    }

    private func first(_ books: [Book]) -> [UUID] {
        books.map(\.id.uuid).sorted { $0.canonicalText < $1.canonicalText }
    }

    /// Returns the obstacles to deleting only this record, and expects that the store agrees.
    private func obstacles<M: Model>(_ record: M, in fixture: StoreFixture) async throws -> [DeleteObstacle] {
        let found = try await fixture.records(M.self).deletePlan(for: [record.id.uuid]).obstacles
        if found.isEmpty { return found }
        #expect(await fixture.refusal(record.deletion) != nil)
        #expect(try await fixture.find(record) != nil)
        return found
    }
}
