import Foundation
import Testing

@testable import AviaryDomain

private struct Book: Model {
    var id = RecordID<Book>()
    var title = ""
    var authors = Related<Author>()
    var editors = Related<Author>()

    static let schema = bookSchema([
        .init(
            \.authors, "authors", relationship: .init(deleteRule: .deny, minimumModelCount: 1, inverse: \Author.books))
    ])

    init(from reader: inout FieldReader) throws { title = try reader.next("title") }
    func bind(to writer: inout FieldWriter) { writer.bind(title) }
}

private struct Author: Model {
    var id = RecordID<Author>()
    var name = ""
    var favourite: Reference<Book>?
    var books = Related<Book>()
    var edited = Related<Book>()

    static let schema = authorSchema([
        .init(\.books, "books", relationship: .init(deleteRule: .cascade, maximumModelCount: 9))
    ])

    init(from reader: inout FieldReader) throws { name = try reader.next("name") }
    func bind(to writer: inout FieldWriter) { writer.bind(name) }
}

private struct Person: Model {
    var id = RecordID<Person>()
    var parent: Reference<Person>?
    var children = Related<Person>()
    var follows = Related<Person>()
    var followers = Related<Person>()
    var friends = Related<Person>()

    static let schema = ModelSchema(
        Person.self,
        [
            .init(\.parent, "parent"),
            .init(\.children, "children", relationship: .init(deleteRule: .cascade, inverse: \Person.parent)),
            .init(\.follows, "follows", relationship: .init(inverse: \Person.followers)),
            .init(\.followers, "followers", relationship: .init()),
            .init(\.friends, "friends", relationship: .init(.symmetric, maximumModelCount: 5)),
        ])

    init(from reader: inout FieldReader) throws { parent = try reader.next("parent") }
    func bind(to writer: inout FieldWriter) { writer.bind(parent) }
}

private func bookSchema(_ relations: [PropertyDefinition<Book>]) -> ModelSchema {
    ModelSchema(Book.self, [.init(\.title, "title")] + relations)
}

private func authorSchema(_ relations: [PropertyDefinition<Author>]) -> ModelSchema {
    ModelSchema(Author.self, [.init(\.name, "name"), .init(\.favourite, "favourite")] + relations)
}

