import Foundation
import Testing

extension FailingStores {
    @Suite("Crash loops")
    struct CrashLoopTests {
        @Test(
            "A server with an invalid store file exits with 1, reports it once and leaves the file unchanged",
            arguments: Content.allCases)
        func noStore(content: Content) async throws {
            try await TestDirectory.use { directory in
                try FileManager.default.createDirectory(atPath: directory.data, withIntermediateDirectories: true)
                let file = directory.data + "/store.sqlite"
                switch content {
                case .garbage:
                    try (Data("This is no database. ".utf8) + Data(repeating: 7, count: 8192)).write(
                        to: URL(filePath: file))
                case .otherDatabase: try StoreFile(directory).create(#"CREATE TABLE "Other" ("x" TEXT)"#)
                }
                let before = try Data(contentsOf: URL(filePath: file))
                let run = try await Program.zoo.run(
                    ["serve", "--workers", "2", "--port", "0", "--data", directory.data], in: directory)
                #expect(run.exitCode == 1)
                #expect(run.output == "")
                // The message appears once: the store was not restarted.
                #expect(run.errors.components(separatedBy: content.words).count == 2, "\(run.errors)")
                #expect(run.errors.contains("The store cannot start; what it said stands above."))
                #expect(ProcessTable.mentioning(directory.data).isEmpty)
                #expect(!FileManager.default.fileExists(atPath: directory.data + "/status.json"))
                #expect(try Data(contentsOf: URL(filePath: file)) == before)
            }
        }

        @Test("A worker that dies five times before it is ready ends the server with 1 and a message")
        func worker() async throws {
            try await Server.use { server in
                let family = try await server.complete()
                // A worker needs the keys at its start only.
                let keys = server.directory.data + "/keys"
                try FileManager.default.moveItem(atPath: keys, toPath: keys + ".away")
                try Data().write(to: URL(filePath: keys))
                family.workers[0].send(SIGKILL)
                #expect(await server.program.exitCode == 1)
                let errors = try server.errors()
                #expect(errors.contains("The worker 1 died 5 times in a row before it was ready"), "\(errors)")
                #expect(errors.components(separatedBy: "worker 1 died").count == 8, "\(errors)")
                #expect(server.processes.isEmpty)
            }
        }

        enum Content: CaseIterable {
            case garbage, otherDatabase

            /// The error message.
            var words: String {
                switch self {
                case .garbage: "store.sqlite: is no database, or a damaged one"
                case .otherDatabase: "is not a store of this library"
                }
            }
        }
    }
}
