import Foundation
import Testing

extension ServerProcesses {
    @Suite("A server whose store cannot start gives up")
    struct CrashLoopTests {
        @Test("The store file is no store: the server ends with 1, says what is wrong once, leaves no process and what the file holds", arguments: Content.allCases)
        func noStore(content: Content) async throws {
            try await TestDirectory.use { directory in
                try FileManager.default.createDirectory(atPath: directory.data, withIntermediateDirectories: true)
                let file = directory.data + "/store.sqlite"
                switch content {
                case .garbage: try (Data("This is no database. ".utf8) + Data(repeating: 7, count: 8192)).write(to: URL(filePath: file))
                case .otherDatabase: try StoreFile(directory).create(#"CREATE TABLE "Other" ("x" TEXT)"#)
                }
                let before = try Data(contentsOf: URL(filePath: file))
                let run = try await Program.zoo.run(["serve", "--workers", "2", "--port", "0", "--data", directory.data], in: directory)
                #expect(run.exitCode == 1)
                #expect(run.output == "")
                // Once: it was not started again and again.
                #expect(run.errors.components(separatedBy: content.words).count == 2, "\(run.errors)")
                #expect(run.errors.contains("The store cannot start; what it said stands above."))
                #expect(ProcessTable.mentioning(directory.data).isEmpty)
                #expect(!FileManager.default.fileExists(atPath: directory.data + "/status.json"))
                #expect(try Data(contentsOf: URL(filePath: file)) == before)
            }
        }

        enum Content: CaseIterable {
            case garbage, otherDatabase

            /// What is said of it.
            var words: String {
                switch self {
                case .garbage: "store.sqlite: is no database, or a damaged one"
                case .otherDatabase: "is not a store of this library"
                }
            }
        }
    }
}
