import Foundation
import Testing

extension ServerProcesses {
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
    }
}
