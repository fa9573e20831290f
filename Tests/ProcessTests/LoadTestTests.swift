import Foundation
import Testing

extension ServerProcesses {
    @Suite("The load harness tells a server that keeps its word from one that does not")
    struct LoadTestTests {
        private struct Result: Decodable {
            struct Violations: Decodable {
                let count: Int
                let byKind: [String: Int]
            }

            struct Kill: Decodable {
                let process: String
            }

            let acknowledged: Int
            let failedRequests: Int
            let longestReadPause: Double
            let kills: Int
            let killed: [Kill]
            let restarts: Int?
            let good: Bool
            let violations: Violations
        }

        private static let storm = [
            "loadtest", "--self-hosted", "--scenario", "add", "--duration", "6s", "--kill", "store", "--every", "1s", "--json",
        ]

        /// The whole minute where `AVIARY_ENDURANCE` is set; a sixth of it on every run.
        private static let seconds = ProcessInfo.processInfo.environment["AVIARY_ENDURANCE"] == nil ? 10 : 60
        private static let connections = 64

        @Test("A process is killed every second under 64 connections: nothing acknowledged is lost or doubled, reading never stops, and every restart is counted", arguments: ["any", "store"])
        func honest(victims: String) async throws {
            try await TestDirectory.use { directory in
                let run = try await Program.zoo.run(
                    [
                        "loadtest", "--self-hosted", "--scenario", "mixed", "--connections", "\(Self.connections)", "--workers", "2",
                        "--duration", "\(Self.seconds)s", "--kill", victims, "--every", "1s", "--json",
                    ],
                    in: directory, patience: .seconds(4 * Self.seconds + 60)
                )
                #expect(run.exitCode == 0, "\(run.errors)")
                let result = try run.json(Result.self)
                #expect(result.good && result.violations.count == 0)
                #expect(result.acknowledged > 0 && result.kills >= 3)
                #expect(result.restarts == result.kills)
                // What waits for the store is answered by the next one; a worker takes along what it was answering.
                let ofWorkers = result.killed.filter { $0.process == "worker" }.count
                #expect(result.failedRequests <= ofWorkers * Self.connections, "\(result)")
                // Reading waits neither for the store nor for a worker's successor.
                #expect(result.longestReadPause < 2, "\(result)")
                #expect(ProcessTable.mentioning(directory.path).isEmpty)
            }
        }

        @Test("A server that runs is loaded as an account that the command is told, and its password is read from standard input")
        func running() async throws {
            try await Server.use { server in
                let password = "six purple lamps at noon"
                let added = try await Program.zoo.run(
                    ["user", "add", "tester", "--role", "editor", "--password-stdin", "--data", server.directory.data],
                    in: server.directory, input: password + "\n"
                )
                #expect(added.exitCode == 0, "\(added.errors)")
                let load = ["loadtest", "--url", server.address, "--scenario", "mixed", "--duration", "2s", "--connections", "4", "--json"]
                let asTester = load + ["--user", "tester", "--password-stdin"]

                let run = try await Program.zoo.run(asTester, in: server.directory, input: password + "\n")
                #expect(run.exitCode == 0, "\(run.errors)")
                let result = try run.json(Result.self)
                #expect(result.good && result.acknowledged > 0 && result.failedRequests == 0)

                let wrong = try await Program.zoo.run(asTester, in: server.directory, input: "six purple lamps at one\n")
                #expect(wrong.exitCode == 1 && wrong.errors.contains("Signing in was refused"), "\(wrong.errors)")
                let nobody = try await Program.zoo.run(load, in: server.directory)
                #expect(nobody.exitCode == 1 && nobody.errors.contains("--user"), "\(nobody.errors)")
                for text in [run.output, run.errors, wrong.errors] { #expect(!text.contains("purple")) }
            }
        }

        @Test("A store that acknowledges before it commits is found out by the records that it lost")
        func liar() async throws {
            try await TestDirectory.use { directory in
                let run = try await Program.lyingZoo.run(Self.storm, in: directory)
                #expect(run.exitCode == 1)
                let result = try run.json(Result.self)
                #expect(!result.good && result.kills > 0)
                #expect(result.violations.byKind["lost", default: 0] > 0, "\(result)")
                #expect(run.errors.contains("was acknowledged and is missing."))
            }
        }

        @Test("Under the same load an honest store passes")
        func sameLoad() async throws {
            try await TestDirectory.use { directory in
                let run = try await Program.zoo.run(Self.storm, in: directory)
                #expect(run.exitCode == 0, "\(run.errors)")
                let result = try run.json(Result.self)
                #expect(result.good && result.acknowledged > 0 && result.kills > 0)
            }
        }
    }
}
