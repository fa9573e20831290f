import Foundation
import Testing

extension ServedApplications {
    @Suite("An application has commands of its own")
    struct OwnCommandTests {
        @Test("A command is run by its name, stands in the help, and its wrong use exits with 2")
        func runs() async throws {
            try await TestDirectory.use { directory in
                let run = try await Program.extendedZoo.run(["greet", "Ada", "--data", directory.data], in: directory)
                #expect(run.exitCode == 0 && run.output == "Hello, Ada, from \(directory.data).\n")
                #expect(try await Program.extendedZoo.run(["--help"], in: directory).output.contains("greet"))
                #expect(try await Program.extendedZoo.run(["greet"], in: directory).exitCode == 2)
            }
        }

        @Test("A command has the store, with a server and without one")
        func store() async throws {
            try await Server.use(.extendedZoo) { server in
                func welcome(_ name: String) async throws -> Program.Run {
                    try await Program.extendedZoo.run(
                        ["welcome", name, "--data", server.directory.data], in: server.directory)
                }
                #expect(try await welcome(" Kea ").output == "1\n")
                #expect(try await Browser(server).rows(named: "Kea") == 1)
                let refused = try await welcome("Dodo")
                #expect(refused.exitCode == 1 && refused.errors.contains("extinct"), "\(refused.errors)")
                #expect(await server.stop() == 0)
                #expect(try await welcome("Okapi").output == "2\n")
                #expect(try StoreFile(server.directory).animals().values.sorted() == ["Kea", "Okapi"])
            }
        }
    }
}
