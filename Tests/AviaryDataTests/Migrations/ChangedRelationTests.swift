import Foundation
import Testing

@testable import AviaryData
@testable import AviaryDomain

@Suite("Links of changed relations")
struct ChangedRelationTests {
    private static let person = ModelSchema.named("Person")

    /// Returns a schema of books whose authors are people. The model of authors still exists.
    private static func retargeted() throws -> Schema {
        try Schema([
            .named("Book", .related("authors", to: "Person", at: \Places.authors, inverse: \Places.books)),
            .named("Person", .related("books", to: "Book", at: \Places.books)), .named("Author"),
        ])
    }

    private static func people(_ relations: PropertySchema...) throws -> Schema {
        try Schema([ModelSchema(name: "Person", properties: [.made("name", .string)] + relations)])
    }

    private static func following() throws -> Schema {
        try people(
            .related("follows", to: "Person", at: \Places.follows, inverse: \Places.followers),
            .related("followers", to: "Person", at: \Places.followers)
        )
    }

    private static func friends() throws -> Schema {
        try people(.related("follows", to: "Person", at: \Places.follows, symmetric: true))
    }

    /// Creates a store with Emma by Jane, who is also a person, and by Tom, who is not.
    private func store() async throws -> MigratedStore {
        let store = try MigratedStore(from: .library(Self.person))
        let emma = try await store.insert("Emma", into: "Book")
        let jane = try await store.insert("Jane", into: "Author")
        _ = try await store.insert("Jane", into: "Person", id: jane)
        for author in [jane, try await store.insert("Tom", into: "Author")] {
            try await store.submit(.link(model: "Book", property: "authors", id: emma, target: author))
        }
        return store
    }

    // MARK: Other records

