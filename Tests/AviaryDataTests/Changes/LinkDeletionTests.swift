import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Delete rules of many-to-many relations")
struct LinkDeletionTests {
    private let emma = Book(name: "Emma"), ulysses = Book(name: "Ulysses")
    private let jane = Author(name: "Jane"), james = Author(name: "James")

    /// Creates a store with Emma by Jane and James, and Ulysses by James.
    private func fixture(
        authors: DeleteRule = .nullify, books: DeleteRule = .nullify, history: HistoryPolicy = HistoryPolicy()
    ) async throws -> StoreFixture {
        let fixture = try StoreFixture.links(
            authors: .init(deleteRule: authors, inverse: \Author.books), books: .init(deleteRule: books),
            history: history
        )
        try await fixture.insert(emma, ulysses, jane, james)
        try await fixture.submit(
            .link(emma, \.authors, jane), .link(emma, \.authors, james), .link(ulysses, \.authors, james)
        )
        return fixture
    }

    @Test("Nullify removes the links, and the plan counts the records that lose links")
    func nullify() async throws {
        let fixture = try await fixture()
        #expect(
            try await fixture.records(Author.self).deletePlan(for: [james.id.uuid, jane.id.uuid])
                == DeletePlan(requested: 2, cascades: [:], nullifies: [:], unlinks: ["Book": 2]))
        try await fixture.submit(james.deletion)
        #expect(try fixture.linked(emma, "authors") == ["Jane"])
        #expect(try fixture.linked(ulysses, "authors") == [])
        #expect(try fixture.linkRows("Book.authors") == 1)
        #expect(try await fixture.totalsMatch())
    }

    @Test("Cascade deletes the linked records and their dependent records at any depth")
    func cascade() async throws {
        let fixture = try await fixture(authors: .cascade, books: .cascade)
        try await fixture.insert(Chapter(of: ulysses), Book(name: "Beloved"))
        let plan = try await fixture.records(Author.self).deletePlan(for: [jane.id.uuid])
        #expect(plan == DeletePlan(requested: 1, cascades: ["Book": 2, "Author": 1, "Chapter": 1], nullifies: [:]))
        #expect(await fixture.refusal(jane.deletion, cascadeLimit: 3) == .needsConfirmation(plan))
        try await fixture.submit(jane.deletion, cascadeLimit: 4)
        #expect(try await fixture.count(Author.self) == 0)
        #expect(try await fixture.count(Book.self) == 1)
        #expect(try fixture.linkRows("Book.authors") == 0)
        #expect(try await fixture.totalsMatch())
    }

    @Test("A cascade declared on one side does not continue from the other side")
    func cascadeOneSided() async throws {
        let fixture = try await fixture(books: .cascade)
        #expect(
            try await fixture.records(Author.self).deletePlan(for: [jane.id.uuid])
                == DeletePlan(requested: 1, cascades: ["Book": 1], nullifies: [:], unlinks: ["Author": 1]))
        try await fixture.submit(jane.deletion)
        #expect(try await fixture.count(Book.self) == 1)
        #expect(try fixture.linked(james, "books") == ["Ulysses"])
    }

    @Test("Deny rejects a delete while there are links, but not a delete on the other side")
    func deny() async throws {
        let fixture = try await fixture(authors: .deny)
        #expect(await fixture.refusal(emma.deletion) == .deleteDenied(model: "Book", referencedBy: "Author", count: 2))
        try await fixture.submit(jane.deletion)
        #expect(await fixture.refusal(emma.deletion) == .deleteDenied(model: "Book", referencedBy: "Author", count: 1))
        try await fixture.submit(.unlink(emma, \.authors, james))
        try await fixture.submit(emma.deletion)
        #expect(try await fixture.count(Book.self) == 1)
    }

    @Test(
        "Deny and no action ignore links that the same change set removes, in any order",
        arguments: [DeleteRule.deny, .noAction])
    func denyTogether(rule: DeleteRule) async throws {
        let fixture = try await fixture(authors: rule, books: rule)
        try await fixture.submit(emma.deletion, .unlink(emma, \.authors, jane), .unlink(emma, \.authors, james))
        try await fixture.submit(ulysses.deletion, james.deletion)
        #expect(try await fixture.count(Book.self) == 0)
        #expect(try await fixture.count(Author.self) == 1)
        #expect(try fixture.linkRows("Book.authors") == 0)
    }

    @Test("No action rejects a change set that leaves links to a deleted record")
    func noAction() async throws {
        let fixture = try await fixture(authors: .noAction)
        #expect(await fixture.refusal(emma.deletion) == .deleteDenied(model: "Book", referencedBy: "Author", count: 2))
        #expect(
            await fixture.refusal(emma.deletion, .unlink(emma, \.authors, jane))
                == .deleteDenied(model: "Book", referencedBy: "Author", count: 1))
        #expect(try fixture.linkRows("Book.authors") == 3)
    }

    @Test("Deny ignores a record that a later change of the same change set refers elsewhere")
    func movedReference() async throws {
        let fixture = try StoreFixture.links(chapters: .init(deleteRule: .deny, inverse: \Chapter.book))
        var chapter = Chapter(of: emma)
        let version = try await fixture.insert(emma, ulysses, chapter).commit
        #expect(await fixture.refusal(emma.deletion) == .deleteDenied(model: "Book", referencedBy: "Chapter", count: 1))
        chapter.book = Reference(ulysses)
        try await fixture.submit(emma.deletion, chapter.update(from: version))
        #expect(try await fixture.count(Book.self) == 1)
    }

    @Test("A cascade through cycles of links ends")
    func cycles() async throws {
        let fixture = try StoreFixture.links(
            person: Person.declared(
                follows: .init(deleteRule: .cascade, inverse: \Person.followers),
                friends: .init(.symmetric, deleteRule: .cascade)
            ))
        let people = (0..<6).map { Person(name: "\($0)") }
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: people.map(\.insertion)))
        try await fixture.submit(
            .link(people[0], \.follows, people[1]), .link(people[1], \.follows, people[0]),
            .link(people[1], \.friends, people[2]), .link(people[2], \.friends, people[2]),
            .link(people[3], \.follows, people[0]), .link(people[4], \.friends, people[5])
        )
        #expect(
            try await fixture.records(Person.self).deletePlan(for: [people[0].id.uuid])
                == DeletePlan(requested: 1, cascades: ["Person": 2], nullifies: [:], unlinks: ["Person": 1]))
        try await fixture.submit(people[0].deletion)
        #expect(try await fixture.count(Person.self) == 3)
        #expect(try fixture.linkRows("Person.follows") == 0)
        try await fixture.submit(people[5].deletion)
        #expect(try await fixture.count(Person.self) == 1)
        #expect(try fixture.linkRows("Person.friends") == 0)
        #expect(try await fixture.totalsMatch())
    }

    @Test("A cascade deletes a subtree down to the leaves")
    func tree() async throws {
        let fixture = try StoreFixture.links()
        var path = [Person(name: "root")]
        for depth in 1..<300 { path.append(Person(name: "\(depth)", childOf: path.last)) }
        // Children are inserted before their parents.
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: path.reversed().map(\.insertion)))
        #expect(try await fixture.records(Person.self).deletePlan(for: [path[100].id.uuid]).cascades == ["Person": 199])
        try await fixture.submit(path[100].deletion)
        #expect(try await fixture.count(Person.self) == 100)
    }

    @Test("A cascade removes more links than one statement takes")
    func many() async throws {
        let fixture = try StoreFixture.links(books: .init(deleteRule: .cascade))
        let author = Author(), books = (0..<2500).map { Book(name: "\($0)") }
        _ = try await fixture.store.submit(
            ChangeSet(
                author: "test",
                changes: [author.insertion]
                    + books.flatMap {
                        [$0.insertion, .link($0, \.authors, author)]
                    }))
        #expect(try await fixture.records(Book.self).deletePlan(for: books.map(\.id.uuid)).unlinks == ["Author": 1])
        try await fixture.submit(author.deletion)
        #expect(try await fixture.count(Book.self) == 0)
        #expect(try fixture.linkRows("Book.authors") == 0)
        #expect(try await fixture.totalsMatch())
    }
}
