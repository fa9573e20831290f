import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryAdmin
@testable import AviaryCommands

@Suite("The command zoo check", .timeLimit(.minutes(Patience.minutes)))
struct CheckCommandTests {
    private struct Line: Decodable {
        let check: String
        let level: String
        let text: String
        let advice: String?
    }

    private let directory: TestDirectory
    private var data: String { directory.path("data") }

    init() throws {
        directory = try TestDirectory()
    }

    @Test("Before the first start, the check finds no danger and creates nothing")
    func nothingYet() async throws {
        let (code, lines) = try await check()
        #expect(code == 0)
        #expect(lines.filter { $0.level == "danger" }.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: data))
    }

    @Test("Beside a running server, the check finds the store, keys and models in order")
    func served() async throws {
        let server = try await Server.start(in: directory)
        let (code, lines) = try await check()
        #expect(code == 0)
        #expect(lines.allSatisfy { $0.level == "ok" }, "\(lines)")
        #expect(Set(lines.map(\.check)) == ["declaration", "data-directory", "keys", "store", "migration"])
        await server.stop()
        #expect(try await check().code == 0)
    }

    @Test("With --deploy, the check reads settings from flags and from the environment")
    func settings() async throws {
        let server = try await Server.start(in: directory)
        _ = try await Browser(server).get("/admin")
        let (code, lines) = try await check("--deploy")
        #expect(code == 1)
        #expect(Set(lines.filter { $0.level == "danger" }.map(\.check)) == ["tls", "allowed-host"])
        let flags = try await check(
            "--deploy", "--public-url", "https://zoo.example.org", "--trusted-proxy", "127.0.0.1")
        #expect(flags.code == 0, "\(flags.lines)")
        // The warnings concern the new account, this test's user, and a store without a backup.
        #expect(
            Set(flags.lines.filter { $0.level == "warning" }.map(\.check)).isSubset(of: [
                "second-factor", "backup", "user",
            ]))
        let variables = try await check(
            "--deploy",
            environment: [
                "AVIARY_PUBLIC_URL": "https://zoo.example.org", "AVIARY_TRUSTED_PROXY": "0.0.0.0/0",
                "AVIARY_HOST": "192.0.2.7", "AVIARY_METRICS_PORT": "9464",
            ]
        )
        #expect(variables.code == 1)
        #expect(Set(variables.lines.filter { $0.level == "danger" }.map(\.check)) == ["trusted-proxy", "metrics"])
        await server.stop()
    }

    @Test("Missing accounts and a readable data directory are dangers")
    func dangers() async throws {
        let server = try await Server.start(in: directory)
        await server.stop()
        chmod(data, 0o755)
        let (code, lines) = try await check(
            "--deploy", "--public-url", "https://zoo.example.org", "--trusted-proxy", "127.0.0.1")
        #expect(code == 1)
        #expect(Set(lines.filter { $0.level == "danger" }.map(\.check)) == ["accounts", "data-directory"])
    }

    @Test("A damaged key or store is a danger, and the other checks still run")
    func damage() async throws {
        _ = try ServerDirectory(StoreLocation(data))
        try FileManager.default.createDirectory(atPath: data + "/keys", withIntermediateDirectories: false)
        try Data("half".utf8).write(to: URL(filePath: data + "/keys/00000001.key"))
        try Data(repeating: 7, count: 8192).write(to: URL(filePath: data + "/store.sqlite"))
        let (code, lines) = try await check("--deploy")
        #expect(code == 1)
        #expect(Set(lines.filter { $0.level == "danger" }.map(\.check)).isSuperset(of: ["keys", "accounts", "tls"]))
        #expect(lines.contains { $0.level == "danger" && ["store", "migration"].contains($0.check) })
        #expect(lines.contains { $0.check == "declaration" && $0.level == "ok" })
    }

    @Test("The check finds a backup that was written outside the data directory")
    func backup() async throws {
        let server = try await Server.start(in: directory)
        let file = directory.path("elsewhere.jsonl.gz")
        #expect(try await Program.run(["backup", "--output", file, "--data", data]).exitCode == 0)
        let (_, lines) = try await check("--deploy")
        #expect(lines.first { $0.check == "backup" }?.level == "ok", "\(lines)")
        await server.stop()
    }

    @Test("The text has one line for each finding, with advice below it")
    func text() async throws {
        let run = try await Program.run(["check", "--deploy", "--data", data])
        #expect(run.exitCode == 1)
        #expect(run.output.contains("\nDANGER   TLS is not configured"))
        #expect(run.output.contains("\n         Put a proxy with TLS in front"))
    }

    @Test("A setting that serve rejects is wrong usage for check")
    func usage() async throws {
        #expect(try await Program.run(["check", "--deploy", "--trusted-proxy", "10.0.0.1/8"]).exitCode == 2)
        #expect(try await Program.run(["check", "--public-url", "http://zoo.example.org"]).exitCode == 2)
    }

    private func check(_ flags: String..., environment: [String: String] = [:]) async throws -> (
        code: Int32, lines: [Line]
    ) {
        let run = try await Program.run(["check", "--json", "--data", data] + flags, environment: environment)
        return (run.exitCode, try JSONDecoder().decode([Line].self, from: Data(run.output.utf8)))
    }
}
