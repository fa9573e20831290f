import Foundation
import Histogram
import Synchronization
import TestSupport
import Testing

@testable import AviaryLoad

/// Tests of the command in the example program.
@Suite(.serialized) struct ZooLoadTests {
    fileprivate static let program =
        Bundle.main.executableURL?.resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "zoo").path ?? "zoo"

    private func loadtest(_ arguments: String...) async throws -> (status: Int32, json: [String: Any]) {
        let child = LaunchedProcess(executable: Self.program, arguments: ["loadtest"] + arguments)
        try await child.start()
        let text = await child.read()
        let status = await child.exitStatus()
        return (
            status,
            try JSONSerialization.jsonObject(with: Data((text.isEmpty ? "{}" : text).utf8)) as? [String: Any] ?? [:]
        )
    }

    @Test func selfHostedKeepsItsWord() async throws {
        try await eventually("something was stored in the second of the run") {
            let (status, json) = try await loadtest(
                "--self-hosted", "--in-process", "--rows", "120", "--scenario", "mixed", "--duration", "1s",
                "--connections", "4", "--json"
            )
            #expect(status == 0, "\(json["violations"] ?? "")")
            return json["acknowledged"] as? Int ?? 0 > 0
        }
    }

    @Test func selfHostedSurvivesKills() async throws {
        // Processes are killed when something is acknowledged, which a busy machine may delay until the end.
        try await eventually("a process was killed in the three seconds of the run") {
            let (status, json) = try await loadtest(
                "--self-hosted", "--workers", "2", "--scenario", "mixed", "--duration", "3s", "--connections", "4",
                "--kill", "any", "--every", "1s", "--json"
            )
            guard json["kills"] as? Int ?? 0 > 0 else { return false }
            #expect(status == 0, "\(json["violations"] ?? "")")
            return true
        }
    }

    @Test("Several client processes share one load, and their results are merged")
    func processes() async throws {
        let (status, json) = try await loadtest(
            "--self-hosted", "--in-process", "--scenario", "mixed", "--rate", "40", "--connections", "6", "--duration",
            "2s",
            "--processes", "2", "--json"
        )
        #expect(status == 0, "\(json["violations"] ?? "")")
        #expect((json["client"] as? [String: Any])?["processes"] as? Int == 2)
        // Each of the two processes performs half of the due actions, and none is omitted.
        #expect((json["all"] as? [String: Any])?["count"] as? Int == 80)
        #expect(json["acknowledged"] as? Int ?? 0 > 0)
    }

    @Test("The live statistics cover all client processes")
    func liveFigures() async throws {
        // Requests after the last line are not reported. On a busy machine they may be many.
        try await eventually("the lines covered more than one process") {
            let lines = Mutex<[LiveStatistics]>([])
            let result = try await FakeAdmin(nil).serve { origin in
                let plan = try LoadPlan(
                    scenario: LoadScenario.browse.weighted("list=1"), connections: 4, rate: 40, duration: .seconds(3),
                    processes: 2, model: "animals")
                return try await LoadTest(
                    plan: plan, target: .running(origin: origin, credentials: nil), executable: Self.program,
                    progress: { if case .live(let figures) = $0 { lines.withLock { $0.append(figures) } } }
                ).run()
            }
            let reported = lines.withLock { lines in
                zip(lines, [0] + lines.map(\.seconds)).reduce(0) {
                    $0 + $1.0.requestsPerSecond * ($1.0.seconds - $1.1)
                }
            }
            // One process performs exactly half of the actions, each with one request.
            return reported > 0.5 * Double(result.measurements.requests) + 1
        }
    }

    @Test("A slow start of a client process does not count as server latency")
    func lateClients() async throws {
        let late = FileManager.default.temporaryDirectory.appending(path: "late-\(UUID().uuidString)")
        try ExecutableFile.write(to: late.path, endingWith: "#!/bin/sh\nsleep 3\nexec '\(Self.program)' \"$@\"\n")
        defer { try? FileManager.default.removeItem(at: late) }
        // A busy machine may delay the clients or this process, which contains the server, by as much.
        try await eventually("the start of the clients did not count") {
            let result = try await FakeAdmin(nil).serve { origin in
                let plan = try LoadPlan(
                    scenario: .browse, connections: 4, rate: 20, duration: .seconds(1), processes: 2, model: "animals")
                return try await LoadTest(
                    plan: plan, target: .running(origin: origin, credentials: nil), executable: late.path,
                    progress: { _ in }
                ).run()
            }
            #expect(result.isGood && result.measurements.all.totalCount == 20)
            // The server must not be blamed for the 3 seconds by which the client started late.
            return result.measurements.all.milliseconds(50) < 3000 && result.client?.lateness ?? 0 < 3000
        }
    }

    @Test("Output of the application in a client process is ignored")
    func printingClients() async throws {
        let loud = FileManager.default.temporaryDirectory.appending(path: "loud-\(UUID().uuidString)")
        try ExecutableFile.write(
            to: loud.path, endingWith: "#!/bin/sh\necho hello\n('\(Self.program)' \"$@\"; echo bye)\n")
        defer { try? FileManager.default.removeItem(at: loud) }
        let result = try await FakeAdmin(nil).serve { origin in
            let plan = try LoadPlan(
                scenario: .browse, connections: 4, rate: 20, duration: .seconds(1), processes: 2, model: "animals")
            return try await LoadTest(
                plan: plan, target: .running(origin: origin, credentials: nil), executable: loud.path,
                progress: { _ in }
            ).run()
        }
        #expect(result.isGood && result.measurements.all.totalCount == 20)
    }

    @Test("A search for the limit reports each rate and stops at the first that fails")
    func limit() async throws {
        let (status, json) = try await loadtest(
            "--self-hosted", "--in-process", "--scenario", "add", "--rate", "5", "--connections", "4", "--duration",
            "400ms",
            "--processes", "1", "--find-limit", "--limit-p99", "100ms", "--json"
        )
        #expect(status == 0, "\(json["violations"] ?? "")")
        let limit = try #require(json["limit"] as? [String: Any])
        let steps = try #require(limit["steps"] as? [[String: Any]])
        #expect(steps.contains { $0["reason"] != nil })
        #expect(limit["p99"] as? Double == 100)
    }

    @Test func aServerThatForgetsFails() async throws {
        let (status, json) = try await FakeAdmin(.forgets).serve { origin in
            let (status, json) = try await loadtest(
                "--url", origin, "--scenario", "add", "--duration", "2s", "--json")
            return (status, json["good"] as? Bool)
        }
        #expect(status == 1)
        #expect(json == false)
    }
}

