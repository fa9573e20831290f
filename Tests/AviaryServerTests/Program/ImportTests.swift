import Foundation
import Testing

@Suite("The penguins of the Palmer Archipelago are imported")
struct ImportTests {
    private let directory: TestDirectory
    private var data: String { directory.path("data") }

    private static let mapping = ["--map", "name=Individual ID", "--map", "category=Species", "--create-related", "--null", "NA"]
    private static let penguins = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/penguins-raw.csv").path

    init() throws {
        directory = try TestDirectory()
    }

    @Test("344 animals of 3 categories; deleting one of them asks for 152 and leaves 192")
    func penguins() async throws {
        let run = try await importAnimals(Self.penguins, ["--json"])
        #expect(run.exitCode == 0)
        #expect(run.output == #"{"dryRun":false,"inserted":{"Animal":344,"AnimalCategory":3}}"# + "\n")
        #expect(run.errors == "Imported 344 animals and 3 animal categories.\n")
        let server = try await Server.start(in: directory)
        let browser = Browser(server)
        #expect(try await counts(browser) == [344, 3])
        let adelie = "Adelie Penguin (Pygoscelis adeliae)"
        let address = try #require(try await browser.get("/admin/animal-categories").address(of: adelie))
        let id = String(try #require(address.split(separator: "/").last))
        let asked = try await browser.delete("animal-categories", [id])
        #expect(asked.status == 409)
        let question = try asked.json(DeletionTests.Asked.self).question
        #expect(question.title == "Delete 1 animal category?")
        #expect(question.lines == ["152 animals go with “\(adelie)”."])
        #expect(try await counts(browser) == [344, 3])
        #expect(try await browser.delete("animal-categories", [id], allow: question.allow).status == 200)
        #expect(try await counts(browser) == [192, 2])
        await server.kill()
    }

    @Test("A dry run tells the same numbers and stores nothing")
    func dryRun() async throws {
        let run = try await importAnimals(Self.penguins, ["--json", "--dry-run"])
        #expect(run.exitCode == 0)
        #expect(run.output == #"{"dryRun":true,"inserted":{"Animal":344,"AnimalCategory":3}}"# + "\n")
        #expect(!FileManager.default.fileExists(atPath: data))
        try await expectNothingStored()
    }

    @Test("A second import finds the categories of the first")
    func again() async throws {
        #expect(try await importAnimals(Self.penguins).exitCode == 0)
        let run = try await importAnimals(Self.penguins, ["--json"])
        #expect(run.output == #"{"dryRun":false,"inserted":{"Animal":344}}"# + "\n")
    }

    @Test("A column that the header does not have is told with those that it has")
    func wrongHeader() async throws {
        let run = try await importAnimals(try directory.file("a.csv", Array("Name,Species\nEmu,Bird\n".utf8)))
        #expect(run.exitCode == 1)
        #expect(run.errors.contains(#"The file has no column "Individual ID". It has "Name" and "Species"."#))
        try await expectNothingStored()
    }

    @Test("A line with too few fields, or that is no UTF-8, is named, and nothing of the file is stored", arguments: [
        Array("Individual ID,Species\nN1,Bird\nN2\nN3,Bird\n".utf8),
        Array("Individual ID,Species\nN1,Bird\nN2,\u{0}".utf8.dropLast()) + [0xFF, 0xFE] + Array("\nN3,Bird\n".utf8),
    ])
    func damagedLine(content: [UInt8]) async throws {
        let run = try await importAnimals(try directory.file("a.csv", content))
        #expect(run.exitCode == 1)
        #expect(run.output == "")
        #expect(run.errors.contains("Nothing was imported."))
        #expect(run.errors.contains("line 3: "))
        #expect(!run.errors.contains("line 2: ") && !run.errors.contains("line 4: "))
        try await expectNothingStored()
    }

    @Test("A file that is not there is told by its name")
    func missingFile() async throws {
        let run = try await importAnimals(directory.path("missing.csv"))
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("missing.csv"))
        #expect(!FileManager.default.fileExists(atPath: data))
    }

    @Test("While a server has the directory, the import goes through it, and its pages show the rows at once")
    func throughServer() async throws {
        let server = try await Server.start(in: directory)
        let run = try await importAnimals(Self.penguins)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(try await counts(Browser(server)) == [344, 3])
        await server.kill()
        let again = try await Server.start(in: directory)
        #expect(try await counts(Browser(again)) == [344, 3])
        await again.kill()
    }

    private func importAnimals(_ file: String, _ options: [String] = []) async throws -> Program.Run {
        try await Program.run(["import", "Animal", file, "--data", data] + Self.mapping + options)
    }

    private func expectNothingStored() async throws {
        let server = try await Server.start(in: directory)
        #expect(try await counts(Browser(server)) == [0, 0])
        await server.kill()
    }

    /// Animals and categories, as the list pages count them.
    private func counts(_ browser: Browser) async throws -> [Int] {
        var counts: [Int] = []
        for model in ["animals", "animal-categories"] {
            let header = try await browser.get("/admin/\(model)").body.firstMatch(of: /<\/h1><span class="count" data-count="(\d+)"/)
            counts.append(try #require(header.flatMap { Int($0.1) }))
        }
        return counts
    }
}
