@testable import AviaryData
import AviaryDomain
import Exhibits
import Foundation
import Testing

@Suite("Exporting a model's records")
struct ExportTests {
    @Test("Exported as CSV and imported into an empty store, every value of every type is the same again")
    func roundTrip() async throws {
        let fixture = try StoreFixture(Schema([Exhibit.schema]))
        var generator = SeededGenerator(seed: 7)
        var exhibits = [Exhibit(), .least, .greatest] + (0..<200).map { _ in Exhibit.random(using: &generator) }
        // References to lines before and behind, and texts that a spreadsheet would take for formulas.
        for (index, text) in ["=1+1", "+1", "-1", "@a", "\tx", "\rx", "'=1", "'", "''", "it's", "", ",", "\"", "\r\n"].enumerated() {
            exhibits[index + 3].text = text
            exhibits[index + 3].tags = [text, "=1"]
            exhibits[index + 3].parent = Reference(id: exhibits[(index * 37) % exhibits.count].id)
        }
        exhibits[20].maybeImage = Data()
        exhibits[20].maybeTags = []
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: exhibits.map(\.insertion)))
        let other = try StoreFixture(fixture.schema)
        try await importCSV(try await export(fixture, Exhibit.schema, as: .csv), of: Exhibit.schema, into: other)
        let before = try fixture.contents(), after = try other.contents()
        #expect(after["Exhibit"]?.count == exhibits.count)
        for (id, values) in before["Exhibit"] ?? [:] {
            let found = try #require(after["Exhibit"]?[id])
            for (property, pair) in zip(Exhibit.schema.storedProperties, zip(values, found)) {
                #expect(pair.0 == pair.1, "\(property.name)")
            }
        }
    }

    @Test("An optional text that is there and empty is not the same as none")
    func emptyText() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insert(Specimen(note: ""), Specimen(note: nil), Specimen(note: "'"))
        let text = try await export(fixture, Specimen.schema, as: .csv)
        let other = try StoreFixture.snapshots()
        try await importCSV(text, of: Specimen.schema, into: other)
        #expect(try fixture.contents() == other.contents())
    }

    @Test("The header is the id and the properties, lines end with CRLF, and cells are quoted where they need it")
    func format() async throws {
        let fixture = try StoreFixture.snapshots()
        let site = Site(code: "A,\"1\"")
        try await fixture.insert(site)
        #expect(try await export(fixture, Site.schema, as: .csv) == "id,code\r\n\(site.id.uuid.canonicalText),\"A,\"\"1\"\"\"\r\n")
        #expect(try await export(fixture, Site.schema, as: .jsonl) == "{\"id\":\"\(site.id.uuid.canonicalText)\",\"code\":\"A,\\\"1\\\"\"}\n")
    }

    @Test("No cell of a text begins as a formula does, and numbers stay numbers")
    func formulas() async throws {
        let fixture = try StoreFixture.snapshots()
        var specimen = Specimen(label: "=cmd|' /C calc'!A0", note: "-1")
        specimen.number = -1
        specimen.weight = -0.5
        try await fixture.insert(specimen)
        let line = try #require(try await export(fixture, Specimen.schema, as: .csv).split(separator: "\r\n").last)
        #expect(line.hasPrefix("\(specimen.id.uuid.canonicalText),'=cmd|' /C calc'!A0,'-1,false,-1,-0.5,"))
    }

    @Test("A line of JSON has numbers as numbers, JSON as it is, and null for nothing")
    func json() async throws {
        let fixture = try StoreFixture(Schema([Exhibit.schema]))
        var exhibit = Exhibit.greatest
        exhibit.parent = nil
        exhibit.price = Decimal(string: "-0.05") ?? 0
        exhibit.double = 0.1
        try await fixture.insert(exhibit)
        let text = try await export(fixture, Exhibit.schema, as: .jsonl)
        #expect(text.hasSuffix("}\n") && text.dropLast().allSatisfy { $0 != "\n" })
        for part in [#""flag":true"#, #""price":-0.05"#, #""double":0.1"#, #""parent":null"#, #""tags":["#, #""origin":{"#, #""grade":7"#, #""uint64":9223372036854775807"#] {
            #expect(text.contains(part), "\(part)")
        }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["text"] as? String == exhibit.text)
        #expect(object["id"] as? String == exhibit.id.uuid.canonicalText)
        #expect(object.count == Exhibit.schema.storedProperties.count + 1)
    }

    @Test("Secrets are never exported, in no format", arguments: ExportFormat.allCases)
    func secrets(format: ExportFormat) async throws {
        let fixture = try StoreFixture(Schema([Supplier.schema]))
        try await fixture.insert(Supplier("Hay & Co", accessKey: "opensesame-1", pin: "pin-4711"))
        let text = try await export(fixture, Supplier.schema, as: format)
        #expect(text.contains("Hay & Co"))
        for secret in ["opensesame", "4711", "accessKey", "pin"] { #expect(!text.contains(secret), "\(secret)") }
    }

    @Test("The records are of one moment, also when the store goes on")
    func moment() async throws {
        let fixture = try StoreFixture.snapshots()
        let site = Site(code: "A")
        let commit = try await fixture.insert(site, Specimen(site: site)).commit
        let path = fixture.temporary.path + "/moment.csv"
        let summary = try await repository(fixture).export(Specimen.schema, as: .csv, to: .file(path), progress: { _ in })
        try await fixture.insert(Specimen())
        #expect(summary == ExportSummary(model: "Specimen", records: 1, commit: commit, path: path))
        #expect(try permissions(path) == 0o600)
    }

    @Test("A file is never overwritten, and one that is not complete does not appear")
    func files() async throws {
        let fixture = try StoreFixture.snapshots()
        let path = fixture.temporary.path + "/there.csv"
        try Data("mine".utf8).write(to: URL(filePath: path))
        await #expect(throws: FileError.exists(path)) {
            try await repository(fixture).export(Site.schema, as: .csv, to: .file(path), progress: { _ in })
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        let interruption = Interruption()
        interruption.request()
        let other = fixture.temporary.path + "/other.csv"
        let interrupted = SQLExportRepository(data: fixture.directory.path, schema: fixture.schema, interruption: interruption)
        await #expect(throws: SnapshotError.self) {
            try await interrupted.export(Site.schema, as: .csv, to: .file(other), progress: { _ in })
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: fixture.temporary.path).filter { $0.hasPrefix("other") }
        #expect(left.isEmpty)
    }

    @Test("Nothing is made where there is no store")
    func missing() async throws {
        let path = TemporaryDirectory().path + "/none"
        await #expect(throws: StoreOpenError.self) {
            try await SQLExportRepository(data: path, schema: .snapshots())
                .export(Site.schema, as: .csv, to: .file(path + ".csv"), progress: { _ in })
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(!FileManager.default.fileExists(atPath: path + ".csv"))
    }

    @Test("Links stand with the model that declares them, and come back with it; JSON has them on both sides")
    func links() async throws {
        let schema = try Schema([Book.schema, Author.schema, Chapter.schema])
        let fixture = try StoreFixture(schema)
        let books = (0..<3).map { Book(name: "Book \($0)") }, authors = (0..<3).map { Author(name: "Author \($0)") }
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: books.map(\.insertion) + authors.map(\.insertion)))
        for (book, author) in [(0, 0), (0, 2), (2, 0)] {
            try await fixture.submit(.link(model: "Book", property: "authors", id: books[book].id.uuid, target: authors[author].id.uuid))
        }
        let other = try StoreFixture(schema)
        for model in [Author.schema, Book.schema] {
            try await importCSV(try await export(fixture, model, as: .csv), of: model, into: other)
        }
        #expect(try links(other) == links(fixture))
        #expect(try links(fixture).count == 3)
        #expect(try await !export(fixture, Author.schema, as: .csv).contains("books"))
        let line = try #require(try await export(fixture, Author.schema, as: .jsonl).split(separator: "\n").first { $0.contains("Author 0") })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(Set(object["books"] as? [String] ?? []) == Set([books[0], books[2]].map(\.id.uuid.canonicalText)))
    }

    @Test("Records that are linked with others of their own model come back in one file")
    func amongThemselves() async throws {
        let schema = try Schema([Person.schema])
        let fixture = try StoreFixture(schema)
        var people = (0..<4).map { Person(name: "Person \($0)") }
        people[0].parent = Reference(people[3])
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: people.map(\.insertion)))
        for (property, from, to) in [("friends", 0, 1), ("friends", 3, 2), ("friends", 2, 2), ("follows", 3, 0), ("follows", 0, 3)] {
            try await fixture.submit(.link(model: "Person", property: property, id: people[from].id.uuid, target: people[to].id.uuid))
        }
        let other = try StoreFixture(schema)
        try await importCSV(try await export(fixture, Person.schema, as: .csv), of: Person.schema, into: other)
        #expect(try other.contents() == fixture.contents())
        #expect(try links(other) == links(fixture))
        #expect(try links(fixture).count == 7)
    }

    private func links(_ fixture: StoreFixture) throws -> [String] {
        try fixture.readers.read { connection in
            try fixture.schema.links.flatMap { relation in
                let table = connection.dialect.name(LinkTable.namePrefix + relation.name)
                return try connection.rows("SELECT source, target FROM \(table)") { row in
                    [relation.name, row.text(0) ?? "", row.text(1) ?? ""].joined(separator: " ")
                }
            }
        }.sorted()
    }

    private func repository(_ fixture: StoreFixture) -> SQLExportRepository {
        SQLExportRepository(data: fixture.directory.path, schema: fixture.schema)
    }

    private func export(_ fixture: StoreFixture, _ model: ModelSchema, as format: ExportFormat) async throws -> String {
        let path = fixture.temporary.path + "/" + UUID().uuidString
        defer { unlink(path) }
        _ = try await repository(fixture).export(model, as: format, to: .file(path), progress: { _ in })
        return String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    private func importCSV(_ text: String, of model: ModelSchema, into fixture: StoreFixture) async throws {
        let plan = try await RecordImport(model: model, schema: fixture.schema).plan(Array(text.utf8), lookUp: Stored(fixture: fixture))
        _ = try await fixture.store.submit(plan.changeSet(author: "test"))
    }

    private func importLines(_ text: String, of model: ModelSchema, into fixture: StoreFixture, match: ImportMatch = .none) async throws -> ImportReport {
        let path = fixture.temporary.path + "/" + UUID().uuidString
        defer { unlink(path) }
        try Data(text.utf8).write(to: URL(filePath: path))
        let source = try FileImportSource(path)
        #expect(source.format == .jsonl)
        return try await RecordImport(model: model, schema: fixture.schema, match: match).run(source, lookUp: Stored(fixture: fixture)) {
            try await fixture.store.submit($0.changeSet(author: "test"))
        }
    }

    @Test("Exported as JSON Lines and imported into an empty store, every value of every type is the same again")
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
        let text = try await export(fixture, Exhibit.schema, as: .jsonl)
        let other = try StoreFixture(fixture.schema)
        let report = try await importLines(text, of: Exhibit.schema, into: other)
        #expect(report.inserted == ["Exhibit": exhibits.count])
        let before = try fixture.contents(), after = try other.contents()
        for (id, values) in before["Exhibit"] ?? [:] {
            let found = try #require(after["Exhibit"]?[id])
            for (property, pair) in zip(Exhibit.schema.storedProperties, zip(values, found)) { #expect(pair.0 == pair.1, "\(property.name)") }
        }
        let again = try await importLines(text, of: Exhibit.schema, into: other, match: .id)
        #expect(again.unchanged == exhibits.count && again.commits.isEmpty)
    }

    @Test("Links come back from JSON Lines with the model that declares them, and change with the records that have them")
    func lineLinks() async throws {
        let schema = try Schema([Book.schema, Author.schema, Chapter.schema])
        let fixture = try StoreFixture(schema)
        let book = Book(name: "Book"), authors = (0..<3).map { Author(name: "Author \($0)") }
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: [book.insertion] + authors.map(\.insertion)))
        for author in authors[..<2] {
            try await fixture.submit(.link(model: "Book", property: "authors", id: book.id.uuid, target: author.id.uuid))
        }
        let other = try StoreFixture(schema)
        for model in [Author.schema, Book.schema] { _ = try await importLines(try await export(fixture, model, as: .jsonl), of: model, into: other) }
        #expect(try links(other) == links(fixture))
        let line = #"{"id":"\#(book.id.uuid.canonicalText)","authors":["\#(authors[2].id.uuid.canonicalText)","Author 0"]}"#
        let report = try await importLines(line, of: Book.schema, into: other, match: .id)
        #expect(report.updated == 1)
        #expect(Set(try links(other)) == Set([0, 2].map { "Book.authors \(book.id.uuid.canonicalText) \(authors[$0].id.uuid.canonicalText)" }))
    }

    @Test("Lines that are no objects are told by their numbers, and nothing is stored", arguments: [
        ("{\"code\":1", "line 2: "), ("[]", "line 2: "), ("{\"code\":\"a\"}{}", "line 2: "), ("{\"code\":\"a\",\"code\":\"b\"}", "line 2: "),
        ("{\"code\":" + String(repeating: "[", count: 10_000), "line 2: "), ("{\"code\":7.5}", ""),
    ])
    func badLines(line: String, place: String) async throws {
        let fixture = try StoreFixture.snapshots()
        do {
            _ = try await importLines("{\"code\":\"first\"}\n\(line)\n{\"code\":\"last\"}\n", of: Site.schema, into: fixture)
            #expect(place.isEmpty)
        } catch let error as ImportError {
            #expect(error.description.hasPrefix(place), "\(error)")
            #expect(try fixture.contents()["Site"]?.isEmpty != false)
        }
    }

    @Test("Only the records that are asked for are exported, in the order of the list")
    func narrowed() async throws {
        let fixture = try StoreFixture.snapshots()
        for code in ["b", "C", "a", "D"] { try await fixture.insert(Site(code: code)) }
        let path = fixture.temporary.path + "/" + UUID().uuidString
        let query = ExportQuery(conditions: [.not(.equal(.property("code"), .constant(.text("C"))))], order: ListOrder(property: "code", direction: .descending))
        let summary = try await repository(fixture).export(Site.schema, query, as: .csv, to: .file(path), progress: { _ in })
        #expect(summary.records == 3)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\r\n").dropFirst().map { $0.suffix(1) }
        #expect(lines == ["D", "b", "a"])
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}

private struct Stored: RecordLookUp {
    let fixture: StoreFixture

    private func repository(_ model: ModelSchema) -> SQLRecordRepository {
        SQLRecordRepository(model: model, schema: fixture.schema, readers: fixture.readers, writer: fixture.store)
    }

    func ids(of model: ModelSchema, where values: [String: FieldValue]) async throws -> [UUID] {
        try await repository(model).ids(where: values, limit: 2)
    }

    func contains(_ id: UUID, of model: ModelSchema) async throws -> Bool { try await repository(model).find(id) != nil }
    func record(_ id: UUID, of model: ModelSchema) async throws -> Record? { try await repository(model).find(id) }

    func links(of property: String, of model: ModelSchema, id: UUID) async throws -> [UUID] {
        try await repository(model).related(to: [id], by: property, limit: 100)[id]?.first.map(\.id) ?? []
    }

    func count(of property: String, of model: ModelSchema, id: UUID) async throws -> Int {
        try await repository(model).related(to: [id], by: property, limit: 0)[id]?.count ?? 0
    }
}
