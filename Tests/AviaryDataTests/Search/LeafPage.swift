import AviaryDomain

/// A page of a book, which is searched; with pages that go with it.
struct LeafPage: Model {
    var id = RecordID<LeafPage>()
    var title: String
    var text: String?
    var mark = ""
    var next: Reference<LeafPage>?
    var followers = Related<LeafPage>()

    static let schema = declared(searching: ["title", "text"])

    static func declared(searching: Set<String>) -> ModelSchema {
        func attributes(_ name: String) -> Set<AttributeOption> { searching.contains(name) ? [.fullText] : [] }
        return ModelSchema(
            LeafPage.self,
            [
                .init(\.title, "title", attributes: attributes("title")),
                .init(\.text, "text", attributes: attributes("text")),
                .init(\.mark, "mark", attributes: attributes("mark")), .init(\.next, "next"),
                .init(\.followers, "followers", relationship: .init(deleteRule: .cascade, inverse: \LeafPage.next)),
            ])
    }

    init(_ title: String, _ text: String? = nil, mark: String = "") {
        self.title = title
        self.text = text
        self.mark = mark
    }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        title = try reader.next("title")
        text = try reader.next("text")
        mark = try reader.next("mark")
        next = try reader.next("next")
        followers = try reader.next("followers")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(title)
        writer.bind(text)
        writer.bind(mark)
        writer.bind(next)
        writer.bind(followers)
    }
}
