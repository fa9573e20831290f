import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin
@testable import AviaryCommands

@Suite("The history is undone and trimmed from the command line")
struct HistoryCommandTests {
    private let directory: TestDirectory
    private var data: String { directory.path("data") }

    init() throws {
        directory = try TestDirectory()
    }

    private func zoo(_ arguments: String...) async throws -> Program.Run {
        try await Program.run(arguments + ["--data", data])
    }

    private func importAnimals(_ names: String...) async throws {
        let file = try directory.file(
            UUID().uuidString, Array(("name\n" + names.map { $0 + "\n" }.joined()).utf8))
        let run = try await zoo("import", "Animal", file)
        #expect(run.exitCode == 0, "\(run.errors)")
    }

    private func names() async throws -> [Substring] {
        let run = try await zoo("export", "Animal")
        return run.output.split(separator: "\r\n").dropFirst().map { $0.split(separator: ",")[1] }.sorted()
    }

    @Test("Without --yes an undo shows the commit and changes nothing, and with it the records are gone")
    func undo() async throws {
        try await importAnimals("Emu", "Rhea")
        let asked = try await zoo("undo", "1")
        #expect(asked.exitCode == 0 && asked.errors.contains("2 animals inserted."), "\(asked.errors)")
        #expect(asked.errors.hasSuffix("Nothing was changed. Add --yes to undo it.\n"))
        #expect(try await names() == ["Emu", "Rhea"])
        let done = try await zoo("undo", "1", "--yes")
        #expect(done.exitCode == 0 && done.errors.contains("Undid commit 1 by commit "), "\(done.errors)")
        #expect(try await names().isEmpty)
        let again = try await zoo("undo", "1", "--yes")
        #expect(again.exitCode == 1)
    }

    @Test("A whole import is undone by the id that it printed")
    func wholeImport() async throws {
        struct Output: Decodable {
            let series: String
            let commits: [Int64]
        }
        let lines = (0..<1200).map { "Emu \($0)\n" }.joined()
        let file = try directory.file("emus.csv", Array(("name\n" + lines).utf8))
        let run = try await zoo("import", "Animal", file, "--json")
        let reported = try JSONDecoder().decode(Output.self, from: Data(run.output.utf8))
        #expect(reported.commits.count == 3 && run.errors.contains("undo \(reported.series) --data "), "\(run.errors)")
        let asked = try await zoo("undo", reported.series)
        #expect(asked.exitCode == 0 && asked.errors.contains("3 commits from "), "\(asked.errors)")
        let done = try await zoo("undo", reported.series, "--yes")
        #expect(done.exitCode == 0 && done.errors.contains("Undid 3 commits."), "\(done.errors)")
        #expect(try await names().isEmpty)
        let again = try await zoo("undo", reported.series, "--yes")
        #expect(again.exitCode == 0 && again.errors.contains("All of it is undone already."), "\(again.errors)")
    }

    @Test("A commit that the history does not have is refused")
    func unknown() async throws {
        try await importAnimals("Emu")
        let run = try await zoo("undo", "1", "99", "--yes")
        #expect(run.exitCode == 1 && run.errors.contains("The history has no commit 99"))
        #expect(try await names() == ["Emu"])
    }

    @Test("A trimmed history keeps the newest entries, and only with --yes")
    func trim() async throws {
        try await importAnimals("Emu")
        try await importAnimals("Rhea")
        let asked = try await zoo("history", "trim", "--keep", "1")
        #expect(asked.exitCode == 0 && asked.errors.contains("Would remove 1 entry up to commit "), "\(asked.errors)")
        let done = try await zoo("history", "trim", "--keep", "1", "--yes")
        #expect(done.exitCode == 0 && done.errors.contains("; 1 entry remain"), "\(done.errors)")
        #expect(try await zoo("undo", "1").exitCode == 1)
        #expect(try await names() == ["Emu", "Rhea"])
        #expect(try await zoo("history", "trim").exitCode == 2)
    }

    @Test("The history after a commit is exported, and no times are mixed up with commits")
    func since() async throws {
        try await importAnimals("Emu")
        let first = try await zoo("export", "--history", "Animal", "--format", "jsonl")
        try await importAnimals("Rhea")
        let rest = try await zoo("export", "--history", "Animal", "--format", "jsonl", "--since", "1")
        #expect(first.output.split(separator: "\n").count == 1)
        #expect(rest.output.split(separator: "\n").count == 1 && rest.output.contains("Rhea"))
        #expect(try await zoo("export", "--events", "--since", "1").exitCode == 2)
    }

    @Test("The records that changed after a commit are exported, and deleted ones are named")
    func recordsSince() async throws {
        try await importAnimals("Emu")
        let first = try await zoo("export", "Animal", "--json", "--output", directory.path("first.csv"))
        let commit = try #require(first.output.firstMatch(of: /"commit":([0-9]+)/)?.output.1)
        try await importAnimals("Rhea")
        #expect(try await zoo("delete", "Animal", "--query", "q=Emu", "--yes").exitCode == 0)
        let rest = try await zoo("export", "Animal", "--since", String(commit), "--format", "jsonl")
        let lines = rest.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.first?.contains("Rhea") == true, "\(rest.output)")
        #expect(lines.last?.contains(#","deleted":true,"commit":"#) == true, "\(rest.output)")
        #expect(rest.errors.contains("Deleted since: 1 animal."), "\(rest.errors)")
        #expect(try await zoo("export", "Animal", "--since", "2026-01-01").exitCode == 2)
        #expect(try await zoo("export", "Animal", "--since", "999").exitCode == 1)
    }
}

@Suite("The bounds of the history are settings of the server")
struct HistoryLimitsTests {
    @Test("A duration and a size become bounds, and pass to other processes")
    func parsed() throws {
        let limits = try HistoryLimits(age: "90d", size: "512M")
        #expect(limits.age == .seconds(90 * 86_400) && limits.size == 512 << 20)
        #expect(try HistoryLimits.fromEnvironment(limits.environment) == limits)
        #expect(try HistoryLimits.fromEnvironment([:]) == HistoryLimits(age: nil, size: nil))
    }

    @Test(
        "What is too small, too large or no number is refused",
        arguments: [
            ("59m", nil), ("90", nil), ("-1d", nil), ("99999999999999999d", nil), ("1000000d", nil), (nil, "1"),
            (nil, "1023K"), (nil, "-1G"), (nil, "lots"), (nil, "9999999999999T"),
        ] as [(String?, String?)])
    func refused(age: String?, size: String?) {
        #expect(throws: HistoryLimitError.self) { try HistoryLimits(age: age, size: size) }
    }

    @Test("A bound that the operator does not set stays that of the application")
    func merged() {
        let policy = HistoryPolicy(maximumAge: .seconds(7200), maximumSize: 1 << 21).excluding("Animal")
        let bounded = policy.bounded(age: .seconds(3600), size: nil)
        #expect(bounded.maximumAge == .seconds(3600) && bounded.maximumSize == 1 << 21)
        #expect(bounded.excludedModels == ["Animal"])
    }
}
