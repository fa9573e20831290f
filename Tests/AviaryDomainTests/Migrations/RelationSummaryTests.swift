import Testing

@testable import AviaryDomain

@Suite("Schema summary of many-to-many relations")
struct RelationSummaryTests {
    private struct Book: Model {
        static let schema = ModelSchema(
            Self.self,
            [
                .init(\.authors, "authors", relationship: .init(inverse: \Author.books))
            ])
        var id = RecordID<Book>()
        var authors = Related<Author>()
        init() {}
        init(from reader: inout FieldReader) throws { id = try reader.next("id") }
        func bind(to writer: inout FieldWriter) {}
    }

    private struct Author: Model {
        static let schema = ModelSchema(
            Self.self,
            [
                .init(\.books, "books", relationship: .init()),
                .init(\.friends, "friends", relationship: .init(.symmetric)),
            ])
        var id = RecordID<Author>()
        var books = Related<Book>()
        var friends = Related<Author>()
        init() {}
        init(from reader: inout FieldReader) throws { id = try reader.next("id") }
        func bind(to writer: inout FieldWriter) {}
    }

    private let schema = Result { try Schema([Book.schema, Author.schema]) }

    @Test("Each relation has one line with both ends, and a symmetric relation names itself")
    func lines() throws {
        #expect(
            try schema.get().summary == ["Author.friends links(Author.friends)", "Book.authors links(Author.books)"])
        #expect(try schema.get().propertyLines == [])
    }

    @Test("A schema without many-to-many relations has only property lines")
    func without() throws {
        let name = PropertySchema(
            name: "name", type: .string, isOptional: false, attributes: [], keyPath: \String.count, relationship: nil,
            makeDefault: nil
        )
        let schema = try Schema([ModelSchema(name: "Animal", properties: [name])])
        #expect(schema.summary == ["Animal.name string"] && schema.summary == schema.propertyLines)
    }

    @Test("The parsed lines match the relations that they describe")
    func readAgain() throws {
        let schema = try schema.get(), summary = SchemaSummary(lines: schema.summary, models: ["Author", "Book"])
        #expect(summary.unreadableLines == [])
        #expect(summary.relations.map(\.isSymmetric) == [true, false])
        #expect(summary.relation("Book.authors")?.inverse == "books")
        for relation in schema.links { #expect(summary.relation(relation.name)?.fits(relation) == true) }
        #expect(SchemaDifference(from: summary, to: schema).changes.isEmpty)
    }

    @Test("A choice whose value resembles a relation is parsed as a choice")
    func choice() {
        let summary = SchemaSummary(lines: ["Animal.diet choice( links(A.b)"])
        #expect(summary.relations.isEmpty && summary.models["Animal"]?.first?.type == .choice([" links(A.b"]))
    }

    @Test("An additional or different relation makes the schema difference exclusive")
    func otherRelations() throws {
        func difference(_ lines: String...) throws -> SchemaDifference {
            SchemaDifference(from: SchemaSummary(lines: lines, models: ["Author", "Book"]), to: try schema.get())
        }
        let same = "Author.friends links(Author.friends)"
        #expect(try difference(same, "Book.authors links(Person.books)").kind == .exclusive)
        #expect(try difference(same, "Book.authors links(Author.works)").kind == .exclusive)
        #expect(
            try difference("Author.friends links(Author.fans)", "Book.authors links(Author.books)").kind == .exclusive)
        #expect(
            try difference(same, "Book.authors links(Author.books)", "Book.editors links(Author.edited)").kind
                == .exclusive)
        #expect(try difference(same).kind == .additive)
    }

    @Test("A model mismatch names the property whose relation differs")
    func mismatch() throws {
        func check(_ lines: String...) throws {
            for model in [Book.schema, Author.schema] {
                try ModelMismatch.check(model, against: SchemaSummary(lines: lines, models: ["Author", "Book"]))
            }
        }
        try check("Author.friends links(Author.friends)", "Book.authors links(Author.books)")
        try check()
        let book = #expect(throws: ModelMismatch.self) { try check("Book.authors links(Person.books)") }
        #expect(book?.properties == ["authors"] && book?.model == "Book")
        let author = #expect(throws: ModelMismatch.self) { try check("Author.friends links(Author.fans)") }
        #expect(author?.properties == ["friends"])
    }

    @Test("The inverse of a reference cannot have an original name")
    func originalNameOfReference() throws {
        struct Chapter: Model {
            static let schema = ModelSchema(Self.self, [.init(\.volume, "volume")])
            var id = RecordID<Chapter>()
            var volume: Reference<Volume>?
            init() {}
            init(from reader: inout FieldReader) throws {
                (id, volume) = (try reader.next("id"), try reader.next("volume"))
            }
            func bind(to writer: inout FieldWriter) { writer.bind(volume) }
        }
        struct Volume: Model {
            static let schema = ModelSchema(
                Self.self,
                [
                    .init(\.chapters, "chapters", relationship: .init(originalName: "parts", inverse: \Chapter.volume))
                ])
            var id = RecordID<Volume>()
            var chapters = Related<Chapter>()
            init() {}
            init(from reader: inout FieldReader) throws { id = try reader.next("id") }
            func bind(to writer: inout FieldWriter) {}
        }
        let error = #expect(throws: SchemaError.self) { try Schema([Volume.schema, Chapter.schema]) }
        #expect(try #require(error).description.contains("what is stored is the reference Chapter.volume"))
    }
}
