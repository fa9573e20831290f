import Foundation
import TestSupport
import Testing

extension ServedApplications {
    @Suite("Schema drift")
    struct SchemaDriftTests {
        private struct Report: Decodable {
            let change: String
            let steps: [String]
            let reason: String?
        }

        @Test("A missing data directory is an error that names the flag")
        func missingDirectory() async throws {
            try await TestDirectory.use { directory in
                for flags in [[], ["--dry-run"]] {
                    let run = try await Program.zoo.run(
                        ["migrate", "--data", directory.path("typo")] + flags, in: directory)
                    #expect(run.exitCode == 1)
                    #expect(
                        run.errors.contains("typo: does not exist. Name the data directory with --data."),
                        "\(run.errors)")
                }
                #expect(!FileManager.default.fileExists(atPath: directory.path("typo")))
            }
        }

        private func migrate(_ directory: TestDirectory, _ flags: String...) async throws -> Program.Run {
            try await Program.zoo.run(["migrate", "--data", directory.data] + flags, in: directory)
        }

        private func plan(_ directory: TestDirectory) async throws -> (report: Report, exitCode: Int32) {
            let run = try await migrate(directory, "--dry-run", "--json")
            return (try run.json(), run.exitCode)
        }

        /// Creates a store with one animal of the program's own models.
        private func store(in directory: TestDirectory) async throws -> StoreFile {
            let csv = directory.path("animals.csv")
            try Data("name,diet\nOkapi,herbivorous\n".utf8).write(to: URL(filePath: csv))
            let run = try await Program.zoo.run(["import", "Animal", csv, "--data", directory.data], in: directory)
            try #require(run.exitCode == 0, "\(run.errors)")
            return StoreFile(directory)
        }

        /// Replaces a line in the file's description of its models.
        private func describe(_ file: StoreFile, replacing line: String, with other: String) throws {
            try file.create("UPDATE aviary_meta SET value = replace(value, '\(line)', '\(other)') WHERE key = 'schema'")
        }

        @Test("A file with a property that the program lacks is rejected by every command and left unchanged")
        func droppedProperty() async throws {
            try await TestDirectory.use { directory in
                let file = try await store(in: directory)
                try file.create(#"ALTER TABLE "Animal" ADD COLUMN "legs" INTEGER"#)
                try describe(file, replacing: "Animal.name string", with: "Animal.name string\nAnimal.legs integer?")
                try file.create(#"UPDATE "Animal" SET "legs" = 4"#)

                let (report, exitCode) = try await plan(directory)
                #expect(report.change == "refused" && exitCode == 1)
                #expect(report.reason?.contains("Animal.legs is in the file and not in the program") == true)
                for arguments in [
                    ["migrate"], ["serve", "--port", "0", "--workers", "2"], ["serve", "--port", "0", "--in-process"],
                ] {
                    let run = try await Program.zoo.run(arguments + ["--data", directory.data], in: directory)
                    // A trap would end the process with a signal.
                    #expect(run.exitCode == 1, "\(arguments) \(run.errors)")
                    #expect(
                        (run.errors + run.output).contains("Animal.legs is in the file and not in the program"),
                        "\(arguments)")
                }
                #expect(try file.rows(#"SELECT "legs" FROM "Animal""#) == [["4"]])
                #expect(try await directory.processes() == [])
            }
        }

        @Test("An unknown name for --drop is wrong usage and lists the names that can be dropped")
        func mistypedDrop() async throws {
            try await TestDirectory.use { directory in
                let file = try await store(in: directory)
                let nothing = try await migrate(directory, "--drop", "Animal.legs")
                #expect(
                    nothing.exitCode == 2 && nothing.errors.contains("Nothing has to be given up."), "\(nothing.errors)"
                )
                try file.create(#"ALTER TABLE "Animal" ADD COLUMN "legs" INTEGER"#)
                try describe(file, replacing: "Animal.name string", with: "Animal.name string\nAnimal.legs integer?")
                for flags in [[], ["--dry-run"], ["--drop", "Animal.legs"]] {
                    let run = try await Program.zoo.run(
                        ["migrate", "--data", directory.data, "--drop", "Animal.leg"] + flags, in: directory)
                    #expect(run.exitCode == 2)
                    #expect(
                        run.errors.contains("--drop Animal.leg: nothing of this name would be lost."), "\(run.errors)")
                    #expect(run.errors.contains("What can be given up: Animal.legs."), "\(run.errors)")
                }
                #expect(try file.rows(#"SELECT "legs" FROM "Animal""#).count == 1)
                #expect(try await migrate(directory, "--drop", "Animal.legs").exitCode == 0)
                #expect(try !file.rows("SELECT name FROM pragma_table_info('Animal')").contains(["legs"]))
            }
        }

