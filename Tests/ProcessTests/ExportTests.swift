import Foundation
import Testing

extension ServedApplications {
    @Suite("Exporting records")
    struct ExportTests {
        private static let animals =
            "name,diet,category\r\nOkapi,herbivorous,Mammals\r\n\"'=1+1, \"\"x\"\"\",omnivorous,Birds\r\n-1,carnivorous,\r\n"

        @Test("Records that are exported beside a running server can be imported elsewhere unchanged")
        func roundTrip() async throws {
            try await Server.use { server in
                try await Self.fill(server.directory)
                let files = ["AnimalCategory", "animals"].map { server.directory.path("exported-" + $0 + ".csv") }
                for (model, file) in zip(["AnimalCategory", "animals"], files) {
                    let run = try await server.run("export", model, "--output", file)
                    #expect(run.exitCode == 0, "\(run.errors)")
                    #expect(run.output == "" && !run.errors.contains("Warning"), "\(run.errors)")
                }
                try await TestDirectory.use { other in
                    for (model, file) in zip(["animal-categories", "Animal"], files) {
                        let run = try await Program.zoo.run(["import", model, file, "--data", other.data], in: other)
                        #expect(run.exitCode == 0, "\(run.errors)")
                    }
                    #expect(try Self.records(other) == Self.records(server.directory))
                    #expect(try Self.records(other).contains { $0.contains(#"=1+1, "x""#) })
                    #expect(try Self.records(other).count == 5)
                }
                #expect(
                    try Self.events(server.directory) == [Self.imported, "export AnimalCategory", "export Animal"])
            }
        }

        @Test("Without a server, records are exported to standard output")
        func standardOutput() async throws {
            try await TestDirectory.use { directory in
                try await Self.fill(directory)
                let csv = try await Self.run(["export", "Animal"], directory)
                #expect(csv.output.hasPrefix("id,name,diet,category\r\n"))
                #expect(
                    csv.output.contains(#""'=1+1, ""x""",omnivorous,"#) && csv.output.contains(",'-1,carnivorous,\r\n"))
                let json = try await Self.run(["export", "friends", "--format", "jsonl", "--output", "-"], directory)
                #expect(json.output == "" && json.errors == "Wrote 0 friends as of commit 3 to standard output.\n")
                #expect(try Self.events(directory) == [Self.imported, "export Animal", "export Friend"])
                #expect(try StoreFile(directory).integrity() == ["ok"])
            }
        }

        @Test("An export does not overwrite an existing file")
        func noOverwriting() async throws {
            try await TestDirectory.use { directory in
                try await Self.fill(directory)
                let file = directory.path("animals.csv")
                let run = try await Program.zoo.run(
                    ["export", "Animal", "--output", file, "--data", directory.data], in: directory)
                #expect(run.exitCode == 1)
                #expect(run.errors.contains("exists already"))
                #expect(try String(contentsOfFile: file, encoding: .utf8) == Self.animals)
                #expect(try Self.events(directory) == [Self.imported])
            }
        }

        @Test(
            "Built-in models are neither exported nor imported",
            arguments: ["aviary_account", "accounts", "aviary_session", "aviary_event"])
        func builtIn(model: String) async throws {
            try await TestDirectory.use { directory in
                try await Self.fill(directory)
                for arguments in [["export", model], ["import", model, directory.path("animals.csv")]] {
                    let run = try await Program.zoo.run(arguments + ["--data", directory.data], in: directory)
                    #expect(run.exitCode == 2)
                    #expect(run.output == "")
                    #expect(run.errors.contains("There are Animal, AnimalCategory and Friend."), "\(run.errors)")
                }
            }
        }

        @Test("An export without a store fails and creates no directory")
        func noStore() async throws {
            try await TestDirectory.use { directory in
                let run = try await Program.zoo.run(["export", "Animal", "--data", directory.data], in: directory)
                #expect(run.exitCode == 1)
                #expect(!FileManager.default.fileExists(atPath: directory.data))
            }
        }

        @Test("An export whose event cannot be stored warns and is complete")
        func unwritable() async throws {
            try await TestDirectory.use { directory in
                try await Self.fill(directory)
                // Another process that is not a server holds the directory.
                let lock = open(directory.data + "/store.lock", O_RDWR | O_CLOEXEC)
                try #require(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
                defer { close(lock) }
                let run = try await Self.run(["export", "Animal"], directory)
                #expect(run.output.contains("Okapi"))
                #expect(run.errors.contains("Warning: the audit log has no entry for this export: "), "\(run.errors)")
            }
        }

        @Test("Backups and restores are logged, and a restore keeps earlier events")
        func backups() async throws {
            try await TestDirectory.use { directory in
                try await Self.fill(directory)
                let file = directory.path("backup.jsonl.gz")
                _ = try await Self.run(["backup", "--output", file], directory)
                _ = try await Self.run(["export", "Animal"], directory)
                _ = try await Self.run(["restore", file, "--yes"], directory)
                #expect(
                    try Self.events(directory) == [
                        Self.imported, "backup backup.jsonl.gz", "export Animal", "restore backup.jsonl.gz",
                    ])
                #expect(try Self.records(directory).count == 5)
            }
        }

        /// The event of the import that ``fill(_:)`` makes.
        private static let imported = "recordImport Animal animals.csv"

        /// Stores two categories and three animals.
        private static func fill(_ directory: TestDirectory) async throws {
            let file = directory.path("animals.csv")
            try Data(animals.utf8).write(to: URL(filePath: file))
            _ = try await run(["import", "Animal", file, "--create-related"], directory)
        }

        private static func run(_ arguments: [String], _ directory: TestDirectory) async throws -> Program.Run {
            let run = try await Program.zoo.run(arguments + ["--data", directory.data], in: directory)
            #expect(run.exitCode == 0, "\(run.errors)")
            return run
        }

        private static func records(_ directory: TestDirectory) throws -> [String] {
            let file = StoreFile(directory)
            return try
                (file.rows("SELECT id, name, diet, category FROM Animal")
                + file.rows("SELECT id, name FROM AnimalCategory"))
                .map { $0.joined(separator: "|") }.sorted()
        }

        private static func events(_ directory: TestDirectory) throws -> [String] {
            try StoreFile(directory).rows("SELECT kind || ' ' || subject FROM aviary_event ORDER BY time, id").flatMap {
                $0
            }
        }
    }
}
