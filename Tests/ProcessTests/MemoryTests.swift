import Foundation
import TestSupport
import Testing

extension ServedApplications {
    @Suite("Memory leaks", .enabled(if: Explore.isOn))
    struct MemoryTests {
        /// The duration in seconds. `AVIARY_MEMORY_SECONDS` changes it.
        private static let duration =
            ProcessInfo.processInfo.environment["AVIARY_MEMORY_SECONDS"].flatMap(Double.init) ?? 600
        /// The number of rows.
        ///
        /// It fills the store's cache and makes the file larger than it, so that only leaks can grow.
        private static let rows = 400_000
        private static let mostGrowth = 1.15

        @Test("Under mixed load, the store and the workers grow by at most 15 percent")
        func flat() async throws {
            try await Server.use { server in
                try await Self.fill(server)
                let family = try await server.complete()
                let load = Load(adding: try await Load.Addition(Browser(server)))
                let (early, late) = try await load.run(clients: 16, on: server) {
                    try await Task.sleep(for: .seconds(Self.duration / 10))
                    let early = try Self.memory(of: family)
                    try await Task.sleep(for: .seconds(Self.duration * 9 / 10))
                    return (early, try Self.memory(of: family))
                }
                print(
                    "resident KiB after a tenth of \(Self.duration) s: \(early), in the end: \(late); answers: \(load.answered)"
                )
                #expect(load.failures == [])
                // The processes are the same: none was restarted.
                #expect(try await server.complete().pids == family.pids)
                for (early, late) in zip(early, late) {
                    #expect(Double(late) <= Double(early) * Self.mostGrowth, "\(early) KiB, then \(late) KiB")
                }
            }
        }

        private static func fill(_ server: Server) async throws {
            let file = server.directory.path("rows.csv")
            let text = "name,diet\n" + (0..<rows).map { "Preloaded \($0),carnivorous\n" }.joined()
            try Data(text.utf8).write(to: URL(filePath: file))
            let run = try await Program.zoo.run(
                ["import", "Animal", file, "--data", server.directory.data], in: server.directory,
                patience: .seconds(300)
            )
            try #require(run.exitCode == 0, "\(run.errors)")
        }

        /// Returns the resident memory in KiB: the store's, then the workers'.
        private static func memory(of family: Family) throws -> [Int] {
            try ([family.store].compactMap { $0 } + family.workers).map { member in
                try #require(ProcessTable.residentMemory(of: member.pid))
            }
        }
    }
}