        @Test("A file that lacks a column of its own description is rejected")
        func alteredByHand() async throws {
            try await TestDirectory.use { directory in
                let file = try await store(in: directory)
                try file.create(#"DROP INDEX "aviary_sort.Animal.diet""#)
                try file.create(#"ALTER TABLE "Animal" DROP COLUMN "diet""#)
                let (report, exitCode) = try await plan(directory)
                #expect(report.change == "refused" && exitCode == 1)
                let run = try await Program.zoo.run(["serve", "--port", "0", "--data", directory.data], in: directory)
                #expect(run.exitCode == 1 && run.errors.contains("no column for Animal.diet"), "\(run.errors)")
            }
        }

        @Test("A missing property with a default is added by the server at launch")
        func additive() async throws {
            try await TestDirectory.use { directory in
                let file = try await store(in: directory)
                try file.create(#"DROP INDEX "aviary_sort.Animal.diet""#)
                try file.create(#"ALTER TABLE "Animal" DROP COLUMN "diet""#)
                try describe(file, replacing: "Animal.diet choice(herbivorous,carnivorous,omnivorous)\n", with: "")
                let (report, exitCode) = try await plan(directory)
                #expect(report.change == "additive" && exitCode == 0 && report.reason == nil)
                #expect(report.steps.contains(#"add Animal.diet, "herbivorous" in the records that are there"#))
                let text = try await migrate(directory, "--dry-run")
                #expect(text.output.contains("Nothing was changed."))

                let server = try await Server.start(in: directory)
                #expect(try await Browser(server).rows(named: "Okapi") == 1)
                try await Browser(server).addAnimal("Kea")
                // The server has already migrated, so nothing is left to do. The command fails and says what to do
                // instead.
                #expect(try await plan(directory).report.change == "none")
                let run = try await migrate(directory)
                #expect(run.exitCode == 1 && run.errors.contains("kill -HUP \(server.supervisor)"), "\(run.errors)")
                await server.stop()
                #expect(
                    try file.rows(#"SELECT "diet" FROM "Animal" ORDER BY "name""#) == [
                        ["herbivorous"], ["herbivorous"],
                    ])
                let again = try await migrate(directory)
                #expect(again.exitCode == 0 && again.errors.contains("nothing to do"))
            }
        }

        private static let rows = Explore.times(8_000, exploring: 40_000)

        @Test("A migration that is killed while it rewrites a table is either complete or without effect")
        func killed() async throws {
            try await TestDirectory.use { directory in
                let file = try await store(in: directory)
                try oldShape(file, rows: Self.rows)
                #expect(try await plan(directory).report.change == "exclusive")
                let copy = directory.path("old")
                try FileManager.default.copyItem(atPath: directory.data, toPath: copy)
                func migrateAndKill(_ name: String, when condition: (pid_t) async throws -> Bool) async throws -> Bool {
                    try FileManager.default.removeItem(atPath: directory.data)
                    try FileManager.default.copyItem(atPath: copy, toPath: directory.data)
                    let running = try RunningProgram(
                        .zoo, ["migrate", "--data", directory.data], in: directory,
                        errors: directory.path("errors-\(name)")
                    )
                    // The process may end before this check sees it. That counts as a moment, too.
                    try await eventually(name) {
                        if ProcessTable.entry(running.processID)?.isZombie != false { return true }
                        return try await condition(running.processID)
                    }
                    running.send(SIGKILL)
                    _ = await running.exitCode
                    return try expectWhole(file)
                }
                _ = try await migrateAndKill("the file is open") {
                    !ProcessTable.openFiles(of: $0, named: "/store.sqlite").isEmpty
                }
                _ = try await migrateAndKill("the log is written") { _ in
                    let log = try? FileManager.default.attributesOfItem(atPath: file.path + "-wal")[.size]  // none yet
                    return (log as? NSNumber)?.intValue ?? 0 > 0
                }
                let isDone = try await migrateAndKill("it is through") { _ in false }
                #expect(isDone)
                if Explore.isOn {
                    var generator = TestSeed.generator()
                    var outcomes: [Bool: Int] = [:]
                    for round in 0..<20 {
                        let pause = Duration.milliseconds(Int.random(in: 0...1500, using: &generator))
                        let begun = ContinuousClock.now
                        let isDone = try await migrateAndKill("moment \(round)") { _ in
                            ContinuousClock.now >= begun + pause
                        }
                        outcomes[isDone, default: 0] += 1
                    }
                    #expect(outcomes.count == 2, "\(outcomes), AVIARY_SEED=\(TestSeed.value)")
                }
                #expect(try await migrate(directory).exitCode == 0)
                #expect(try await plan(directory).report.change == "none")
                #expect(try file.rows("SELECT count(*) FROM Animal") == [["\(Self.rows)"]])
            }
        }

        /// Checks that the table matches the file's description and that no row is missing.
        ///
        /// - Returns: `true` when the table was rewritten.
        private func expectWhole(_ file: StoreFile) throws -> Bool {
            let isDone =
                try file.rows(
                    "SELECT 1 FROM aviary_meta WHERE key = 'schema' AND value LIKE '%category toOne(AnimalCategory)?%'"
                ).count == 1
            let table = try #require(
                try file.rows("SELECT sql FROM sqlite_schema WHERE name = 'Animal'").first?.first)
            #expect(table.contains(#""category" TEXT NOT NULL"#) == !isDone, "\(table)")
            #expect(try file.rows("SELECT count(*) FROM Animal") == [["\(Self.rows)"]])
            #expect(try file.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'aviary_new%'") == [])
            #expect(try file.integrity() == ["ok"])
            return isDone
        }

        /// Rewrites the file to that of a program in which every animal needed a category.
        private func oldShape(_ file: StoreFile, rows: Int) throws {
            let category = "00000000-0000-7000-8000-000000000000"
            let creation = try #require(
                try file.rows("SELECT sql FROM sqlite_schema WHERE name = 'Animal'").first?.first)
            let indexes = try file.rows(
                "SELECT sql FROM sqlite_schema WHERE tbl_name = 'Animal' AND type = 'index' AND sql IS NOT NULL")
            try file.create("INSERT INTO AnimalCategory (id, aviary_version, name) VALUES ('\(category)', 1, 'Birds')")
            try file.create("DROP TABLE Animal")
            try file.create(creation.replacing(#""category" TEXT"#, with: #""category" TEXT NOT NULL"#))
            for index in indexes { try file.create(index[0]) }
            try file.create(
                """
                WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(rows)) \
                INSERT INTO Animal (id, aviary_version, name, diet, category) \
                SELECT printf('00000000-0000-7000-8000-%012x', x), 1, 'Animal ' || x, 'omnivorous', '\(category)' FROM n
                """)
            try file.create("UPDATE aviary_total SET records = \(rows) WHERE model = 'Animal'")
            try file.create("UPDATE aviary_total SET records = 1 WHERE model = 'AnimalCategory'")
            try describe(file, replacing: "toOne(AnimalCategory)?", with: "toOne(AnimalCategory)")
        }

        @Test("The store rejects clients with other models or another protocol and continues to serve its workers")
        func foreignClients() async throws {
            try await Server.use { server in
                let browser = Browser(server)
                let lines = try StoreFile(server.directory).rows("SELECT value FROM aviary_meta WHERE key = 'schema'")[
                    0][0]
                let current = lines.split(separator: "\n").map(String.init)
                // The greetings of a worker of the same program, of an older one, and of newer and other ones.
                #expect(try await greeting(server, current) == nil)
                #expect(try await greeting(server, current.filter { !$0.hasPrefix("Animal.diet") }) == nil)
                for strange in ["Animal.legs integer?", "Unicorn.horn string", "nonsense"] {
                    let reason = try #require(try await greeting(server, current + [strange]))
                    #expect(reason.contains("Let both run the same program."), "\(reason)")
                }
                let other = try #require(try await greeting(server, [], version: 1))
                #expect(other.contains("this process version 1"), "\(other)")
                try await browser.addAnimal("Afterwards")
                #expect(try await server.complete().restarts == 0)
            }
        }

        /// Sends a greeting to the store's socket, byte by byte as in the protocol. Returns the reason when the
        /// store rejects it.
        private func greeting(_ server: Server, _ schema: [String], version: UInt8 = 2) async throws -> String? {
            func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
            var frame: [UInt8] =
                [version, 1] + Array(repeating: 0, count: 16) + [1] + number(77) + number(schema.count)
            for line in schema { frame += number(line.utf8.count) + Array(line.utf8) }
            let path = server.directory.data + "/store.sock", bytes = number(frame.count) + frame
            let answer = await onThread { UnixSocket.exchange(path, bytes) }
            // The length, version, kind, id and deadline precede the body.
            try #require(answer.count >= 22 && answer[4] == 2)
            if answer[5] == 2 { return nil }
            try #require(answer[5] == 3)
            // The reason follows its length. The last byte says whether the rejection is final.
            #expect(answer.last == 1)
            return String(decoding: answer.dropFirst(26).dropLast(), as: UTF8.self)
        }
    }
}

extension TestDirectory {
    fileprivate func processes() async throws -> [pid_t] {
        // The last process may be about to end.
        try await eventually("no process was left") { ProcessTable.mentioning(data).isEmpty }
        return ProcessTable.mentioning(data).map(\.pid)
    }
}

/// A Unix socket, used with system calls.
private enum UnixSocket {
    /// Sends the bytes and returns those that arrive until there is a pause or an end.
    static func exchange(_ path: String, _ bytes: [UInt8]) -> [UInt8] {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return [] }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0, send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            return []
        }
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while answer.count < 4 || answer.count < 4 + answer[0..<4].reduce(0, { $0 << 8 | Int($1) }) {
            let count = recv(descriptor, &part, part.count, 0)
            guard count > 0 else { break }
            answer += part[..<count]
        }
        return answer
    }
}