/// Tests of invalid options of the command, separate from the load tests.
@Suite(.serialized) struct LoadUsageTests {
    @Test(arguments: [
        ["--self-hosted", "--kill", "any"], ["--url", "http://example.com"], [], ["--self-hosted", "--duration", "5"],
        ["--self-hosted", "--connections", "0"], ["--self-hosted", "--scenario", "dance"],
        ["--self-hosted", "--model", "dragons"],
        ["--url", "http://127.0.0.1:1", "--user", "ada"], ["--url", "http://127.0.0.1:1", "--password-stdin"],
        ["--self-hosted", "--user", "ada", "--password-stdin"], ["--self-hosted", "--workers", "0"],
        ["--self-hosted", "--in-process", "--workers", "2"], ["--self-hosted", "--rate", "1e-20", "--processes", "2"],
        ["--self-hosted", "--duration", "10s", "--kill", "store", "--every", "30s"],
        ["--self-hosted", "--report", "/nowhere/report.html"],
    ])
    func wrongUsageIsToldApart(_ arguments: [String]) async throws {
        let child = LaunchedProcess(executable: ZooLoadTests.program, arguments: ["loadtest"] + arguments)
        try await child.start()
        _ = await child.read()
        #expect(await child.exitStatus() == 2)
    }
}