    @Test("A new target model is rejected with the number of links that have no matching record")
    func retargeted() async throws {
        let store = try await store(), new = try Self.retargeted()
        let plan = try store.plan(new)
        #expect(plan.kind == .refused)
        #expect(
            try #require(plan.refusals.first).contains(
                "to link to Person, and 1 link would be lost, for which there is no Person"))
        #expect(plan.droppableNames == ["Book.authors"])
        await #expect(throws: StoreOpenError.self) { try await store.open(new) }
        #expect(try store.links("Book.authors", "Book", "Author") == ["Emma - Jane", "Emma - Tom"])
        #expect(try store.relation("Book.authors", refersTo: ["Book", "Author"]))
    }

    @Test("Dropping a relation with a new target model keeps the links that have a matching record")
    func retargetedGivenUp() async throws {
        let store = try await store(), new = try Self.retargeted()
        let instructions = MigrationInstructions(dropping: ["Book.authors"])
        #expect(
            try store.plan(new, instructions).steps == [
                "let Book.authors link to Person, which linked to Author, without the links that do not fit"
            ])
        let opened = try await store.open(new, instructions)
        #expect(try store.links("Book.authors", "Book", "Person") == ["Emma - Jane"])
        #expect(try store.relation("Book.authors", refersTo: ["Book", "Person"]))
        #expect(try store.problems() == [] && store.copies().count == TestEngine.safetyCopies)
        #expect(try store.linkTables() == ["aviary_link.Book.authors"])
        let (book, person) = (UUID.version7(), UUID.version7())
        _ = try await opened.submit(
            ChangeSet(
                id: .version7(), author: "ada",
                changes: [
                    .insert(model: "Book", id: book, values: ["name": .text("Ida")]),
                    .insert(model: "Person", id: person, values: ["name": .text("Ann")]),
                    .link(model: "Person", property: "books", id: person, target: book),
                ]))
        #expect(try store.links("Book.authors", "Book", "Person") == ["Emma - Jane", "Ida - Ann"])
        #expect(try store.plan(new).kind == .none)
    }

    @Test("A relation without links can change its target model")
    func retargetedEmpty() async throws {
        let store = try MigratedStore(from: .library()), new = try Self.retargeted()
        #expect(try store.plan(new).kind == .exclusive)
        _ = try await store.open(new)
        #expect(try store.relation("Book.authors", refersTo: ["Book", "Person"]))
        #expect(try store.plan(new).kind == .none)
    }

    @Test("A commit from before a change of the target model cannot be undone")
    func undo() async throws {
        let store = try await store()
        let opened = try await store.open(Self.retargeted(), MigrationInstructions(dropping: ["Book.authors"]))
        await #expect(throws: StoreError.undoRefused(commit: 4, [.beforeMigration])) {
            try await opened.undo(Undo(id: .version7(), commit: 4, author: "ada"))
        }
    }

    // MARK: Symmetry

    @Test("A relation that becomes symmetric has each link in both directions once")
    func symmetric() async throws {
        let store = try MigratedStore(from: Self.following())
        var ids: [UUID] = []
        for name in ["Ada", "Bea", "Cy"] { ids.append(try await store.insert(name, into: "Person")) }
        for (from, to) in [(0, 1), (1, 0), (2, 1), (2, 2)] {
            try await store.submit(.link(model: "Person", property: "follows", id: ids[from], target: ids[to]))
        }
        let friends = try Self.friends()
        #expect(try store.plan(friends).steps == ["let each link of Person.follows hold in both directions"])
        let opened = try await store.open(friends)
        let both = ["Ada - Bea", "Bea - Ada", "Bea - Cy", "Cy - Bea", "Cy - Cy"]
        #expect(try store.links("Person.follows", "Person", "Person") == both)
        #expect(try store.problems() == [])
        _ = try await opened.submit(
            ChangeSet(.unlink(model: "Person", property: "follows", id: ids[1], target: ids[2])))
        #expect(try store.links("Person.follows", "Person", "Person") == ["Ada - Bea", "Bea - Ada", "Cy - Cy"])
    }

    @Test("A symmetric relation that becomes directed keeps a link in each direction")
    func directed() async throws {
        let store = try MigratedStore(from: Self.friends())
        let (ada, bea) = (try await store.insert("Ada", into: "Person"), try await store.insert("Bea", into: "Person"))
        try await store.submit(.link(model: "Person", property: "follows", id: ada, target: bea))
        let following = try Self.following()
        #expect(
            try store.plan(following).steps == [
                "let each link of Person.follows, which held in both directions, be two, one in each"
            ])
        let opened = try await store.open(following)
        #expect(try store.links("Person.follows", "Person", "Person") == ["Ada - Bea", "Bea - Ada"])
        _ = try await opened.submit(ChangeSet(.unlink(model: "Person", property: "followers", id: ada, target: bea)))
        #expect(try store.links("Person.follows", "Person", "Person") == ["Ada - Bea"])
        #expect(try store.plan(following).kind == .none)
    }

    // MARK: Other names

    @Test("A renamed relation keeps its links, identified by originalName or by its inverse")
    func renamed() async throws {
        for former in ["authors", nil] {
            let store = try await store()
            let new = try Schema([
                .named(
                    "Book",
                    .related("writers", to: "Author", at: \Places.authors, inverse: \Places.books, formerly: former)),
                .named("Author", .related(former == nil ? "books" : "works", to: "Book", at: \Places.books)),
                Self.person,
            ])
            #expect(try store.plan(new).steps == ["rename the relation Book.authors to Book.writers"])
            _ = try await store.open(new)
            #expect(try store.links("Book.writers", "Book", "Author") == ["Emma - Jane", "Emma - Tom"])
            #expect(try store.linkTables() == ["aviary_link.Book.writers"])
            #expect(try store.indexes().filter { $0.hasPrefix("aviary_link") } == ["aviary_link.Book.writers.target"])
            #expect(try store.problems() == [] && store.plan(new).kind == .none)
        }
    }

    @Test("A renamed inverse keeps the links and needs an exclusive migration")
    func renamedInverse() async throws {
        let store = try await store()
        let new = try Schema([
            .named("Book", .related("authors", to: "Author", at: \Places.authors, inverse: \Places.books)),
            .named("Author", .related("works", to: "Book", at: \Places.books)), Self.person,
        ])
        let plan = try store.plan(new)
        #expect(plan.kind == .exclusive)
        #expect(plan.steps == ["let Author.works be the other side of Book.authors, which was Author.books"])
        _ = try await store.open(new)
        #expect(try store.links("Book.authors", "Book", "Author") == ["Emma - Jane", "Emma - Tom"])
    }

    @Test("Declaring the inverse on the other side reverses the stored links")
    func reversed() async throws {
        let store = try await store()
        let new = try Schema([
            .named("Book", .related("authors", to: "Author", at: \Places.authors)),
            .named("Author", .related("books", to: "Book", at: \Places.books, inverse: \Places.authors)), Self.person,
        ])
        #expect(
            try store.plan(new).steps == ["keep the links of Book.authors as those of Author.books, its other side"])
        _ = try await store.open(new)
        #expect(try store.links("Author.books", "Author", "Book") == ["Jane - Emma", "Tom - Emma"])
        #expect(try store.relation("Author.books", refersTo: ["Author", "Book"]))
        #expect(try store.problems() == [])
    }

    @Test("An unknown original name adds a relation, and the old relation is reported as missing")
    func unknownFormerName() async throws {
        let store = try await store()
        let new = try Schema([
            .named(
                "Book",
                .related("editors", to: "Author", at: \Places.authors, inverse: \Places.books, formerly: "publishers")),
            .named("Author", .related("edited", to: "Book", at: \Places.books)), Self.person,
        ])
        #expect(
            try store.plan(new).refusals.first?.contains(
                "The relation Book.authors is in the file and not in the program") == true)
    }

    @Test("Dropping a model drops its links")
    func droppedModel() async throws {
        let store = try await store()
        let new = try Schema([.named("Book"), Self.person])
        #expect(
            try store.plan(new, MigrationInstructions(dropping: ["Author"])).steps == [
                "drop the model Author with all its records", "drop the relation Book.authors with its 2 links",
            ])
        _ = try await store.open(new, MigrationInstructions(dropping: ["Author"]))
        #expect(try store.linkTables() == [] && store.problems() == [])
        #expect(try store.values(new, of: "Book") == [[.text("Emma")]])
    }

    // MARK: Files without relations in their schema

    @Test(
        "A file whose stored schema lacks relations opens unchanged, and the store adds the relations",
        .onlySQLite("files of programs that did not record relations"))
    func silentFile() async throws {
        let store = try await store(), library = store.schema
        await (try await store.open(library)).close()
        try store.forgetRelations()
        #expect(try store.schemaLines().allSatisfy { !$0.contains("links") })
        #expect(try store.plan(library).kind == .none)
        _ = try ReaderPool.patient(store.directory, library)
        #expect(throws: StoreOpenError.self) { try ReaderPool.patient(store.directory, Self.retargeted()) }
        #expect(try store.plan(Self.retargeted()).kind == .refused)
        await (try await store.open(library)).close()
        #expect(try store.schemaLines().last == "Book.authors links(Author.books)")
        #expect(try store.links("Book.authors", "Book", "Author").count == 2)
        #expect(try store.copies() == [])
    }

    @Test(
        "In a file whose stored schema lacks relations, one-way links show that a relation is directed",
        .onlySQLite("files of programs that did not record relations"))
    func silentSymmetry() async throws {
        let store = try MigratedStore(from: Self.following())
        let (ada, bea) = (try await store.insert("Ada", into: "Person"), try await store.insert("Bea", into: "Person"))
        try await store.submit(.link(model: "Person", property: "follows", id: ada, target: bea))
        await (try await store.open(Self.following())).close()
        try store.forgetRelations()
        #expect(try store.plan(Self.following()).kind == .none)
        await (try await store.open(Self.friends())).close()
        #expect(try store.links("Person.follows", "Person", "Person") == ["Ada - Bea", "Bea - Ada"])
        try store.forgetRelations()
        // The relation may be of either kind now. The program's schema decides.
        #expect(try store.plan(Self.following()).kind == .none && store.plan(Self.friends()).kind == .none)
    }

    @Test("A file that lacks the table of a stored relation is not opened")
    func lackingTable() async throws {
        let store = try await store(), library = store.schema
        await (try await store.open(library)).close()
        let connection = try StoreEngines.standard.openWriter(store.directory)
        try connection.run("DROP TABLE \"aviary_link.Book.authors\"")
        connection.close()
        await #expect(throws: StoreOpenError.missingColumn(model: "Book", property: "authors")) {
            try await store.open(library)
        }
    }
}
