import AviaryDomain

/// A library of books with authors, who are friends with each other.
enum LibraryV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any Model.Type] { [Book.self, Author.self] }

    struct Book: NamedModel {
        static let schema = ModelSchema(
            Self.self,
            [
                .init(\.name, "name"), .init(\.authors, "authors", relationship: .init(inverse: \Author.books)),
            ])
        var id = RecordID<Book>()
        var name = ""
        var authors = Related<Author>()
    }

    struct Author: NamedModel {
        static let schema = ModelSchema(
            Self.self,
            [
                .init(\.name, "name"), .init(\.books, "books", relationship: .init()),
                .init(\.friends, "friends", relationship: .init(.symmetric)),
            ])
        var id = RecordID<Author>()
        var name = ""
        var books = Related<Book>()
        var friends = Related<Author>()
    }
}

/// A library in which authors are renamed to writers and books to works.
enum LibraryV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any Model.Type] { [Work.self, Writer.self] }

    struct Work: NamedModel {
        static let schema = ModelSchema(
            Self.self,
            [
                .init(\.name, "name"), .init(\.authors, "authors", relationship: .init(inverse: \Writer.books)),
            ])
        var id = RecordID<Work>()
        var name = ""
        var authors = Related<Writer>()
    }

    struct Writer: NamedModel {
        static let schema = ModelSchema(
            Self.self,
            [
                .init(\.name, "name"), .init(\.books, "books", relationship: .init()),
                .init(\.friends, "friends", relationship: .init(.symmetric)),
            ])
        var id = RecordID<Writer>()
        var name = ""
        var books = Related<Work>()
        var friends = Related<Writer>()
    }
}

/// A library in which books have contributors, who are people with the identifiers of authors. The model of authors
/// still exists.
enum LibraryV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any Model.Type] { [Book.self, Author.self, Person.self] }

    struct Book: NamedModel {
        static let schema = ModelSchema(
            Self.self,
            [
                .init(\.name, "name"),
                .init(
                    \.contributors, "contributors", relationship: .init(originalName: "authors", inverse: \Person.works)
                ),
            ])
        var id = RecordID<Book>()
        var name = ""
        var contributors = Related<Person>()
    }

    struct Author: NamedModel {
        static let schema = ModelSchema(
            Self.self,
            [
                .init(\.name, "name"), .init(\.friends, "friends", relationship: .init(.symmetric)),
            ])
        var id = RecordID<Author>()
        var name = ""
        var friends = Related<Author>()
    }

    struct Person: NamedModel {
        static let schema = ModelSchema(
            Self.self, [.init(\.name, "name"), .init(\.works, "works", relationship: .init())])
        var id = RecordID<Person>()
        var name = ""
        var works = Related<Book>()
    }
}

/// A model whose only stored property is its name.
protocol NamedModel: Model {
    init()
    var id: RecordID<Self> { get set }
    var name: String { get set }
}

extension NamedModel {
    init(id: RecordID<Self> = RecordID(), named name: String) {
        self.init()
        self.id = id
        self.name = name
    }

    init(from reader: inout FieldReader) throws {
        self.init(id: try reader.next("id"), named: try reader.next("name"))
    }

    func bind(to writer: inout FieldWriter) { writer.bind(name) }
}
