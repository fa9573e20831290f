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

            let acknowledged: Int
            let kills: Int
            let good: Bool
            let violations: Violations
        }

        private static let storm = [
            "loadtest", "--self-hosted", "--scenario", "add", "--duration", "6s", "--kill", "store", "--every", "1s", "--json",
        ]

        @Test("Under kills of any process everything that was acknowledged is there, and nothing else")
        func honest() async throws {
            try await TestDirectory.use { directory in
                let run = try await Program.zoo.run(
                    ["loadtest", "--self-hosted", "--scenario", "mixed", "--duration", "6s", "--kill", "any", "--every", "1s", "--json"],
                    in: directory
                )
                #expect(run.exitCode == 0, "\(run.errors)")
                let result = try run.json(Result.self)
                #expect(result.good && result.violations.count == 0)
                #expect(result.acknowledged > 0 && result.kills > 0)
                #expect(ProcessTable.mentioning(directory.path).isEmpty)
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
