import ArgumentParser
import Foundation
import Logging
import Testing

@testable import AviaryAdmin

@Suite("What is logged is decided by flags and the environment")
struct LogSettingsTests {
    @Test("Text of level notice without an access log, unless something says otherwise")
    func standard() throws {
        let settings = try LogSettings(environment: ["AVIARY_LOG_FORMAT": ""])
        #expect(settings.format == .text && settings.level == .notice && !settings.hasAccessLog)
    }

    @Test("A child that inherits the environment logs the same")
    func inherited() throws {
        var settings = try LogSettings(environment: [:])
        (settings.format, settings.level, settings.hasAccessLog) = (.json, .debug, true)
        #expect(try LogSettings(environment: settings.environment) == settings)
    }

    @Test(
        "What is no setting is refused by its name",
        arguments: [
            ("AVIARY_LOG_FORMAT", "xml"), ("AVIARY_LOG_LEVEL", "loud"), ("AVIARY_ACCESS_LOG", "maybe"),
            ("AVIARY_LOG_EVENTS", "yes"),
        ])
    func refused(variable: String, value: String) {
        let error = #expect(throws: ValidationError.self) { try LogSettings(environment: [variable: value]) }
        #expect(error?.message.hasPrefix(variable) == true)
    }

    @Test("A token for the metrics is a secret: a short one is refused, and none is none")
    func token() throws {
        #expect(try MetricsToken(environment: [:]) == nil)
        #expect(try MetricsToken(environment: ["AVIARY_METRICS_TOKEN": String(repeating: "x", count: 16)]) != nil)
        #expect(throws: ValidationError.self) {
            try MetricsToken(environment: ["AVIARY_METRICS_TOKEN": "x123456789abcde"])
        }
    }

    @Test("The token may stand in a file, which is its owner's alone")
    func tokenFile() throws {
        let directory = try TestDirectory()
        let path = directory.path("token")
        let environment = ["AVIARY_METRICS_TOKEN_FILE": path]
        #expect(throws: ValidationError.self, "there is none") { try MetricsToken(environment: environment) }
        try Data((String(repeating: "x", count: 16) + "\n").utf8).write(to: URL(filePath: path))
        #expect(chmod(path, 0o604) == 0)
        #expect(throws: ValidationError.self, "others may read it") { try MetricsToken(environment: environment) }
        #expect(chmod(path, 0o600) == 0)
        #expect(try MetricsToken(environment: environment) != nil)
        #expect(throws: ValidationError.self, "there are two") {
            try MetricsToken(environment: environment.merging(["AVIARY_METRICS_TOKEN": "x"]) { _, new in new })
        }
    }

    @Test("The command that runs after a backup is not told the token")
    func hook() {
        let environment = BackupHook.environment(
            for: "/a", from: ["AVIARY_METRICS_TOKEN": "x", "AVIARY_METRICS_TOKEN_FILE": "y", "PATH": "/bin"])
        #expect(environment == ["PATH": "/bin", "SNAPSHOT": "/a"])
    }

    @Test(
        "serve refuses wrong settings as wrong usage",
        arguments: [
            (["--log-format", "xml"], [:]), (["--log-level", "loud"], [:]), ([], ["AVIARY_LOG_LEVEL": "loud"]),
            ([], ["AVIARY_METRICS_TOKEN": "short"]),
        ] as [([String], [String: String])])
    func usage(flags: [String], environment: [String: String]) async throws {
        let directory = try TestDirectory()
        let run = try await Program.run(
            ["serve", "--in-process", "--port", "0", "--data", directory.path("data")] + flags, environment: environment
        )
        #expect(run.exitCode == 2)
        #expect(run.errors.contains(flags.first ?? environment.keys.first ?? ""), "\(run.errors)")
    }
}
