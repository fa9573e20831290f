import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Links of many-to-many relations")
struct LinkTests {
    @Test("Both sides show a link, whichever side created the link")
    func bothSides() async throws {
        let fixture = try StoreFixture.links()
        let book = Book(name: "Emma"), other = Book(name: "Ulysses"), author = Author(name: "Jane")
        try await fixture.insert(book, other, author)
        try await fixture.submit(.link(book, \.authors, author))
        try await fixture.submit(.link(author, \.books, other))
        #expect(try fixture.linked(author, "books") == ["Emma", "Ulysses"])
        #expect(try fixture.linked(book, "authors") == ["Jane"])
        #expect(try fixture.linked(other, "authors") == ["Jane"])
        try await fixture.submit(.unlink(author, \.books, book))
        #expect(try fixture.linked(book, "authors") == [])
        #expect(try fixture.linked(author, "books") == ["Ulysses"])
    }

    @Test("A link or unlink that changes nothing adds no history")
    func idempotent() async throws {
        let fixture = try StoreFixture.links()
        let book = Book(), author = Author()
        try await fixture.insert(book, author)
        let first = try await fixture.submit(.link(book, \.authors, author))
        let again = try await fixture.submit(.link(author, \.books, book))
        #expect(try await fixture.changes(of: first).count == 2)
        #expect(try await fixture.changes(of: again).isEmpty)
        #expect(try fixture.linkRows("Book.authors") == 1)
        try await fixture.submit(.unlink(book, \.authors, author))
        let absent = try await fixture.submit(.unlink(book, \.authors, author), .unlink(Book(), \.authors, Author()))
        #expect(try await fixture.changes(of: absent).isEmpty)
        #expect(try fixture.linkRows("Book.authors") == 0)
    }

    @Test("A repeated change set links once, and a different change set with the same id is rejected")
    func receipts() async throws {
        let fixture = try StoreFixture.links()
        let book = Book(), author = Author(), id = UUID.version7()
        try await fixture.insert(book, author)
        let first = try await fixture.submit(.link(book, \.authors, author), id: id)
        let repeated = try await fixture.submit(.link(book, \.authors, author), id: id)
        #expect(repeated.commit == first.commit)
        #expect(repeated.isRepeat)
        #expect(await fixture.refusal(.unlink(book, \.authors, author), id: id) == .alreadySaved(commit: first.commit))
        #expect(await fixture.refusal(.link(book, \.authors, Author()), id: id) == .alreadySaved(commit: first.commit))
    }

    @Test("A link does not change the versions of its records")
    func versions() async throws {
        let fixture = try StoreFixture.links()
        let book = Book(), author = Author()
        let inserted = try await fixture.insert(book, author).commit
        try await fixture.submit(.link(book, \.authors, author))
        #expect(try await fixture.find(book)?.version == inserted)
        #expect(try await fixture.find(author)?.version == inserted)
    }

