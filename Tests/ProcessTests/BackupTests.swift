import Foundation
import TestSupport
import Testing

extension ServedApplications {
    @Suite("Backup and restore beside a running server")
    struct BackupTests {
        private struct Summary: Decodable {
            let records: Int
            let counts: [String: Int]
        }

        @Test("A backup during writes is one snapshot, which verifies and restores the same records")
        func whileAdding() async throws {
            try await Server.use { server in
                let browser = Browser(server)
                let file = server.directory.path("backup.jsonl.gz")
                let acknowledged = Names()
                let blank = try await browser.newAnimal("")
                for index in 0..<20 {
                    try await Self.add(blank.another(named: "Before \(index)"), browser, acknowledged)
                }
                let before = acknowledged.all
                let isOver = Flag()
                let adding = Task {
                    for index in 0... {
                        if isOver.isRaised { return }
                        try await Self.add(blank.another(named: "During \(index)"), browser, acknowledged)
                    }
                }
                let run = try await server.run("backup", "--output", file, "--json")
                isOver.raise()
                try await adding.value
                #expect(run.exitCode == 0, "\(run.errors)")
                let summary = try run.json(Summary.self)
                #expect(summary.records >= before.count)

                let lines = try await Self.lines(of: file)
                // The file also contains receipts and events.
                let records = lines.filter { !$0.hasPrefix(#"{"commit":"#) }
                #expect(records.count == summary.records + 2)
                #expect(lines.first?.contains(#""format":"aviary.snapshot""#) == true)
                #expect(lines.last?.contains(#""end":true"#) == true)
                #expect(try await Program.zoo.run(["verify", file], in: server.directory).exitCode == 0)

                try await TestDirectory.use { other in
                    let restored = try await Program.zoo.run(
                        ["restore", file, "--yes", "--data", other.data], in: other)
                    #expect(restored.exitCode == 0, "\(restored.errors)")
                    let rows = try StoreFile(other).animals()
                    #expect(rows.count == summary.counts["Animal"])
                    #expect(before.allSatisfy { rows[$0.key] == $0.value })
                    let now = try StoreFile(server.directory).animals()
                    #expect(rows.allSatisfy { now[$0.key] == $0.value })
                    let held = Set(
                        lines.filter { $0.contains(#""model":"Animal""#) }.compactMap {
                            $0.firstMatch(of: /"id":"([0-9a-f-]+)"/).map { String($0.1) }
                        })
                    #expect(held == Set(rows.keys))
                }
            }
        }

        @Test("A truncated backup is rejected by verify and restore, and nothing changes")
        func truncated() async throws {
            try await Server.use { server in
                try await Browser(server).addAnimal("Stays")
                let file = server.directory.path("backup.jsonl.gz")
                #expect(try await server.run("backup", "--output", file).exitCode == 0)
                let whole = try Data(contentsOf: URL(filePath: file))
                let cut = server.directory.path("cut.jsonl.gz")
                for length in [whole.count - 1, whole.count - 20, whole.count / 2, 0] {
                    try whole.prefix(length).write(to: URL(filePath: cut))
                    #expect(
                        try await Program.zoo.run(["verify", cut], in: server.directory).exitCode == 1, "\(length)")
                }
                #expect(try await server.run("restore", cut, "--yes").exitCode == 1)
                #expect(try await Browser(server).rows(named: "Stays") == 1)
            }
        }

        @Test("A restore under a running server takes effect immediately, fails no reads and replaces no process")
        func underTheServer() async throws {
            try await Server.use { server in
                let browser = Browser(server)
                let kept = try await browser.addAnimal("In the backup")
                let file = server.directory.path("backup.jsonl.gz")
                #expect(try await server.run("backup", "--output", file).exitCode == 0)
                let lost = try await browser.addAnimal("After the backup")
                _ = try await browser.keep(try await browser.newAnimal("Begun before"))
                let before = try await server.complete()

                let isOver = Flag()
                let reading = Task {
                    var statuses: Set<Int> = []
                    while !isOver.isRaised { statuses.insert(try await Browser(server).get("/admin/animals").status) }
                    return statuses
                }
                let run = try await server.run("restore", file, "--yes")
                // A new browser is a new connection, so that each worker is reached.
                for _ in 0..<8 {
                    let page = try await Browser(server).get("/admin/animals?size=200")
                    #expect(page.rows(named: "In the backup") == 1 && page.rows(named: "After the backup") == 0)
                }
                isOver.raise()
                #expect(try await reading.value == [200])
                #expect(run.exitCode == 0, "\(run.errors)")
                #expect(try await server.complete() == before)
                #expect(try await browser.get("/admin/animals/\(lost)").status == 404)
                #expect(try await browser.get("/admin/animals/\(kept)").status == 200)

                let draft = try await browser.get("/admin/animals/new")
                #expect(draft.body.contains(#"name="name" value="Begun before""#))
                #expect(draft.body.contains("A backup was restored after this draft was started."))
                let sheet = try Form(sheetOf: draft).with("name", "Begun before").with("diet", "omnivorous")
                #expect(try await browser.post("/admin/animals", sheet).status == 303)
                let added = try await browser.addAnimal("After the restore")
                #expect(
                    try StoreFile(server.directory).animals() == [
                        kept: "In the backup", try #require(sheet["id"]): "Begun before", added: "After the restore",
                    ])
            }
        }

        private static func add(_ form: Form, _ browser: Browser, _ acknowledged: Names) async throws {
            let answer = try await browser.post("/admin/animals", form)
            try #require(answer.status == 303, "\(answer.status)")
            acknowledged.add(form)
        }

        /// Decompresses the file with a program that is not ours.
        static func lines(of file: String) async throws -> [String] {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["gzip", "-dc", file]
            let output = try process.runAloneWithOutput()
            let data = await onThread { output.readDataToEndOfFile() }
            await onThread { process.waitUntilExit() }
            try #require(process.terminationStatus == 0)
            return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }
}
