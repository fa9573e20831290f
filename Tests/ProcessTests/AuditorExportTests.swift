import Foundation
import Testing

extension ServedApplications {
    @Suite("Export of events and history for auditors")
    struct AuditorExportTests {
        @Test("All events are exported, oldest first, and the export itself becomes an event")
        func all() async throws {
            try await TestDirectory.use { directory in
                try await Self.fill(directory)
                _ = try await Self.run(["export", "Animal"], directory)
                _ = try await Self.run(["backup", "--output", directory.path("backup.jsonl.gz")], directory)
                let first = try await Self.run(["export", "--events"], directory)
                #expect(first.output.hasPrefix("id,time,kind,account,address,subject,count\r\n"))
                #expect(
                    Self.events(first) == [
                        "recordImport command line Animal animals.csv", "export command line Animal",
                        "backup command line backup.jsonl.gz",
                    ])
                #expect(first.errors.contains("Wrote 3 events as of commit "), "\(first.errors)")
                let second = try await Self.run(["export", "--events"], directory)
                #expect(Self.events(second).last == "export command line events")
            }
        }

        @Test("Events are filtered by account and time, beside a running server")
        func chosen() async throws {
            try await Server.use { server in
                try await Browser(server).addAnimal("Kea")
                _ = try await Self.run(["export", "Animal"], server.directory)
                #expect(try await Browser(server).get("/admin/animals/export?format=csv").status == 200)
                func events(_ arguments: String...) async throws -> [String] {
                    let file = server.directory.path("events-\(UUID().uuidString)")
                    _ = try await Self.run(
                        ["export", "--events", "--format", "jsonl", "--output", file] + arguments, server.directory)
                    return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
                }
                let own = try await events("--account", "local")
                // The event of the sign-in precedes it.
                let line = try #require(own.last)
                let event = try JSONDecoder().decode(Event.self, from: Data(line.utf8))
                #expect(event.kind == "export" && event.subject == "Animal" && event.address == "127.0.0.1")
                #expect(try await events("--account", "nobody").isEmpty)
                // Events from a time on, and before it.
                #expect(try await events("--account", "local", "--since", event.time).last == line)
                #expect(try await !events("--account", "local", "--until", event.time).contains(line))
                #expect(try await events("--until", "2026-01-01").isEmpty)
            }
        }

        @Test("The history of one model is exported, oldest first, with the accounts that changed it")
        func history() async throws {
            try await Server.use { server in
                let browser = Browser(server)
                try await browser.addAnimal("Kea")
                try await browser.addAnimal("Okapi")
                let run = try await Self.run(
                    ["export", "--history", "animals", "--format", "jsonl"], server.directory)
                let entries = try run.output.split(separator: "\n").map {
                    try JSONDecoder().decode(Entry.self, from: Data($0.utf8))
                }
                #expect(entries.map(\.fields.name.after) == ["Kea", "Okapi"])
                #expect(entries.allSatisfy { $0.model == "Animal" && $0.kind == "insert" && $0.account == "local" })
            }
        }

        @Test("Only a backup with the history restores the history")
        func restored() async throws {
            try await TestDirectory.use { directory in
                try await Self.fill(directory)
                let whole = directory.path("whole.jsonl.gz"), bare = directory.path("bare.jsonl.gz")
                _ = try await Self.run(["backup", "--with-history", "--output", whole], directory)
                _ = try await Self.run(["backup", "--output", bare], directory)
                for (file, count) in [(whole, 1), (bare, 0)] {
                    try await TestDirectory.use { other in
                        _ = try await Self.run(["restore", file, "--yes"], other)
                        let run = try await Self.run(["export", "--history", "Animal", "--format", "jsonl"], other)
                        #expect(run.output.split(separator: "\n").count == count, "\(run.output)")
                    }
                }
            }
        }

        @Test(
            "Invalid combinations of export options are rejected",
            arguments: [["--events", "--history"], ["Animal", "--events"], ["--events", "--query", "sort=name"]])
        func refused(arguments: [String]) async throws {
            try await TestDirectory.use { directory in
                try await Self.fill(directory)
                let run = try await Program.zoo.run(["export"] + arguments + ["--data", directory.data], in: directory)
                #expect(run.exitCode != 0 && run.output == "")
            }
        }

        private struct Event: Decodable {
            let time, kind: String
            let address, subject: String?
        }

        private struct Entry: Decodable {
            struct Fields: Decodable {
                let name: Values
            }

            struct Values: Decodable {
                let after: String?
            }

            let model, kind, account: String
            let fields: Fields
        }

        /// Returns the events of a CSV without quotes: the kind, the account and the subject.
        private static func events(_ run: Program.Run) -> [String] {
            run.output.replacing("\r\n", with: "\n").split(separator: "\n").dropFirst().map { line in
                let cells = line.split(separator: ",", omittingEmptySubsequences: false)
                return [cells[2], cells[3], cells[5]].joined(separator: " ")
            }
        }

        private static func fill(_ directory: TestDirectory) async throws {
            let file = directory.path("animals.csv")
            try Data("name,diet\r\nKea,omnivorous\r\n".utf8).write(to: URL(filePath: file))
            _ = try await run(["import", "Animal", file], directory)
        }

        private static func run(_ arguments: [String], _ directory: TestDirectory) async throws -> Program.Run {
            let run = try await Program.zoo.run(arguments + ["--data", directory.data], in: directory)
            #expect(run.exitCode == 0, "\(run.errors)")
            return run
        }
    }
}
