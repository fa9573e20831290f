import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("History and undo of links")
struct LinkHistoryTests {
    private let book = Book(name: "Emma"), author = Author(name: "Jane")

    private func fixture(linked: Bool, history: HistoryPolicy = HistoryPolicy()) async throws -> StoreFixture {
        let fixture = try StoreFixture.links(history: history)
        try await fixture.insert(book, author)
        if linked { try await fixture.submit(.link(book, \.authors, author)) }
        return fixture
    }

    @Test("A link or unlink adds an entry for each of its two records")
    func entries() async throws {
        let fixture = try await fixture(linked: false)
        let receipt = try await fixture.submit(.link(author, \.books, book))
        let changes = try await fixture.changes(of: receipt)
        #expect(changes.map(\.model) == ["Book", "Author"])
        #expect(changes.map(\.record) == [book.id.uuid, author.id.uuid])
        #expect(changes.map(\.kind) == [.link, .link])
        #expect(changes.first?.fields == ["authors": FieldChange(before: .null, after: .text(author.id.description))])
        #expect(changes.last?.fields == ["books": FieldChange(before: .null, after: .text(book.id.description))])
        #expect(try await fixture.history.commits(HistoryQuery(record: author.id.uuid)).map(\.number) == [2, 1])
        let ended = try await fixture.changes(of: try await fixture.submit(.unlink(book, \.authors, author)))
        #expect(ended.map(\.kind) == [.unlink, .unlink])
        #expect(ended.first?.fields == ["authors": FieldChange(before: .text(author.id.description), after: .null)])
    }

    @Test("Links, unlinks and their undos can be undone step by step")
    func stepByStep() async throws {
        let fixture = try await fixture(linked: true)
        let unlinked = try await fixture.submit(.unlink(author, \.books, book)).commit
        try await fixture.undo(unlinked)
        #expect(try fixture.linked(book, "authors") == ["Jane"])
        let undone = try await fixture.undo(2).commit
        #expect(try fixture.linked(book, "authors") == [])
        try await fixture.undo(undone)
        #expect(try fixture.linked(book, "authors") == ["Jane"])
    }

    @Test("Undoing a delete restores the links of all deleted records")
    func deletes() async throws {
        let fixture = try StoreFixture.links(books: .init(deleteRule: .cascade))
        let other = Book(name: "Ulysses"), james = Author(name: "James")
        try await fixture.insert(book, other, author, james)
        try await fixture.submit(
            .link(book, \.authors, author), .link(book, \.authors, james), .link(other, \.authors, james)
        )
        let deleted = try await fixture.submit(author.deletion).commit
        #expect(try fixture.linkRows("Book.authors") == 1)
        try await fixture.undo(deleted)
        #expect(try fixture.linked(book, "authors") == ["James", "Jane"])
        #expect(try fixture.linked(james, "books") == ["Emma", "Ulysses"])
        #expect(try await fixture.totalsMatch())
        #expect(try fixture.replayMatches())
    }

    @Test("Undoing a delete restores symmetric links and links of a record with itself")
    func symmetric() async throws {
        let fixture = try StoreFixture.links()
        let ada = Person(name: "Ada"), ben = Person(name: "Ben")
        try await fixture.insert(ada, ben)
        let linked = try await fixture.submit(
            .link(ben, \.friends, ada), .link(ada, \.friends, ada), .link(ada, \.follows, ada),
            .link(ben, \.follows, ada)
        )
        #expect(try await fixture.changes(of: linked).count == 7)
        let deleted = try await fixture.submit(ada.deletion, ben.deletion).commit
        #expect(try fixture.linkRows("Person.friends") == 0)
        try await fixture.undo(deleted)
        #expect(try fixture.linked(ada, "friends") == ["Ada", "Ben"])
        #expect(try fixture.linked(ben, "friends") == ["Ada"])
        #expect(try fixture.linked(ada, "followers") == ["Ada", "Ben"])
        try await fixture.undo(linked.commit)
        #expect(try fixture.linkRows("Person.friends") + fixture.linkRows("Person.follows") == 0)
    }

    @Test("A commit that inserts, links and unlinks can be undone")
    func withinOneCommit() async throws {
        let fixture = try await fixture(linked: false)
        let james = Author(name: "James")
        let both = try await fixture.submit(
            .link(book, \.authors, james), james.insertion, .link(book, \.authors, author),
            .unlink(book, \.authors, author)
        ).commit
        #expect(try fixture.linked(book, "authors") == ["James"])
        try await fixture.undo(both)
        #expect(try fixture.linked(book, "authors") == [])
        #expect(try await fixture.count(Author.self) == 1)
    }

    @Test("Undoing a link is rejected if the link was removed since, even if it was added again")
    func changedSince() async throws {
        let fixture = try await fixture(linked: true)
        let unlinked = try await fixture.submit(.unlink(book, \.authors, author)).commit
        let obstacle = [
            UndoObstacle.changedSince(model: "Book", id: book.id.uuid, property: "authors", commit: unlinked)
        ]
        #expect(await fixture.undoRefusal(of: 2) == obstacle)
        try await fixture.submit(.link(book, \.authors, author))
        #expect(await fixture.undoRefusal(of: 2) == obstacle)
    }

    @Test("Undo does not restore a link to a missing record")
    func missingEnd() async throws {
        let fixture = try await fixture(linked: true)
        let unlinked = try await fixture.submit(.unlink(book, \.authors, author)).commit
        try await fixture.submit(author.deletion)
        #expect(
            await fixture.undoRefusal(of: unlinked)
                == [.missingReference(model: "Book", id: book.id.uuid, property: "authors")])
        let deleted = try await fixture.submit(book.deletion).commit
        try await fixture.undo(deleted)
        #expect(try fixture.linked(book, "authors") == [])
    }

    @Test("Undoing an insert is rejected if the record was linked since")
    func linkedSince() async throws {
        let fixture = try await fixture(linked: false)
        let other = Author(name: "James")
        let inserted = try await fixture.insert(other).commit
        try await fixture.submit(.link(book, \.authors, other))
        #expect(await fixture.undoRefusal(of: inserted) == [.referenced(model: "Author", by: "Book", count: 1)])
        try await fixture.undo(inserted + 1)
        try await fixture.undo(inserted)
        #expect(try await fixture.count(Author.self) == 1)
    }

    @Test("A commit with links cannot be undone if the declaring model has no history")
    func excluded() async throws {
        let blind = try await fixture(linked: true, history: HistoryPolicy().excluding("Book"))
        #expect(await blind.undoRefusal(of: 2) == [.partlyRecorded])
        let other = try await fixture(linked: true, history: HistoryPolicy().excluding("Author"))
        try await other.undo(2)
        #expect(try other.linkRows("Book.authors") == 0)
    }
}