@Suite("Relations")
struct RelationTests {
    @Test("Two to-many properties, one naming the other, form a many-to-many relation")
    func manyToMany() throws {
        let schema = try Schema([Author.schema, Book.schema])
        #expect(
            schema.links == [
                LinkRelation(
                    source: .init(model: "Book", property: "authors", deleteRule: .deny, count: ModelCount(minimum: 1)),
                    target: .init(
                        model: "Author", property: "books", deleteRule: .cascade, count: ModelCount(maximum: 9))
                )
            ])
        #expect(schema.links.map(\.name) == ["Book.authors"])
        #expect(schema.foreignKeys.map(\.property) == ["favourite"])
    }

    @Test("A schema finds a relation from either side")
    func ends() throws {
        let schema = try Schema([Author.schema, Book.schema])
        #expect(schema.link("authors", of: "Book").map { [$0.own.model, $0.other.model] } == ["Book", "Author"])
        #expect(schema.link("books", of: "Author").map { [$0.own.model, $0.other.model] } == ["Author", "Book"])
        #expect(schema.link("favourite", of: "Author") == nil)
        #expect(schema.link("books", of: "Book") == nil)
    }

    @Test("A model can relate to itself as a tree, with a direction and symmetrically")
    func itself() throws {
        let schema = try Schema([Person.schema])
        #expect(schema.foreignKeys.map(\.deleteRule) == [.cascade])
        #expect(schema.foreignKeys.map(\.inverse) == ["children"])
        #expect(schema.links.map(\.name).sorted() == ["Person.follows", "Person.friends"])
        #expect(schema.links.map(\.isSymmetric).sorted { !$0 && $1 } == [false, true])
        #expect(schema.link("followers", of: "Person")?.isInverse == true)
        #expect(schema.link("friends", of: "Person")?.opposite.own.property == "friends")
    }

    @Test("The two models of a relation are enough to derive it")
    func withoutSchema() throws {
        let whole = try Schema([Author.schema, Book.schema])
        for (model, name, other) in [(Book.schema, "authors", Author.schema), (Author.schema, "books", Book.schema)] {
            let property = try #require(model.property(name))
            #expect(LinkEnd(property, of: model, other: other) == whole.link(name, of: model.name))
        }
        let friends = try #require(Person.schema.property("friends"))
        #expect(LinkEnd(friends, of: Person.schema, other: Person.schema)?.relation.isSymmetric == true)
        let children = try #require(Person.schema.property("children"))
        #expect(LinkEnd(children, of: Person.schema, other: Person.schema) == nil)
    }

    @Test("A to-many property without an inverse is rejected")
    func noInverse() {
        let book = bookSchema([.init(\.authors, "authors")])
        let author = authorSchema([.init(\.books, "books")])
        #expect(
            message(book, author) == "Book.authors names no inverse, and no property of Author names it as one. "
                + "Write @Relationship(inverse: \\Author.…) with the reference that points back, or with the Related<Book> of a "
                + "many-to-many relation.\n"
                + "Author.books names no inverse, and no property of Book names it as one. "
                + "Write @Relationship(inverse: \\Book.…) with the reference that points back, or with the Related<Author> of a "
                + "many-to-many relation.")
    }

    @Test("An inverse that both sides name is rejected")
    func bothSides() {
        let author = authorSchema([.init(\.books, "books", relationship: .init(inverse: \Book.authors))])
        #expect(
            message(Book.schema, author) == "Book.authors has the inverse Author.books, which names an inverse itself. "
                + "Name the inverse on one side only: write @Relationship without inverse: on the other.")
    }

    @Test("An inverse that two relations share is rejected")
    func sharedInverse() {
        let book = bookSchema([
            .init(\.authors, "authors", relationship: .init(inverse: \Author.books)),
            .init(\.editors, "editors", relationship: .init(inverse: \Author.books)),
        ])
        #expect(
            message(book, Author.schema) == "Book.editors has the same inverse Author.books as another relation. "
                + "Give each relation an inverse of its own.")
    }

    @Test("An inverse of another type or model is rejected")
    func wrongInverse() {
        let advice =
            " has an inverse that is not a Reference<Book> of Author, nor a Related<Book>. "
            + "Name the property of Author that points back."
        let toText = bookSchema([.init(\.authors, "authors", relationship: .init(inverse: \Author.name))])
        #expect(message(toText, Author.schema) == "Book.authors" + advice)
        let unknown = bookSchema([.init(\.authors, "authors", relationship: .init(inverse: \Author.edited))])
        #expect(message(unknown, Author.schema) == "Book.authors" + advice)
        let elsewhere = bookSchema([.init(\.authors, "authors", relationship: .init(inverse: \Person.parent))])
        #expect(message(elsewhere, Author.schema, Person.schema) == "Book.authors" + advice)
    }

    @Test("A relation between two models, or with an inverse, cannot be symmetric")
    func notSymmetric() {
        let advice =
            " cannot be symmetric: that is a Related<Book> without an inverse, which is its own. Leave out .symmetric."
        let two = bookSchema([.init(\.authors, "authors", relationship: .init(.symmetric))])
        #expect(message(two, Author.schema) == "Book.authors" + advice)
        let named = bookSchema([.init(\.authors, "authors", relationship: .init(.symmetric, inverse: \Author.books))])
        #expect(message(named, Author.schema) == "Book.authors" + advice)
    }

    @Test(
        "Counts that no record can satisfy are rejected",
        arguments: [(-1, nil), (0, 0), (3, 2), (0, -1)] as [(Int, Int?)])
    func impossibleCounts(minimum: Int, maximum: Int?) {
        let book = bookSchema([
            .init(
                \.authors, "authors",
                relationship: .init(
                    minimumModelCount: minimum, maximumModelCount: maximum, inverse: \Author.books
                ))
        ])
        #expect(message(book, Author.schema)?.hasPrefix("Book.authors asks for ") == true)
        #expect(message(book, Author.schema)?.contains("which no record can have") == true)
    }

    @Test("A count describes itself in words")
    func countsInWords() {
        #expect(ModelCount().description == "any number")
        #expect(ModelCount(minimum: 1).description == "at least 1")
        #expect(ModelCount(maximum: 3).description == "at most 3")
        #expect(ModelCount(minimum: 1, maximum: 3).description == "1 to 3")
        #expect(ModelCount(minimum: 2, maximum: 2).description == "exactly 2")
        #expect(ModelCount(minimum: 1, maximum: 3).bound(brokenBy: 0) == "at least 1")
        #expect(ModelCount(minimum: 1, maximum: 3).bound(brokenBy: 4) == "at most 3")
    }

    @Test("A link change names both records and the property of the first")
    func changes() throws {
        let book = try Book.made(), author = try Author.made()
        #expect(
            Change.link(book, \.authors, author)
                == .link(model: "Book", property: "authors", id: book.id.uuid, target: author.id.uuid))
        #expect(
            Change.unlink(author.id, \.books, book.id)
                == .unlink(model: "Author", property: "books", id: author.id.uuid, target: book.id.uuid))
    }

    @Test("Link changes survive a round trip through JSON")
    func codable() throws {
        let changes: [Change] = [
            .link(model: "Book", property: "authors", id: UUID(), target: UUID()),
            .unlink(model: "Author", property: "books", id: UUID(), target: UUID()),
        ]
        let changeSet = ChangeSet(author: "ada", changes: changes)
        #expect(try JSONDecoder().decode(ChangeSet.self, from: JSONEncoder().encode(changeSet)) == changeSet)
    }

    private func message(_ models: ModelSchema...) -> String? {
        do {
            _ = try Schema(models)
            return nil
        } catch {
            return error.description
        }
    }
}

