import Foundation
import Testing

@testable import AviaryCommands

@Suite("Importing the Palmer penguins")
struct ImportTests {
    /// The output of `--json`.
    private struct Output: Decodable {
        struct Problem: Decodable, Equatable {
            let line: Int?
            let message: String
        }

        let dryRun: Bool
        let inserted: [String: Int]
        let updated: Int
        let unchanged: Int
        let commits: [Int64]
        let problems: [Problem]
        let unusedColumns: [String]
        let moreProblems: Int
        let wrongLines: Lines?

        struct Lines: Decodable {
            let count: Int
            let ranges: [[Int]]
            let last: Int
        }
    }

    private let directory: TestDirectory
    private var data: String { directory.path("data") }

    private static let mapping = [
        "--map", "name=Individual ID", "--map", "category=Species", "--create-related", "--null", "NA",
    ]
    private static let penguins = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/penguins-raw.csv").path

    init() throws {
        directory = try TestDirectory()
    }

    @Test("344 animals of 3 categories are imported; deleting one category deletes its 152 animals")
    func penguins() async throws {
        let run = try await importAnimals(Self.penguins, ["--json"])
        #expect(run.exitCode == 0)
        let reported = try run.json(Output.self)
        #expect(reported.inserted == ["Animal": 344, "AnimalCategory": 3] && !reported.dryRun && reported.updated == 0)
        #expect(reported.commits.count == 1 && reported.problems.isEmpty)
        #expect(
            run.errors.hasPrefix(
                "Imported 344 animals and 3 animal categories.\nNot used: “studyName”, “Sample Number”, “Region”,"))
        #expect(run.errors.contains(".\nDefaults used: diet (344 lines).\nTo undo all of it: "))
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
        #expect(question.lines == ["152 animals that belong to “\(adelie)” will be deleted too."])
        #expect(try await counts(browser) == [344, 3])
        #expect(try await browser.delete("animal-categories", [id], allow: question.allow).status == 200)
        #expect(try await counts(browser) == [192, 2])
        await server.kill()
    }

    @Test("A dry run reports the same numbers and stores nothing")
    func dryRun() async throws {
        let run = try await importAnimals(Self.penguins, ["--json", "--dry-run"])
        #expect(run.exitCode == 0)
        let reported = try run.json(Output.self)
        #expect(reported.inserted == ["Animal": 344, "AnimalCategory": 3] && reported.dryRun)
        #expect(reported.commits.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: data))
        try await expectNothingStored()
    }

    @Test("A second import reuses the categories of the first")
    func again() async throws {
        #expect(try await importAnimals(Self.penguins).exitCode == 0)
        let run = try await importAnimals(Self.penguins, ["--json"])
        #expect(try run.json(Output.self).inserted == ["Animal": 344])
    }

    @Test("A mapped column that is missing is an error that lists the available columns")
    func wrongHeader() async throws {
        let run = try await importAnimals(try directory.file("a.csv", Array("Name,Species\nEmu,Bird\n".utf8)))
        #expect(run.exitCode == 1)
        #expect(run.errors.contains(#"The file has no column “Individual ID”. Available: “Name” and “Species”."#))
        try await expectNothingStored()
    }

    @Test(
        "A line with missing fields or invalid UTF-8 is reported, and nothing is imported",
        arguments: [
            Array("Individual ID,Species\nN1,Bird\nN2\nN3,Bird\n".utf8),
            Array("Individual ID,Species\nN1,Bird\nN2,\u{0}".utf8.dropLast()) + [0xFF, 0xFE]
                + Array("\nN3,Bird\n".utf8),
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

    @Test("An unused column is reported")
    func unusedColumn() async throws {
        let file = try directory.file("a.csv", Array("name,cattegory\nEmu,Bird\n".utf8))
        let run = try await Program.run(["import", "Animal", file, "--json", "--dry-run", "--data", data])
        #expect(run.exitCode == 0)
        #expect(run.errors == "Would import 1 animal.\nNot used: “cattegory”.\nDefaults used: diet (1 line).\n")
        #expect(try run.json(Output.self).unusedColumns == ["cattegory"])
        let mapped = try await Program.run([
            "import", "Animal", file, "--map", "name=name", "--json", "--dry-run", "--data", data,
        ])
        #expect(mapped.errors == run.errors)
        #expect(try mapped.json(Output.self).unusedColumns == ["cattegory"])
    }

    @Test("A server removes expired import files when it starts")
    func expired() async throws {
        let folder = data + "/imports/someone"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: data)
        for (name, age) in [("old", 3700.0), ("new", 60)] {
            try Data("name\n".utf8).write(to: URL(filePath: folder + "/" + name))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: folder + "/" + name)
        }
        let server = try await Server.start(in: directory)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["new"])
        await server.kill()
    }

    @Test("A missing file is reported by name")
    func missingFile() async throws {
        let run = try await importAnimals(directory.path("missing.csv"))
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("missing.csv"))
        #expect(!FileManager.default.fileExists(atPath: data))
    }

    @Test(
        "Records survive an import, a backup, a restore, an export and another import unchanged",
        arguments: ["csv", "jsonl"])
    func around(format: String) async throws {
        func zoo(_ arguments: String...) async throws {
            let run = try await Program.run(arguments)
            #expect(run.exitCode == 0, "\(arguments) \(run.errors)")
        }
        #expect(try await importAnimals(Self.penguins).exitCode == 0)
        let (second, third, snapshot) = (
            directory.path("second"), directory.path("third"), directory.path("snapshot.jsonl.gz")
        )
        try await zoo("backup", "--data", data, "--output", snapshot)
        try await zoo("restore", snapshot, "--yes", "--data", second)
        let models = ["AnimalCategory", "Animal"]
        for model in models {
            try await zoo("export", model, "--format", format, "--data", data, "--output", directory.path(model + "1"))
            try await zoo(
                "export", model, "--format", format, "--data", second, "--output", directory.path(model + "2"))
            try await zoo("import", model, directory.path(model + "2"), "--data", third)
            try await zoo("export", model, "--format", format, "--data", third, "--output", directory.path(model + "3"))
            let texts = try ["1", "2", "3"].map {
                try String(contentsOfFile: directory.path(model + $0), encoding: .utf8)
            }
            #expect(texts[0] == texts[1] && texts[1] == texts[2])
        }
        let lines = try String(contentsOfFile: directory.path("Animal3"), encoding: .utf8).split(
            whereSeparator: \.isNewline
        ).count
        #expect(lines == (format == "csv" ? 345 : 344))
    }

    @Test("A long import takes several commits, and an error on its last line stores nothing")
    func batches() async throws {
        let lines = (0..<1203).map { "Animal \($0),herbivorous" }
        let bad = try directory.file(
            "bad.csv", Array((["name,diet"] + lines + ["Last,wooden"]).joined(separator: "\n").utf8))
        let refused = try await Program.run(["import", "Animal", bad, "--json", "--data", data])
        #expect(refused.exitCode == 1)
        let reported = try refused.json(Output.self)
        #expect(reported.problems.map(\.line) == [1205] && reported.commits.isEmpty && reported.inserted.isEmpty)
        try await expectNothingStored()
        let good = try directory.file("good.csv", Array((["name,diet"] + lines).joined(separator: "\n").utf8))
        let run = try await Program.run(["import", "Animal", good, "--json", "--data", data])
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(try run.json(Output.self).commits.count == 3)
        #expect(try run.json(Output.self).inserted == ["Animal": 1203])
    }

    @Test("Beyond the listed problems, the report gives the ranges of wrong lines")
    func wrongLines() async throws {
        let lines =
            (0..<300).map { "Animal \($0),\($0 < 100 ? "herbivorous" : "wooden")" } + [
                "Good,herbivorous", "Last,wooden",
            ]
        let file = try directory.file("bad.csv", Array((["name,diet"] + lines).joined(separator: "\n").utf8))
        let reported = try await Program.run(["import", "Animal", file, "--json", "--data", data]).json(Output.self)
        #expect(reported.problems.count == 100 && reported.moreProblems == 101)
        #expect(
            reported.wrongLines?.count == 201 && reported.wrongLines?.ranges == [[102, 301], [303, 303]]
                && reported.wrongLines?.last == 303)
    }

    @Test("With --on-error skip the good lines are stored, and the mended file of the others imports")
    func rejects() async throws {
        let file = try directory.file("a.csv", Array("name,diet\nEmu,wooden\nRhea,herbivorous\nKiwi,wooden\n".utf8))
        let rejects = directory.path("rejects.csv")
        let run = try await Program.run([
            "import", "Animal", file, "--on-error", "skip", "--rejects", rejects, "--json", "--data", data,
        ])
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.errors.contains("2 lines from 2 to 4: diet: ") && run.errors.contains("“wooden” (2)."))
        #expect(try run.json(Output.self).inserted == ["Animal": 1])
        let text = try String(contentsOfFile: rejects, encoding: .utf8)
        try Data(text.replacing("wooden", with: "omnivorous").utf8).write(to: URL(filePath: rejects))
        let mended = try await Program.run(["import", "Animal", rejects, "--json", "--data", data])
        #expect(try mended.json(Output.self).inserted == ["Animal": 2])
        let again = try await Program.run([
            "import", "Animal", file, "--on-error", "skip", "--rejects", rejects, "--data", data,
        ])
        #expect(again.exitCode == 2 && again.errors.contains("exists already"))
    }

    @Test("A compressed export in another place comes back, and skips what exists")
    func compressed() async throws {
        #expect(try await importAnimals(Self.penguins).exitCode == 0)
        let file = directory.path("categories.csv.gz")
        let exported = try await Program.run(["export", "AnimalCategory", "--output", file, "--data", data])
        #expect(exported.exitCode == 0, "\(exported.errors)")
        #expect(try Data(contentsOf: URL(filePath: file)).prefix(2) == Data([0x1F, 0x8B]))
        let elsewhere = try await Program.run([
            "import", "AnimalCategory", file, "--json", "--data", directory.path("elsewhere"),
        ])
        #expect(try elsewhere.json(Output.self).inserted == ["AnimalCategory": 3])
        let again = try await Program.run([
            "import", "AnimalCategory", file, "--on-duplicate", "skip", "--json", "--data", data,
        ])
        #expect(
            again.exitCode == 0 && again.errors == "Imported nothing.\nSkipped 3 lines whose record exists.\n",
            "\(again.errors)")
    }

    @Test("A file of a German spreadsheet is read by its separator and encoding")
    func spreadsheet() async throws {
        let text = Array("name;diet\nM".utf8) + [0xF6] + Array("we;herbivorous\n".utf8)
        let file = try directory.file("a.csv", text)
        let run = try await Program.run(["import", "Animal", file, "--encoding", "latin1", "--data", data])
        #expect(run.exitCode == 0, "\(run.errors)")
        let exported = try await Program.run(["export", "Animal", "--data", data])
        #expect(exported.output.contains(",Möwe,herbivorous,"))
    }

    @Test("The option --after-line continues an import after the given line")
    func afterLine() async throws {
        let file = try directory.file("a.csv", Array("name,diet\nEmu,wooden\nRhea,herbivorous\nKiwi,omnivorous\n".utf8))
        func run(_ options: String...) async throws -> Program.Run {
            try await Program.run(["import", "Animal", file, "--json", "--data", data] + options)
        }
        #expect(try await run("--after-line", "3", "--dry-run").json(Output.self).inserted == ["Animal": 1])
        #expect(try await run("--after-line", "2").json(Output.self).inserted == ["Animal": 2])
        #expect(try await run("--after-line", "4").errors.contains("The file contains no records after line 4."))
        #expect(try await run("--after-line", "-1").exitCode == 2)
    }

    @Test("An import of exported JSON Lines with --update-by changes only records that differ")
    func jsonLines() async throws {
        #expect(try await importAnimals(Self.penguins).exitCode == 0)
        let file = directory.path("animals.jsonl")
        let exported = try await Program.run([
            "export", "Animal", "--format", "jsonl", "--output", file, "--data", data,
        ])
        #expect(exported.exitCode == 0, "\(exported.errors)")
        let same = try await Program.run(["import", "Animal", file, "--update-by", "id", "--json", "--data", data])
        #expect(same.exitCode == 0, "\(same.errors)")
        #expect(try same.json(Output.self).unchanged == 344)
        #expect(try same.json(Output.self).commits.isEmpty)
        let text = try String(contentsOfFile: file, encoding: .utf8).replacing("\"N1A1\"", with: "\"N1A1 again\"")
        try Data(text.utf8).write(to: URL(filePath: file))
        let changed = try await Program.run(["import", "Animal", file, "--update-by", "id", "--json", "--data", data])
        let reported = try changed.json(Output.self)
        #expect(reported.updated > 0 && reported.updated + reported.unchanged == 344 && reported.inserted.isEmpty)
        let found = try await Program.run(["export", "Animal", "--query", "q=N1A1%20again", "--data", data])
        #expect(found.output.split(separator: "\r\n").count == reported.updated + 1, "\(found.errors)")
    }

    @Test("While a server runs, an import uses it, and its pages show the rows immediately")
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

    /// Returns the numbers of animals and categories in the list pages.
    private func counts(_ browser: Browser) async throws -> [Int] {
        var counts: [Int] = []
        for model in ["animals", "animal-categories"] {
            let header = try await browser.get("/admin/\(model)").body.firstMatch(
                of: /<\/h1><span class="count" data-count="(\d+)"/)
            counts.append(try #require(header.flatMap { Int($0.1) }))
        }
        return counts
    }
}

extension Program.Run {
    fileprivate func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(output.utf8))
    }
}
