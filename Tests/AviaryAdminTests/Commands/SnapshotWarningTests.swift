import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryAdmin
@testable import AviaryCommands

@Suite("Snapshot warnings", .timeLimit(.minutes(Patience.minutes)))
struct SnapshotWarningTests {
    @Test("Verification and a dry run warn about an unknown role but succeed")
    func unknownRole() async throws {
        let directory = try TestDirectory(), snapshot = directory.path("zoo.jsonl.gz")
        let server = try await Server.start(in: directory)
        _ = try await Browser(server, as: "zoe", role: "keeper").get("/admin")
        _ = try await Browser(server, as: "bo", role: "editor").get("/admin")
        await server.kill()
        let taken = try await Program.run(["backup", "--output", snapshot, "--data", directory.path("data")])
        try #require(taken.exitCode == 0, "\(taken.errors)")
        let none = directory.path("none"),
            warning = "Warning: zoe has the role keeper, which the program doesn’t have and which allows nothing."
        for arguments in [
            ["verify", snapshot], ["verify", "--prove", snapshot], ["restore", snapshot, "--dry-run", "--data", none],
        ] {
            let run = try await Program.run(arguments)
            #expect(run.exitCode == 0)
            #expect(run.errors.contains(warning), "\(run.errors)")
            #expect(!run.errors.contains("bo has"))
        }
        #expect(!FileManager.default.fileExists(atPath: none))
        let json = try await Program.run(["verify", snapshot, "--json"]).output
        let reported = try JSONDecoder().decode(SnapshotSummary.self, from: Data(json.utf8))
        #expect(reported.unknownRoles == [SnapshotSummary.UnknownRole(account: "zoe", role: "keeper")])
    }

    @Test(
        "Warnings name the first 20 accounts with unknown roles and count the others",
        arguments: [
            (20, nil), (21, "1 more account has a role that the program doesn’t have."),
            (1_022, "1,002 more accounts have roles that the program doesn’t have."),
        ] as [(Int, String?)])
    func many(count: Int, last: String?) {
        var summary = SnapshotSummary(
            path: nil, app: "Zoo", createdAt: "", commit: 1, records: 0, counts: [:], sha256: "")
        summary.unknownRoles = (0..<count).map { SnapshotSummary.UnknownRole(account: "a\($0)", role: "keeper") }
        #expect(summary.warnings.count == (last == nil ? 20 : 21))
        #expect(
            summary.warnings.last == last
                ?? "a19 has the role keeper, which the program doesn’t have and which allows nothing.")
    }

    @Test("A snapshot whose roles were not checked has no warnings")
    func nobodyLooked() {
        let summary = SnapshotSummary(
            path: nil, app: "Zoo", createdAt: "", commit: 1, records: 0, counts: [:], sha256: "")
        #expect(summary.warnings == [])
    }
}
