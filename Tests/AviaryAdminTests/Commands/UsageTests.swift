import Testing

@testable import AviaryCommands

@Suite("Command-line usage")
struct UsageTests {
    @Test(
        "Wrong usage exits with 2 and writes only to standard error",
        arguments: [
            ["fly"], ["serve", "--nope"], ["serve", "--port", "x"], ["serve", "--port"], ["serve", "extra"], ["import"],
            ["import", "Animal"], ["import", "Unicorn", "/dev/null"],
            ["import", "Animal", "/dev/null", "--map", "name"],
            ["import", "Animal", "/dev/null", "--map", "nope=name"],
            ["import", "Animal", "/dev/null", "--update-by", "nope"],
            ["import", "Animal", "/dev/null", "--on-duplicate", "update"],
            ["import", "Animal", "/dev/null", "--on-duplicate", "fail", "--update-by", "id"],
            ["import", "Animal", "/dev/null", "--rejects", "rejects.csv"],
            ["import", "Animal", "/dev/null", "--delimiter", "ab"],
            ["import", "Animal", "/dev/null", "--encoding", "ebcdic"],
            ["import", "Animal", "/dev/null", "--set", "diet"],
            ["import", "Animal", "/dev/null", "--set", "diet=wooden"],
        ])
    func wrong(arguments: [String]) async throws {
        let run = try await Program.run(arguments)
        #expect(run.exitCode == 2)
        #expect(run.output == "")
        #expect(!run.errors.isEmpty)
    }

    @Test(
        "An unknown model is reported with the command's own usage",
        arguments: [["import", "Unicorn", "/dev/null"], ["export", "Unicorn"]])
    func ownUsage(arguments: [String]) async throws {
        let run = try await Program.run(arguments)
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("Usage: zoo \(arguments[0]) "), "\(run.errors)")
    }

    @Test("An invalid port is wrong usage", arguments: ["-1", "65536", "99999"])
    func noPort(port: String) async throws {
        let run = try await Program.run(["serve", "--in-process", "--port=\(port)", "--data", "/nonexistent/data"])
        #expect(run.exitCode == 2)
    }

    @Test("An invalid port in the environment is reported")
    func environment() async throws {
        let run = try await Program.run(
            ["serve", "--in-process", "--data", "/dev/null/data"], environment: ["AVIARY_PORT": "eighty"]
        )
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("AVIARY_PORT"))
    }

    @Test(
        "Help exits with 0 and writes to standard output",
        arguments: [["--help"], ["serve", "--help"], ["import", "--help"], ["help", "serve"]])
    func help(arguments: [String]) async throws {
        let run = try await Program.run(arguments)
        #expect(run.exitCode == 0)
        #expect(run.output.contains("USAGE: zoo"))
        #expect(run.errors == "")
    }

    @Test("An unknown model is reported with the available models")
    func unknownModel() async throws {
        let run = try await Program.run(["import", "Unicorn", "/dev/null"])
        #expect(run.errors.contains("Animal, AnimalCategory and Friend"))
    }
}
