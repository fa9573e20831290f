import Foundation
import TestSupport
import Testing

extension FailingStores {
    @Suite("Kills during imports of the terminal")
    struct ImportKillTests {
        /// The number of lines that an import stores as one commit.
        private static let batch = 500
        private static let batches = 9

        @Test("An import stores each line once, whatever was killed meanwhile, and one undo removes all of them")
        func killed() async throws {
            let kills = Explore.times(6, exploring: 30)
            var random = TestSeed.generator(43)
            try await TestDirectory.use { directory in
                let killed = try await KilledServer(in: directory)
                try await killed.complete()
                let writer = SideWriter(), other = Browser(killed.server)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await writer.run(other) }
                    defer { writer.end() }
                    var (count, files) = (0, 0)
                    while count < kills {
                        count += try await importFile(files, atMost: kills - count, on: killed, &random)
                        files += 1
                        guard files < 3 * kills else {
                            Issue.record("Most imports ended before the kills: \(count) did not.")
                            break
                        }
                    }
                }
                try await killed.complete()
                try writer.expectStored(in: killed.file)
                try await killed.expectGoodData()
            }
        }

        @Test("Ctrl-C ends an import between two batches, and the command says what is stored and how to continue")
        func interrupted() async throws {
            try await TestDirectory.use { directory in
                let killed = try await KilledServer(in: directory)
                try await killed.complete()
                var file = 0
                // On a busy machine, an import may end before the test sees its second batch.
                try await eventually("an import was stopped") {
                    file += 1
                    return try await interrupt(file, on: killed)
                }
                try await killed.expectGoodData()
            }
        }

        /// Imports a file, and stops the import after two batches.
        ///
        /// - Returns: `false` if the import ended before.
        private func interrupt(_ number: Int, on killed: KilledServer) async throws -> Bool {
            let names = (0..<Self.batch * Self.batches).map { "Stopped \(number)-\($0)" }
            let path = killed.directory.path("stopped-\(number).csv")
            let lines = names.map { "\($0),carnivorous\r\n" }.joined()
            try Data(("name,diet\r\n" + lines).utf8).write(to: URL(filePath: path))
            let query = "SELECT name FROM Animal WHERE name LIKE 'Stopped \(number)-%'"
            let run = try start(path, on: killed, number, 0)
            try await eventually("two batches were stored") {
                try killed.file.rows(query).count >= 2 * Self.batch
            }
            run.send(SIGINT)
            let output = await run.restOfOutput(), exitCode = await run.exitCode
            let stored = try killed.file.rows(query).count
            if exitCode == 0 {
                #expect(stored == names.count)
                return false
            }
            #expect(exitCode == 1)
            #expect(stored < names.count && stored.isMultiple(of: Self.batch))
            let said = output + (try String(contentsOfFile: errors(of: killed, number, 0), encoding: .utf8))
            let line = (stored + 1).formatted(.number.locale(Locale(identifier: "en")))
            #expect(
                said.contains("The lines up to \(line) are stored. Run the same command again to continue"), "\(said)")
            _ = try await end(of: start(path, on: killed, number, 1), on: killed, number, 1)
            let all = try killed.file.rows(query).flatMap { $0 }
            #expect(all.count == names.count && Set(all) == Set(names))
            return true
        }

        /// Imports a file with kills at the ends of batches, and undoes it.
        ///
        /// - Returns: The number of kills that came before the end.
        private func importFile(
            _ number: Int, atMost most: Int, on killed: KilledServer, _ random: inout SeededGenerator
        ) async throws -> Int {
            let names = (0..<Self.batch * Self.batches).map { "Line \(number)-\($0)" }
            let path = killed.directory.path("lines-\(number).csv")
            let lines = names.map { "\($0),carnivorous\r\n" }.joined()
            try Data(("name,diet\r\n" + lines).utf8).write(to: URL(filePath: path))
            let query = "SELECT name FROM Animal WHERE name LIKE 'Line \(number)-%'"
            // The last batches are left, so that no kill comes too late on a slow machine.
            let moments = (1...Self.batches - 2).shuffled(using: &random).prefix(min(most, 6)).sorted()
            var victims: [KilledServer.Victim?] = [nil, .store, .supervisor, nil, .store, .supervisor]
            victims.shuffle(using: &random)
            var kills = 0
            var run = try start(path, on: killed, number, kills)
            // A command that was started again has to store a batch before the next kill: one that meets a server at the
            // moment of its end asks to be tried again.
            var least = 0
            for (moment, victim) in zip(moments, victims) {
                let importer = run.processID
                var isRunning = true
                try await eventually("batch \(moment) was stored") {
                    isRunning = ProcessTable.entry(importer).map { !$0.isZombie } ?? false
                    return try !isRunning || killed.file.rows(query).count >= max(moment * Self.batch, least)
                }
                guard isRunning else { break }
                if let victim {
                    kills += 1
                    try await killed.kill(victim, others: [importer])
                } else {
                    run.send(SIGKILL)
                    // An import that had just ended would begin anew.
                    guard await run.exitCode == 128 + SIGKILL else { break }
                    kills += 1
                    try await killed.complete()
                    // The same command continues.
                    least = try killed.file.rows(query).count + Self.batch
                    run = try start(path, on: killed, number, kills)
                }
            }
            let output = try await end(of: run, on: killed, number, kills)
            try await killed.complete()
            let stored = try killed.file.rows(query).flatMap { $0 }
            #expect(stored.count == names.count && Set(stored) == Set(names))
            try killed.expectTotals(of: "Animal")
            let series = try #require(output.firstMatch(of: /undo ([0-9a-f-]{36})/), "\(output)").1
            let undo = try await killed.server.run("undo", String(series), "--yes")
            #expect(undo.exitCode == 0, "\(undo.errors)")
            #expect(try killed.file.rows(query) == [])
            try killed.expectTotals(of: "Animal")
            return kills
        }

        private func start(
            _ path: String, on killed: KilledServer, _ number: Int, _ run: Int
        ) throws -> RunningProgram {
            try RunningProgram(
                .zoo, ["import", "Animal", path, "--data", killed.directory.data], in: killed.directory,
                errors: errors(of: killed, number, run))
        }

        private func errors(of killed: KilledServer, _ number: Int, _ run: Int) -> String {
            killed.directory.path("errors-of-import-\(number)-\(run)")
        }

        /// Waits for the end of an import, and returns everything that all runs of it have printed.
        private func end(
            of run: RunningProgram, on killed: KilledServer, _ number: Int, _ kills: Int
        ) async throws -> String {
            let watch = run.killIfLate(in: killed.directory)
            defer { watch.cancel() }
            var output = await run.restOfOutput()
            let exitCode = await run.exitCode
            for index in 0...kills {
                // Not every kill has started the import again.
                let data = FileManager.default.contents(atPath: errors(of: killed, number, index)) ?? Data()
                output += String(decoding: data, as: UTF8.self)
            }
            #expect(exitCode == 0, "\(output)")
            return output
        }
    }
}

