import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin
@testable import AviaryCommands

@Suite("Records are deleted and updated from the command line")
struct BulkCommandTests {
    private struct RunReport: Decodable {
        let matched: Int
        let deleted: [String: Int]?
        let changed: Int?
        let unchanged: Int?
        let obstacles: [String]?
        let commit: Int64?
        let commits: [Int64]?
        let undo: String?
        let milliseconds: Int?
    }

    private let directory: TestDirectory
    private var data: String { directory.path("data") }

    init() throws {
        directory = try TestDirectory()
    }

    private func zoo(_ arguments: String...) async throws -> Program.Run {
        try await Program.run(arguments + ["--data", data])
    }

    private func report(of run: Program.Run) throws -> RunReport {
        try JSONDecoder().decode(RunReport.self, from: Data(run.output.utf8))
    }

    private func importAnimals(_ lines: [String]) async throws {
        let file = try directory.file(
            UUID().uuidString, Array(("name,diet,category\n" + lines.joined(separator: "\n") + "\n").utf8))
        let run = try await zoo("import", "Animal", file, "--create-related")
        #expect(run.exitCode == 0, "\(run.errors)")
    }

    private func names() async throws -> [Substring] {
        let run = try await zoo("export", "Animal")
        return run.output.split(separator: "\r\n").dropFirst().map { $0.split(separator: ",")[1] }.sorted()
    }

    private func diets() async throws -> [String: Int] {
        struct Line: Decodable { let diet: String }
        let run = try await zoo("export", "Animal", "--format", "jsonl")
        return try run.output.split(separator: "\n").reduce(into: [:]) { counts, line in
            counts[try JSONDecoder().decode(Line.self, from: Data(line.utf8)).diet, default: 0] += 1
        }
    }

    private let three = ["Emu,herbivorous,Birds", "Rhea,herbivorous,Birds", "Lion,carnivorous,Cats"]

    @Test("A dry run of a delete counts the records that match, and changes nothing")
    func dryRun() async throws {
        try await importAnimals(three)
        let run = try await zoo("delete", "Animal", "--query", "filter.diet=herbivorous", "--dry-run", "--json")
        #expect(run.exitCode == 0 && run.errors.contains("Matching: 2 animals."), "\(run.errors)")
        let report = try report(of: run)
        #expect(report.matched == 2 && report.deleted == ["Animal": 2] && report.commit == nil)
        #expect(try await names() == ["Emu", "Lion", "Rhea"])
    }

    @Test("A delete by a filter removes the records that match by one commit, and its undo restores them")
    func deleteAndUndo() async throws {
        try await importAnimals(three)
        let run = try await zoo(
            "delete", "animals", "--query", "?filter.diet=herbivorous&sort=-name", "--yes", "--json")
        #expect(run.exitCode == 0 && run.errors.contains("Deleted 2 animals."), "\(run.errors)")
        let commit = try #require(try report(of: run).commit)
        #expect(run.errors.contains("undo \(commit) --data "), "\(run.errors)")
        #expect(try await names() == ["Lion"])
        #expect(try await zoo("undo", "\(commit)", "--yes").exitCode == 0)
        #expect(try await names() == ["Emu", "Lion", "Rhea"])
    }

    @Test("A delete counts the records that delete rules take along")
    func cascade() async throws {
        try await importAnimals(three)
        let run = try await zoo("delete", "AnimalCategory", "--all", "--yes", "--json")
        #expect(run.exitCode == 0 && run.errors.contains("Deleted with them: 3 animals."), "\(run.errors)")
        #expect(try report(of: run).deleted == ["AnimalCategory": 2, "Animal": 3])
        #expect(try await names() == [])
    }

    @Test("A delete and an update are events with the model and the number of records")
    func events() async throws {
        try await importAnimals(three)
        _ = try await zoo("update", "Animal", "--query", "q=Emu", "--set", "diet=omnivorous", "--yes")
        _ = try await zoo("delete", "Animal", "--all", "--yes")
        let run = try await zoo("export", "--events")
        #expect(run.output.contains(",recordUpdate,command line,,Animal 1,"), "\(run.output)")
        #expect(run.output.contains(",recordDelete,command line,,Animal 3,"), "\(run.output)")
    }

