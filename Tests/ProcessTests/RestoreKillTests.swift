import Foundation
import TestSupport
import Testing

extension FailingStores {
    @Suite("Restores under a server whose processes are killed")
    struct RestoreKillTests {
        /// More than there are changes of names.
        private static let mostSteps = 40

        @Test(
            "A store killed before any change of names comes back as the old or the new one, and loses no saved record")
        func storeKilled() async throws {
            var outcomes: [Outcome] = []
            while outcomes.count < Self.mostSteps, outcomes.last != .undisturbed {
                outcomes.append(try await outcome(ofKillAt: outcomes.count + 1))
            }
            #expect(outcomes.last == .undisturbed)
            #expect(outcomes.count { $0 == .old } > 3 && outcomes.count { $0 == .new } > 1, "\(outcomes)")
        }

        /// The store that is current after a kill.
        private enum Outcome {
            case old, new
            /// The restore ended before the step.
            case undisturbed
        }

        /// Restores while the store process is killed at a step.
        private func outcome(ofKillAt step: Int) async throws -> Outcome {
            var outcome = Outcome.undisturbed
            try await TestDirectory.use { directory in
                let faults = try NameFaults(in: directory.path)
                let first = try await Server.start(in: directory)
                try await Browser(first).addAnimal("In the backup")
                let file = directory.path("backup.jsonl.gz")
                #expect(try await first.run("backup", "--output", file).exitCode == 0)
                try await Browser(first).addAnimal("After the backup")
                #expect(await first.stop() == 0)

                let server = try await Server.start(
                    in: directory, environment: faults.environment(killingAt: step))
                let before = try StoreFile(directory).animals().values.sorted()
                #expect(before == ["After the backup", "In the backup"])
                let run = try await server.run("restore", file, "--yes")
                // The store is there again when a save is answered, and all workers have followed it.
                try await Browser(server).addAnimal("Later")
                let names = try StoreFile(directory).animals().values.sorted()
                for _ in 0..<4 {
                    let page = try await Browser(server).get("/admin/animals?size=200")
                    #expect(page.rows(named: "Later") == 1, "step \(step)")
                    #expect(
                        page.rows(named: "After the backup") == (names.contains("After the backup") ? 1 : 0),
                        "step \(step)")
                }
                #expect(try StoreFile(directory).integrity() == ["ok"], "step \(step)")
                let isNew = names == ["In the backup", "Later"]
                #expect(isNew || names == ["After the backup", "In the backup", "Later"], "step \(step): \(names)")
                if isNew {
                    #expect(try await server.run("backup").exitCode == 0)
                    #expect(try await saved(in: directory).contains("After the backup"), "step \(step)")
                }
                let isKilled = try server.errors().contains("store died")
                #expect(isKilled || run.exitCode == 0, "step \(step): \(run.errors)")
                await server.stop()
                if isKilled { outcome = isNew ? .new : .old }
            }
            return outcome
        }

        @Test("A restore command killed once the store was replaced loses no saved record")
        func commandKilled() async throws {
            try await Server.use { server in
                let browser = Browser(server), directory = server.directory
                try await browser.addAnimal("In the backup")
                let file = directory.path("backup.jsonl.gz")
                #expect(try await server.run("backup", "--output", file).exitCode == 0)
                try await browser.addAnimal("After the backup")
                let command = try RunningProgram(
                    .zoo, ["restore", file, "--yes", "--data", directory.data], in: directory,
                    errors: directory.path("restore"))
                try await eventually("the store is replaced") {
                    try StoreFile(directory).animals().values.contains("After the backup") == false
                }
                command.send(SIGKILL)
                _ = await command.exitCode
                #expect(try await browser.rows(named: "After the backup") == 0)
                #expect(try await server.run("backup").exitCode == 0)
                #expect(try await saved(in: directory).contains("After the backup"))
            }
        }

        /// Returns the lines of the snapshots of replaced stores.
        private func saved(in directory: TestDirectory) async throws -> String {
            let folder = directory.data + "/snapshots"
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            var lines: [String] = []
            for name in names where name.hasSuffix("-before-restore.jsonl.gz") {
                lines += try await ServedApplications.BackupTests.lines(of: folder + "/" + name)
            }
            return lines.joined(separator: "\n")
        }
    }
}