extension FailingStores {
    @Suite("Kills during imports in the browser")
    struct BrowserImportKillTests {
        private static let batch = 500
        private static let batches = 9

        @Test("An import goes on by itself after the kill of any process and stores each line once")
        func killed() async throws {
            let kills = Explore.times(6, exploring: 30)
            var random = TestSeed.generator(47)
            try await TestDirectory.use { directory in
                let killed = try await KilledServer(in: directory)
                try await killed.complete()
                var (count, files) = (0, 0)
                while count < kills, files < 3 * kills {
                    count += try await importFile(files, atMost: kills - count, on: killed, &random)
                    files += 1
                }
                #expect(count == kills, "Most imports ended before the kills.")
                try await killed.expectGoodData()
            }
        }

        /// Imports a file with kills at the ends of batches. Nobody requests that it continues.
        ///
        /// - Returns: The number of kills that came before the end.
        private func importFile(
            _ number: Int, atMost most: Int, on killed: KilledServer, _ random: inout SeededGenerator
        ) async throws -> Int {
            let names = (0..<Self.batch * Self.batches).map { "Sheet \(number)-\($0)" }
            let query = "SELECT name FROM Animal WHERE name LIKE 'Sheet \(number)-%'"
            let browser = Browser(killed.server)
            let lines = names.map { "\($0),carnivorous\r\n" }.joined()
            let path = try #require(try await browser.bring("name,diet\r\n" + lines, to: "animals").location)
            let form = Form([
                "csrf": try await browser.token(), "do": "import", "column.0": "name", "column.1": "diet",
            ])
            #expect(try await browser.post(path, form).status == 303)
            // The last batches are left, so that no kill comes too late on a slow machine.
            let moments = (1...Self.batches - 3).shuffled(using: &random).prefix(min(most, 3)).sorted()
            let victims = KilledServer.Victim.allCases.shuffled(using: &random)
            var kills = 0
            for (moment, victim) in zip(moments, victims) {
                try await eventually("batch \(moment) was stored") {
                    try killed.file.rows(query).count >= moment * Self.batch
                }
                guard try killed.file.rows(query).count < names.count else { break }
                kills += 1
                try await killed.kill(victim)
            }
            try await killed.complete()
            let page = try await end(of: path, for: browser)
            #expect(page.body.contains("Imported the file"), "\(page.source)")
            let stored = try killed.file.rows(query).flatMap { $0 }
            #expect(stored.count == names.count && Set(stored) == Set(names))
            try killed.expectTotals(of: "Animal")
            return kills
        }

        /// Reads the page of an import until it has ended.
        private func end(of path: String, for browser: Browser) async throws -> Answer {
            var page = try await browser.getThroughKills(path)
            try await eventually("the import has ended") {
                #expect(!page.body.contains(#"value="continue""#))
                if page.header("Refresh").isEmpty { return true }
                page = try await browser.getThroughKills(path)
                return false
            }
            return page
        }
    }
}
