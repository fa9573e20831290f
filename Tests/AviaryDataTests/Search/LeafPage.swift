import AviaryDomain
import Foundation

@testable import AviaryData

/// A page of a book with full-text search, and with pages whose deletes cascade.
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

extension StoreFixture {
    static func pages(
        _ searching: Set<String> = ["title", "text"], in temporary: TemporaryDirectory = TemporaryDirectory()
    ) throws -> StoreFixture {
        try StoreFixture(Schema([LeafPage.declared(searching: searching)]), in: temporary)
    }

    var pages: Repository<LeafPage> { repository(LeafPage.self) }

    func titles(_ search: String) async throws -> [String] {
        try await pages.search(search).map(\.title).sorted()
    }

    /// Returns the differences between the records and the searched texts with their index; empty if there are
    /// none.
    func searchProblems() throws -> [String] {
        try readers.read { connection in
            let name = "\"aviary_search.LeafPage\"", index = "\"aviary_search.LeafPage.words\""
            var problems = try connection.rows("SELECT model || ' ' || id FROM aviary_search") {
                "noted: \($0.text(0) ?? "")"
            }
            let end = TestEngine.isPostgreSQL ? "" : " || 'ZZ'"
            let wanted = try connection.rows(
                "SELECT id, aviary_fold(title)\(end), aviary_fold(text)\(end) FROM \"LeafPage\" ORDER BY id"
            ) { "\($0.values(0..<3))" }
            let kept = try connection.rows("SELECT id, title, text FROM \(name) ORDER BY id") { "\($0.values(0..<3))" }
            if wanted != kept { problems.append("\(kept) instead of \(wanted)") }
            // The server maintains its index itself.
            guard !TestEngine.isPostgreSQL else { return problems }
            // Every sequence of three characters in a text is found in its row and in no other.
            let rows = try connection.rows("SELECT number, title, text FROM \(name)") {
                ($0.integer(0), $0.text(1) ?? "", $0.text(2) ?? "")
            }
            var places: [String: Set<Int64>] = [:]
            for (number, title, text) in rows {
                for text in [title, text] {
                    let scalars = Array(text.unicodeScalars)
                    for start in scalars.indices.dropLast(2) {
                        places[String(String.UnicodeScalarView(scalars[start..<(start + 3)])), default: []].insert(
                            number)
                    }
                }
            }
            for (part, numbers) in places {
                let query = "\"" + part.replacing("\"", with: "\"\"") + "\""
                let found = try connection.rows("SELECT rowid FROM \(index) WHERE \(index) MATCH ?", [.text(query)]) {
                    $0.integer(0)
                }
                if Set(found) != numbers { problems.append("\(part): \(found) instead of \(numbers)") }
            }
            let all = try connection.rows("SELECT rowid FROM \(index)") { $0.integer(0) }
            if Set(all) != Set(rows.map(\.0)) { problems.append("rows \(all)") }
            return problems
        }
    }
}
