import AllTypesModel
import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Export of records")
struct ExportTests {
    @Test("A round trip through CSV preserves values of every type")
    func roundTrip() async throws {
        let fixture = try StoreFixture(Schema([Exhibit.schema]))
        var generator = SeededGenerator(seed: 7)
        var exhibits = [Exhibit(), .least, .greatest] + (0..<200).map { _ in Exhibit.random(using: &generator) }
        // The records have references to earlier and later lines, and texts that a spreadsheet would treat as
        // formulas.
        for (index, text) in ["=1+1", "+1", "-1", "@a", "\tx", "\rx", "'=1", "'", "''", "it's", "", ",", "\"", "\r\n"]
            .enumerated()
        {
            exhibits[index + 3].text = text
            exhibits[index + 3].tags = [text, "=1"]
            exhibits[index + 3].parent = Reference(id: exhibits[(index * 37) % exhibits.count].id)
        }
        exhibits[20].maybeImage = Data()
        exhibits[20].maybeTags = []
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: exhibits.map(\.insertion)))
        let other = try StoreFixture(fixture.schema)
        try await other.importCSV(try await fixture.exported(Exhibit.schema, as: .csv), of: Exhibit.schema)
        let before = try fixture.contents(), after = try other.contents()
        #expect(after["Exhibit"]?.count == exhibits.count)
        for (id, values) in before["Exhibit"] ?? [:] {
            let found = try #require(after["Exhibit"]?[id])
            for (property, pair) in zip(Exhibit.schema.storedProperties, zip(values, found)) {
                #expect(pair.0 == pair.1, "\(property.name)")
            }
        }
    }

    @Test("A round trip through CSV distinguishes an empty string from nil")
    func emptyText() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insert(Specimen(note: ""), Specimen(note: nil), Specimen(note: "'"))
        let text = try await fixture.exported(Specimen.schema, as: .csv)
        let other = try StoreFixture.snapshots()
        try await other.importCSV(text, of: Specimen.schema)
        #expect(try fixture.contents() == other.contents())
    }

    @Test("A CSV file has a header of id and properties, CRLF line ends and quoted cells")
    func format() async throws {
        let fixture = try StoreFixture.snapshots()
        let site = Site(code: "A,\"1\"")
        try await fixture.insert(site)
        #expect(
            try await fixture.exported(Site.schema, as: .csv)
                == "id,code\r\n\(site.id.uuid.canonicalText),\"A,\"\"1\"\"\"\r\n")
        #expect(
            try await fixture.exported(Site.schema, as: .jsonl)
                == "{\"id\":\"\(site.id.uuid.canonicalText)\",\"code\":\"A,\\\"1\\\"\"}\n")
    }

    @Test("No string in CSV begins like a formula, and numbers stay numbers")
    func formulas() async throws {
        let fixture = try StoreFixture.snapshots()
        var specimen = Specimen(label: "=cmd|' /C calc'!A0", note: "-1")
        specimen.number = -1
        specimen.weight = -0.5
        try await fixture.insert(specimen)
        let line = try #require(try await fixture.exported(Specimen.schema, as: .csv).split(separator: "\r\n").last)
        #expect(line.hasPrefix("\(specimen.id.uuid.canonicalText),'=cmd|' /C calc'!A0,'-1,false,-1,-0.5,"))
    }

    @Test("An export never contains secrets", arguments: ExportFormat.allCases)
    func secrets(format: ExportFormat) async throws {
        let fixture = try StoreFixture(Schema([Supplier.schema]))
        try await fixture.insert(Supplier("Hay & Co", accessKey: "opensesame-1", pin: "pin-4711"))
        let text = try await fixture.exported(Supplier.schema, as: format)
        #expect(text.contains("Hay & Co"))
        for secret in ["opensesame", "pin-4711", "accessKey", "pin"] { #expect(!text.contains(secret), "\(secret)") }
    }

    @Test("The summary of an export names its commit, and the file is private to its owner")
    func moment() async throws {
        let fixture = try StoreFixture.snapshots()
        let site = Site(code: "A")
        let commit = try await fixture.insert(site, Specimen(site: site)).commit
        let path = fixture.temporary.path + "/moment.csv"
        let summary = try await fixture.exports.export(Specimen.schema, as: .csv, to: .file(path), progress: { _ in })
        try await fixture.insert(Specimen())
        #expect(summary == ExportSummary(model: "Specimen", records: 1, commit: commit, path: path))
        #expect(try permissions(path) == 0o600)
    }

    @Test("An export never overwrites a file and leaves no incomplete file")
    func files() async throws {
        let fixture = try StoreFixture.snapshots()
        let path = fixture.temporary.path + "/there.csv"
        try Data("mine".utf8).write(to: URL(filePath: path))
        await #expect(throws: FileError.exists(path)) {
            try await fixture.exports.export(Site.schema, as: .csv, to: .file(path), progress: { _ in })
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        let cancellationToken = CancellationToken()
        cancellationToken.request()
        let other = fixture.temporary.path + "/other.csv"
        let interrupted = SQLExportRepository(
            data: fixture.directory.path, schema: fixture.schema, cancellationToken: cancellationToken)
        await #expect(throws: SnapshotError.self) {
            try await interrupted.export(Site.schema, as: .csv, to: .file(other), progress: { _ in })
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: fixture.temporary.path).filter {
            $0.hasPrefix("other")
        }
        #expect(left.isEmpty)
    }

    @Test("An export without a store fails and creates nothing")
    func missing() async throws {
        let path = TemporaryDirectory().path + "/none"
        await #expect(throws: StoreOpenError.self) {
            try await SQLExportRepository(data: path, schema: .snapshots())
                .export(Site.schema, as: .csv, to: .file(path + ".csv"), progress: { _ in })
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(!FileManager.default.fileExists(atPath: path + ".csv"))
    }

    @Test("A CSV file has the links of the declaring model, and JSON has the links of both sides")
    func links() async throws {
        let schema = try Schema([Book.schema, Author.schema, Chapter.schema])
        let fixture = try StoreFixture(schema)
        let books = (0..<3).map { Book(name: "Book \($0)") }, authors = (0..<3).map { Author(name: "Author \($0)") }
        _ = try await fixture.store.submit(
            ChangeSet(author: "test", changes: books.map(\.insertion) + authors.map(\.insertion)))
        for (book, author) in [(0, 0), (0, 2), (2, 0)] {
            try await fixture.submit(
                .link(model: "Book", property: "authors", id: books[book].id.uuid, target: authors[author].id.uuid))
        }
        let other = try StoreFixture(schema)
        for model in [Author.schema, Book.schema] {
            try await other.importCSV(try await fixture.exported(model, as: .csv), of: model)
        }
        #expect(try other.linksAsText() == fixture.linksAsText())
        #expect(try fixture.linksAsText().count == 3)
        #expect(try await !fixture.exported(Author.schema, as: .csv).contains("books"))
        let line = try #require(
            try await fixture.exported(Author.schema, as: .jsonl).split(separator: "\n").first {
                $0.contains("Author 0")
            })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(Set(object["books"] as? [String] ?? []) == Set([books[0], books[2]].map(\.id.uuid.canonicalText)))
    }

    @Test("A round trip through one CSV file restores links within a model")
    func amongThemselves() async throws {
        let schema = try Schema([Person.schema])
        let fixture = try StoreFixture(schema)
        var people = (0..<4).map { Person(name: "Person \($0)") }
        people[0].parent = Reference(people[3])
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: people.map(\.insertion)))
        for (property, from, to) in [
            ("friends", 0, 1), ("friends", 3, 2), ("friends", 2, 2), ("follows", 3, 0), ("follows", 0, 3),
        ] {
            try await fixture.submit(
                .link(model: "Person", property: property, id: people[from].id.uuid, target: people[to].id.uuid))
        }
        let other = try StoreFixture(schema)
        try await other.importCSV(try await fixture.exported(Person.schema, as: .csv), of: Person.schema)
        #expect(try other.contents() == fixture.contents())
        #expect(try other.linksAsText() == fixture.linksAsText())
        #expect(try fixture.linksAsText().count == 7)
    }

    @Test("An export contains only the matching records in the order of the query")
    func filtered() async throws {
        let fixture = try StoreFixture.snapshots()
        for code in ["b", "C", "a", "D"] { try await fixture.insert(Site(code: code)) }
        let path = fixture.temporary.path + "/" + UUID().uuidString
        let query = ExportQuery(
            conditions: [.not(.equal(.property("code"), .constant(.text("C"))))],
            order: ListOrder(property: "code", direction: .descending))
        let summary = try await fixture.exports.export(
            Site.schema, query, as: .csv, to: .file(path), progress: { _ in })
        #expect(summary.records == 3)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\r\n").dropFirst().map {
            $0.suffix(1)
        }
        #expect(lines == ["D", "b", "a"])
    }

    @Test("An export omits the properties that the query leaves out", arguments: [ExportFormat.csv, .jsonl])
    func leavingOut(format: ExportFormat) async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let file = try await SQLListExport(data: fixture.directory.path, readers: fixture.readers).file(
            of: Specimen.schema, ExportQuery(leavingOut: ["note", "site"]), as: format)
        let text = try String(contentsOfFile: file.path, encoding: .utf8)
        #expect(text.contains("Egg") && text.contains("weight"))
        #expect(!text.contains("blue") && !text.contains("note") && !text.contains("site"))
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