    @Test("A link with a missing record is rejected with the property of the change")
    func missingRecords() async throws {
        let fixture = try StoreFixture.links()
        let book = Book(), author = Author()
        try await fixture.insert(book)
        #expect(
            await fixture.refusal(.link(book, \.authors, author))
                == .missingReference(model: "Book", property: "authors"))
        #expect(
            await fixture.refusal(.link(author, \.books, book))
                == .missingReference(model: "Author", property: "books"))
        #expect(try fixture.linkRows("Book.authors") == 0)
    }

    @Test("A link may precede the inserts of its records in a change set")
    func order() async throws {
        let fixture = try StoreFixture.links()
        let book = Book(name: "Emma"), author = Author(name: "Jane")
        try await fixture.submit(.link(book, \.authors, author), author.insertion, book.insertion)
        #expect(try fixture.linked(book, "authors") == ["Jane"])
    }

    @Test("Only a many-to-many property can be linked")
    func malformed() async throws {
        let fixture = try StoreFixture.links()
        let book = Book(), chapter = Chapter(of: book)
        try await fixture.insert(book, chapter)
        #expect(
            await fixture.refusal(.link(book, \.chapters, chapter))
                == .malformed("Book has no many-to-many property \"chapters\"."))
        #expect(
            await fixture.refusal(.unlink(model: "Book", property: "x", id: book.id.uuid, target: UUID()))
                == .malformed("Book has no many-to-many property \"x\"."))
        #expect(
            await fixture.refusal(.link(model: "Nothing", property: "x", id: book.id.uuid, target: UUID()))
                == .malformed("there is no model \"Nothing\"."))
    }

    @Test("A symmetric relation shows a link from both records, and a link of a record with itself once")
    func symmetric() async throws {
        let fixture = try StoreFixture.links()
        let ada = Person(name: "Ada"), ben = Person(name: "Ben"), cleo = Person(name: "Cleo")
        try await fixture.insert(ada, ben, cleo)
        try await fixture.submit(.link(ben, \.friends, ada), .link(ada, \.friends, ben), .link(cleo, \.friends, cleo))
        #expect(try fixture.linked(ada, "friends") == ["Ben"])
        #expect(try fixture.linked(ben, "friends") == ["Ada"])
        #expect(try fixture.linked(cleo, "friends") == ["Cleo"])
        try await fixture.submit(.unlink(ada, \.friends, ben), .unlink(cleo, \.friends, cleo))
        #expect(try fixture.linkRows("Person.friends") == 0)
    }

    @Test("A relation of a model to itself has two directions")
    func directed() async throws {
        let fixture = try StoreFixture.links()
        let ada = Person(name: "Ada"), ben = Person(name: "Ben")
        try await fixture.insert(ada, ben)
        try await fixture.submit(.link(ada, \.follows, ben), .link(ada, \.followers, ada))
        #expect(try fixture.linked(ada, "follows") == ["Ada", "Ben"])
        #expect(try fixture.linked(ada, "followers") == ["Ada"])
        #expect(try fixture.linked(ben, "followers") == ["Ada"])
        #expect(try fixture.linked(ben, "follows") == [])
    }

    @Test("A rejected change set leaves no link and does not affect the others in its batch")
    func alone() async throws {
        let fixture = try StoreFixture.links()
        let book = Book(name: "Emma"), author = Author(name: "Jane")
        try await fixture.insert(book, author)
        let results = try await fixture.submitTogether([
            ChangeSet(.link(book, \.authors, Author())),
            ChangeSet(.link(book, \.authors, author)),
            ChangeSet(.link(Book(), \.authors, author), .unlink(book, \.authors, author)),
        ])
        #expect(results.values.joined().count(where: \.isSuccess) == 1)
        #expect(try fixture.linked(book, "authors") == ["Jane"])
    }

    @Test(
        "A link table has an index in each direction and persists when the store reopens",
        .onlySQLite("query plans of this form"))
    func tables() async throws {
        let temporary = TemporaryDirectory()
        let first = try StoreFixture.links(in: temporary)
        let book = Book(name: "Emma"), author = Author(name: "Jane")
        try await first.insert(book, author)
        try await first.submit(.link(book, \.authors, author))
        for (column, other) in [("source", "target"), ("target", "source")] {
            let plan = try first.readers.read { connection in
                try connection.rows(
                    "EXPLAIN QUERY PLAN SELECT \(other) FROM \"aviary_link.Book.authors\" WHERE \(column) = 'x'"
                ) {
                    $0.text(3) ?? ""
                }
            }
            #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(plan)")
        }
        await first.store.close()
        let second = try StoreFixture.links(in: temporary)
        #expect(try second.linked(book, "authors") == ["Jane"])
    }
}

@Suite("Added and removed relations")
struct LinkMigrationTests {
    private func fixture(_ models: ModelSchema..., in temporary: TemporaryDirectory) throws -> StoreFixture {
        try StoreFixture(Schema(models + [Chapter.schema]), in: temporary)
    }

    private let book = ModelSchema(
        Book.self,
        [
            .init(\.name, "name"), .init(\.chapters, "chapters", relationship: .init(inverse: \Chapter.book)),
        ])
    private let author = ModelSchema(Author.self, [.init(\.name, "name")])

    @Test("An added relation starts empty, and a relation can be removed only without links")
    func comeAndGo() async throws {
        let temporary = TemporaryDirectory()
        let emma = Book(name: "Emma"), jane = Author(name: "Jane")
        let before = try fixture(book, author, in: temporary)
        try await before.insert(emma, jane)
        await before.store.close()

        let with = try fixture(Book.schema, Author.schema, in: temporary)
        #expect(try with.linkRows("Book.authors") == 0)
        try await with.submit(.link(emma, \.authors, jane))
        await with.store.close()

        #expect(throws: StoreOpenError.self) { try fixture(book, author, in: temporary) }
        let again = try fixture(Book.schema, Author.schema, in: temporary)
        #expect(try again.linked(emma, "authors") == ["Jane"])
        try await again.submit(.unlink(emma, \.authors, jane))
        await again.store.close()

        let without = try fixture(book, author, in: temporary)
        try await without.submit(jane.deletion)
        #expect(try await without.count(Author.self) == 0)
    }
}
