import AviaryDomain
import Foundation

@testable import AviaryData

// These models have many-to-many relations: Book.authors ↔ Author.books, Person.follows ↔ Person.followers, and
// Person.friends with itself. Chapter → Book and Person.parent → Person.children are for counts.

struct Book: Model {
    var id = RecordID<Book>()
    var name: String
    var authors = Related<Author>()
    var chapters = Related<Chapter>()

    static let schema = declared(authors: .init(inverse: \Author.books))

    static func declared(authors: RelationshipOptions, chapters: RelationshipOptions? = nil) -> ModelSchema {
        ModelSchema(
            Book.self,
            [
                .init(\.name, "name"),
                .init(\.authors, "authors", relationship: authors),
                .init(
                    \.chapters, "chapters",
                    relationship: chapters ?? .init(deleteRule: .cascade, inverse: \Chapter.book)),
            ])
    }

    init(name: String = "book") { self.name = name }
    init(from reader: inout FieldReader) throws { (id, name) = (try reader.next("id"), try reader.next("name")) }
    func bind(to writer: inout FieldWriter) { writer.bind(name) }
}

struct Author: Model {
    var id = RecordID<Author>()
    var name: String
    var books = Related<Book>()

    static let schema = declared(books: .init())

    static func declared(books: RelationshipOptions) -> ModelSchema {
        ModelSchema(Author.self, [.init(\.name, "name"), .init(\.books, "books", relationship: books)])
    }

    init(name: String = "author") { self.name = name }
    init(from reader: inout FieldReader) throws { (id, name) = (try reader.next("id"), try reader.next("name")) }
    func bind(to writer: inout FieldWriter) { writer.bind(name) }
}

struct Chapter: Model {
    var id = RecordID<Chapter>()
    var name = "chapter"
    var book: Reference<Book>?

    static let schema = ModelSchema(Chapter.self, [.init(\.name, "name"), .init(\.book, "book")])

    init(of book: Book?) { self.book = book.map { Reference($0) } }

    init(from reader: inout FieldReader) throws {
        (id, name) = (try reader.next("id"), try reader.next("name"))
        book = try reader.next("book")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(name)
        writer.bind(book)
    }
}

struct Person: Model {
    var id = RecordID<Person>()
    var name: String
    var parent: Reference<Person>?
    var children = Related<Person>()
    var follows = Related<Person>()
    var followers = Related<Person>()
    var friends = Related<Person>()

    static let schema = declared()

    static func declared(
        follows: RelationshipOptions = .init(inverse: \Person.followers), followers: RelationshipOptions = .init(),
        friends: RelationshipOptions = .init(.symmetric), children: RelationshipOptions? = nil
    ) -> ModelSchema {
        ModelSchema(
            Person.self,
            [
                .init(\.name, "name"),
                .init(\.parent, "parent"),
                .init(
                    \.children, "children",
                    relationship: children ?? .init(deleteRule: .cascade, inverse: \Person.parent)),
                .init(\.follows, "follows", relationship: follows),
                .init(\.followers, "followers", relationship: followers),
                .init(\.friends, "friends", relationship: friends),
            ])
    }

    init(name: String = "person", childOf parent: Person? = nil) {
        self.name = name
        self.parent = parent.map { Reference($0) }
    }

    init(from reader: inout FieldReader) throws {
        (id, name) = (try reader.next("id"), try reader.next("name"))
        parent = try reader.next("parent")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(name)
        writer.bind(parent)
    }
}

extension StoreFixture {
    /// Creates a store with the link models.
    ///
    /// - Parameters:
    ///   - authors: The options of `Book.authors`, including its inverse.
    ///   - books: The options of `Author.books`, the other side.
    static func links(
        authors: RelationshipOptions = .init(inverse: \Author.books), books: RelationshipOptions = .init(),
        chapters: RelationshipOptions? = nil, person: ModelSchema = Person.schema,
        history: HistoryPolicy = HistoryPolicy(),
        in temporary: TemporaryDirectory = TemporaryDirectory(), stepLimits: StepLimits = StepLimits()
    ) throws -> StoreFixture {
        let models = [
            Book.declared(authors: authors, chapters: chapters), Author.declared(books: books), Chapter.schema, person,
        ]
        return try StoreFixture(Schema(models), history: history, in: temporary, stepLimits: stepLimits)
    }

    /// Returns the sorted names of the linked records, as the file contains them.
    func linked<M: Model>(_ model: M, _ property: String) throws -> [String] {
        let tables = ModelTables(schema, StoreEngines.standard.dialect)
        guard let side = tables.linkSide(property, of: M.schema.name), let other = tables[side.end.other.model] else {
            return []
        }
        let sql = """
            SELECT other.name FROM \(side.table.name) AS link JOIN \(other.name) AS other ON other.id = link.\(side.other) \
            WHERE link.\(side.own) = ? ORDER BY other.name
            """
        return try readers.read { try $0.rows(sql, [.text(model.id.description)]) { $0.text(0) ?? "" } }
    }

    /// Returns the number of rows in a link table.
    func linkRows(_ relation: String) throws -> Int { try rowCount("\"aviary_link.\(relation)\"") }
}