@Suite("Links in a CSV import")
struct LinkImportTests {
    private let jane = UUID.version7(), james = UUID.version7()

    private func plan(_ text: String, createRelated: Bool = false, mapping: [FieldMapping] = []) async throws
        -> ImportPlan
    {
        let schema = try Schema([Book.schema, Author.schema])
        let settings = RecordImport(model: Book.schema, schema: schema, mapping: mapping, createRelated: createRelated)
        return try await settings.plan(
            Array(text.utf8),
            lookUp: StoredInMemory { model, values in
                guard model.name == "Author" else { return [] }
                return values == ["name": .text("Jane")] ? [jane] : values == ["name": .text("James")] ? [james] : []
            })
    }

    @Test("A cell names the linked records, separated by semicolons")
    func titles() async throws {
        let plan = try await plan("title,Authors\nEmma,Jane\nBoth, Jane ;James;\nAgain,James; James\n")
        let books = plan.changes.compactMap { if case .insert("Book", let id, _) = $0 { id } else { nil } }
        try #require(books.count == 3)
        #expect(
            plan.changes.suffix(5).prefix(3) == [
                .link(model: "Book", property: "authors", id: books[0], target: jane),
                .link(model: "Book", property: "authors", id: books[1], target: jane),
                .link(model: "Book", property: "authors", id: books[1], target: james),
            ])
        #expect(plan.counts == ["Book": 3])
    }

    @Test("An unknown title creates one record if requested, or is an error with its line")
    func missing() async throws {
        let made = try await plan("title,authors\nA,Nobody\nB,Nobody;Jane\n", createRelated: true)
        #expect(made.counts == ["Book": 2, "Author": 1])
        #expect(made.changes.count == 6)
        let error = await #expect(throws: ImportError.self) { try await plan("title,authors\nA,Nobody\n") }
        #expect(error?.description.contains("line 2: authors: No author has this name.") == true)
    }
}

extension Model {
    /// Creates a model with empty values.
    fileprivate static func made() throws -> Self {
        let values: [FieldValue] = schema.storedProperties.map { $0.isOptional ? .null : .text("") }
        var reader = FieldReader(Record(id: .version7(), version: 1, values: values), of: Self.self)
        return try Self(from: &reader)
    }
}
