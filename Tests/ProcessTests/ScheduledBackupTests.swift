import Foundation
import TestSupport
import Testing

extension ServedApplications {
    @Suite("Backups on a schedule")
    struct ScheduledBackupTests {
        private struct Status: Decodable {
            struct Backups: Decodable {
                let lastSuccess: String?
                let lastFile: String?
                let warning: String?
            }

            let backups: Backups?
        }

        private static func snapshots(_ server: Server) -> [String] {
            // The folder does not exist until the first backup.
            ((try? FileManager.default.contentsOfDirectory(atPath: server.directory.data + "/snapshots")) ?? [])
                .filter { $0.hasSuffix("-scheduled.jsonl.gz") }.sorted()
        }

        private static func status(_ server: Server) async throws -> (Status, Int32) {
            let run = try await server.status("--json")
            return (try run.json(Status.self), run.exitCode)
        }

        @Test("Scheduled backups are taken, logged and removed when newer ones exist, while writes continue")
        func taken() async throws {
            let flags = [
                "--backup-every", "1s", "--keep-hourly", "1", "--keep-daily", "0", "--keep-monthly", "0",
                "--backup-hook", "echo \"$SNAPSHOT\" >> \"$(dirname \"$SNAPSHOT\")/../hook.txt\"",
            ]
            try await TestDirectory.use { directory in
                let server = try await Server.start(in: directory, flags: flags)
                try await Browser(server).addAnimal("Kept")
                let hook = server.directory.data + "/hook.txt"
                func reported() -> [Substring] {
                    ((try? String(contentsOfFile: hook, encoding: .utf8)) ?? "").split(separator: "\n")
                }
                try await eventually("three backups were told") { reported().count >= 3 }
                try await Browser(server).addAnimal("Meanwhile")
                let lines = reported()
                #expect(Set(lines).count == lines.count, "each is another file")
                #expect(Self.snapshots(server).count <= 2, "all but the newest, and the one that is being made")
                let (status, exitCode) = try await Self.status(server)
                #expect(status.backups?.lastSuccess != nil)
                #expect(status.backups?.warning == nil)
                #expect(exitCode == 0)
                let events = try StoreFile(server.directory).rows(
                    "SELECT subject FROM aviary_event WHERE kind = 'backup' AND account = 'the server'"
                ).flatMap { $0 }
                #expect(events.count >= 3)
                #expect(events.allSatisfy { $0.hasSuffix("-scheduled.jsonl.gz") })
            }
        }

        @Test("A failing backup hook makes the status warn with its exit code")
        func hookFails() async throws {
            try await TestDirectory.use { directory in
                let server = try await Server.start(
                    in: directory, flags: ["--backup-every", "1h", "--backup-hook", "exit 7"])
                try await eventually("it warned") {
                    try await Self.status(server).0.backups?.warning != nil
                }
                let (status, exitCode) = try await Self.status(server)
                #expect(
                    status.backups?.warning
                        == "The last backup succeeded, but the command after it failed: it exited with 7.")
                #expect(exitCode == 1)
                let text = try await server.status().output
                #expect(text.contains("warning: The last backup"))
            }
        }

        @Test("Without the flag, the server takes no backups and does not warn")
        func none() async throws {
            try await Server.use { server in
                let (status, _) = try await Self.status(server)
                #expect(status.backups == nil)
                #expect(Self.snapshots(server).isEmpty)
            }
        }
    }
}