    @Test(
        "A query that could mean more than its writer thinks is refused",
        arguments: [
            ["--query", ""], ["--query", "sort=name"], ["--query", "diet=herbivorous"], ["--query", "filter.diet="],
            ["--query", "q=Emu&filter.diet="], ["--query", "filter.dite=herbivorous"], ["--query", "q=Emu&size=50"],
            ["--query", "q=Emu", "--all"], [],
        ])
    func refused(query: [String]) async throws {
        try await importAnimals(three)
        for command in [["delete", "Animal"], ["update", "Animal", "--set", "diet=omnivorous"]] {
            let run = try await Program.run(command + query + ["--yes", "--data", data])
            #expect(run.exitCode == 2, "\(run.errors)")
        }
        #expect(try await diets() == ["herbivorous": 2, "carnivorous": 1])
    }

    @Test("Without a terminal and without --yes nothing is asked and nothing is changed")
    func unasked() async throws {
        try await importAnimals(three)
        #expect(try await zoo("delete", "Animal", "--all").exitCode == 2)
        #expect(try await names() == ["Emu", "Lion", "Rhea"])
    }

    @Test("An update of many records is stored in several commits, and one undo takes all of it back")
    func updateAndUndo() async throws {
        try await importAnimals((0..<1100).map { "Emu \($0),herbivorous,Birds" } + ["Lion,carnivorous,Cats"])
        let run = try await zoo(
            "update", "Animal", "--query", "filter.diet=herbivorous", "--set", "diet=omnivorous", "--set",
            "category=Cats", "--yes", "--json")
        #expect(run.exitCode == 0 && run.errors.contains("Changed 1,100 animals."), "\(run.errors)")
        let report = try report(of: run)
        #expect(report.changed == 1100 && report.commits?.count == 3 && report.milliseconds != nil)
        #expect(try await diets() == ["omnivorous": 1100, "carnivorous": 1])
        let undo = try #require(report.undo)
        #expect(run.errors.contains("undo \(undo) --data "), "\(run.errors)")
        #expect(try await zoo("undo", undo, "--yes").exitCode == 0)
        #expect(try await diets() == ["herbivorous": 1100, "carnivorous": 1])
    }

    @Test("An update leaves records as they are that have the values already, and a dry run counts both")
    func unchanged() async throws {
        try await importAnimals(three)
        let arguments = ["update", "Animal", "--all", "--set", "diet=herbivorous", "--json"]
        let asked = try await Program.run(arguments + ["--dry-run", "--data", data])
        let forecast = try report(of: asked)
        #expect(forecast.matched == 3 && forecast.changed == 1 && forecast.unchanged == 2, "\(asked.output)")
        #expect(try await diets() == ["herbivorous": 2, "carnivorous": 1])
        let done = try report(of: try await Program.run(arguments + ["--yes", "--data", data]))
        #expect(done.changed == 1 && done.commits?.count == 1 && done.undo == done.commits?.first.map { "\($0)" })
        #expect(try await diets() == ["herbivorous": 3])
    }

    @Test(
        "A value that does not fit changes nothing",
        arguments: ["diet=grass", "category=Fish", "name=", "nmae=Emu", "diet", "diet=omnivorous"])
    func wrongValue(constant: String) async throws {
        try await importAnimals(three)
        let twice = constant == "diet=omnivorous" ? ["--set", "diet=carnivorous"] : []
        let run = try await Program.run(
            ["update", "Animal", "--all", "--set", constant, "--yes", "--data", data] + twice)
        #expect(run.exitCode != 0, "\(run.errors)")
        #expect(try await names() == ["Emu", "Lion", "Rhea"])
        #expect(try await diets() == ["herbivorous": 2, "carnivorous": 1])
    }
}
