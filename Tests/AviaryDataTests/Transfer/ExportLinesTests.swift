import AllTypesModel
import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Export as JSON Lines")
struct ExportLinesTests {
    @Test("A line contains numbers, nested JSON and null as JSON values")
    func json() async throws {
        let fixture = try StoreFixture(Schema([Exhibit.schema]))
        var exhibit = Exhibit.greatest
        exhibit.parent = nil
        exhibit.price = Decimal(string: "-0.05") ?? 0
        exhibit.double = 0.1
        try await fixture.insert(exhibit)
        let text = try await fixture.exported(Exhibit.schema, as: .jsonl)
        #expect(text.hasSuffix("}\n") && text.dropLast().allSatisfy { $0 != "\n" })
        for part in [
            #""flag":true"#, #""price":-0.05"#, #""double":0.1"#, #""parent":null"#, #""tags":["#, #""origin":{"#,
            #""grade":7"#, #""uint64":9223372036854775807"#,
        ] {
            #expect(text.contains(part), "\(part)")
        }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["text"] as? String == exhibit.text)
        #expect(object["id"] as? String == exhibit.id.uuid.canonicalText)
        #expect(object.count == Exhibit.schema.storedProperties.count + 1)
    }

    @Test("A round trip through JSON Lines preserves values of every type")
    func linesRoundTrip() async throws {
        let fixture = try StoreFixture(Schema([Exhibit.schema]))
        var generator = SeededGenerator(seed: 11)
        var exhibits = [Exhibit(), .least, .greatest] + (0..<200).map { _ in Exhibit.random(using: &generator) }
        for (index, text) in ["=1+1", "'=1", "'", "", "null", "[]", "{}", "NA", "\u{2028}", "a\nb"].enumerated() {
            exhibits[index + 3].text = text
            exhibits[index + 3].tags = [text, "=1"]
        }
        exhibits[20].maybeImage = Data()
        exhibits[20].maybeTags = []
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: exhibits.map(\.insertion)))
        let text = try await fixture.exported(Exhibit.schema, as: .jsonl)
        let other = try StoreFixture(fixture.schema)
        let report = try await other.importLines(text, of: Exhibit.schema)
        #expect(report.inserted == ["Exhibit": exhibits.count])
        let before = try fixture.contents(), after = try other.contents()
        for (id, values) in before["Exhibit"] ?? [:] {
            let found = try #require(after["Exhibit"]?[id])
            for (property, pair) in zip(Exhibit.schema.storedProperties, zip(values, found)) {
                #expect(pair.0 == pair.1, "\(property.name)")
            }
        }
        let again = try await other.importLines(text, of: Exhibit.schema, match: .id)
        #expect(again.unchanged == exhibits.count && again.commits.isEmpty)
    }

    @Test("An import of JSON Lines restores the links of a model and replaces those of an updated record")
    func lineLinks() async throws {
        let schema = try Schema([Book.schema, Author.schema, Chapter.schema])
        let fixture = try StoreFixture(schema)
        let book = Book(name: "Book"), authors = (0..<3).map { Author(name: "Author \($0)") }
        _ = try await fixture.store.submit(
            ChangeSet(author: "test", changes: [book.insertion] + authors.map(\.insertion)))
        for author in authors[..<2] {
            try await fixture.submit(
                .link(model: "Book", property: "authors", id: book.id.uuid, target: author.id.uuid))
        }
        let other = try StoreFixture(schema)
        for model in [Author.schema, Book.schema] {
            _ = try await other.importLines(try await fixture.exported(model, as: .jsonl), of: model)
        }
        #expect(try other.linksAsText() == fixture.linksAsText())
        let line =
            #"{"id":"\#(book.id.uuid.canonicalText)","authors":["\#(authors[2].id.uuid.canonicalText)","Author 0"]}"#
        let report = try await other.importLines(line, of: Book.schema, match: .id)
        #expect(report.updated == 1)
        #expect(
            Set(try other.linksAsText())
                == Set(
                    [0, 2].map { "Book.authors \(book.id.uuid.canonicalText) \(authors[$0].id.uuid.canonicalText)" }))
    }

    @Test(
        "A line that is not a JSON object is reported with its number, and nothing is stored",
        arguments: [
            ("{\"code\":1", "line 2: "), ("[]", "line 2: "), ("{\"code\":\"a\"}{}", "line 2: "),
            ("{\"code\":\"a\",\"code\":\"b\"}", "line 2: "),
            ("{\"code\":" + String(repeating: "[", count: 10_000), "line 2: "), ("{\"code\":7.5}", ""),
        ])
    func badLines(line: String, place: String) async throws {
        let fixture = try StoreFixture.snapshots()
        do {
            _ = try await fixture.importLines("{\"code\":\"first\"}\n\(line)\n{\"code\":\"last\"}\n", of: Site.schema)
            #expect(place.isEmpty)
        } catch let error as ImportError {
            #expect(error.description.hasPrefix(place), "\(error)")
            #expect(try fixture.contents()["Site"]?.isEmpty != false)
        }
    }
}
