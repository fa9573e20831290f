import Testing

@testable import AviaryCommands

@Suite("The command line tells how it is used")
struct UsageTests {
    @Test(
        "Wrong usage is 2, in words on standard error",
        arguments: [
            ["fly"], ["serve", "--nope"], ["serve", "--port", "x"], ["serve", "--port"], ["serve", "extra"], ["import"],
            ["import", "Animal"], ["import", "Unicorn", "/dev/null"],
            ["import", "Animal", "/dev/null", "--map", "name"],
            ["import", "Animal", "/dev/null", "--map", "nope=name"],
            ["import", "Animal", "/dev/null", "--update-by", "nope"],
        ])
    func wrong(arguments: [String]) async throws {
        let run = try await Program.run(arguments)
        #expect(run.exitCode == 2)
        #expect(run.output == "")
        #expect(!run.errors.isEmpty)
    }

    @Test(
        "What a command finds by itself is told with its own usage",
        arguments: [["import", "Unicorn", "/dev/null"], ["export", "Unicorn"]])
    func ownUsage(arguments: [String]) async throws {
        let run = try await Program.run(arguments)
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("Usage: zoo \(arguments[0]) "), "\(run.errors)")
    }

    @Test("A port that is none is wrong usage", arguments: ["-1", "65536", "99999"])
    func noPort(port: String) async throws {
        let run = try await Program.run(["serve", "--in-process", "--port=\(port)", "--data", "/nonexistent/data"])
        #expect(run.exitCode == 2)
    }

    @Test("A port in the environment that is none is told, not passed over")
    func environment() async throws {
        let run = try await Program.run(
            ["serve", "--in-process", "--data", "/dev/null/data"], environment: ["AVIARY_PORT": "eighty"]
        )
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("AVIARY_PORT"))
    }

    @Test(
        "Help is 0, on standard output",
        arguments: [["--help"], ["serve", "--help"], ["import", "--help"], ["help", "serve"]])
    func help(arguments: [String]) async throws {
        let run = try await Program.run(arguments)
        #expect(run.exitCode == 0)
        #expect(run.output.contains("USAGE: zoo"))
        #expect(run.errors == "")
    }

    @Test("A model that does not exist is told with those that do")
    func unknownModel() async throws {
        let run = try await Program.run(["import", "Unicorn", "/dev/null"])
        #expect(run.errors.contains("Animal, AnimalCategory and Friend"))
    }
}
