import ArgumentParser
import Foundation
import Logging
import Testing

@testable import AviaryAdmin

@Suite("Log settings")
struct LogSettingsTests {
    @Test("The default is text of level notice without an access log")
    func standard() throws {
        let settings = try LogSettings(environment: ["AVIARY_LOG_FORMAT": ""])
        #expect(settings.format == .text && settings.level == .notice && !settings.hasAccessLog)
    }

    @Test("A child process inherits the log settings through its environment")
    func inherited() throws {
        var settings = try LogSettings(environment: [:])
        (settings.format, settings.level, settings.hasAccessLog) = (.json, .debug, true)
        #expect(try LogSettings(environment: settings.environment) == settings)
    }

    @Test(
        "An invalid setting is rejected with the variable's name",
        arguments: [
            ("AVIARY_LOG_FORMAT", "xml"), ("AVIARY_LOG_LEVEL", "loud"), ("AVIARY_ACCESS_LOG", "maybe"),
            ("AVIARY_LOG_EVENTS", "yes"),
        ])
    func refused(variable: String, value: String) {
        let error = #expect(throws: ValidationError.self) { try LogSettings(environment: [variable: value]) }
        #expect(error?.message.hasPrefix(variable) == true)
    }

    @Test("A short metrics token is rejected, and a missing token is accepted")
    func token() throws {
        #expect(try MetricsToken(environment: [:]) == nil)
        #expect(try MetricsToken(environment: ["AVIARY_METRICS_TOKEN": String(repeating: "x", count: 16)]) != nil)
        #expect(throws: ValidationError.self) {
            try MetricsToken(environment: ["AVIARY_METRICS_TOKEN": "x123456789abcde"])
        }
    }

    @Test("The token may be in a file that only its owner can read")
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

    @Test("The environment of the backup hook does not contain the metrics token")
    func hook() {
        let environment = BackupHook.environment(
            for: "/a", from: ["AVIARY_METRICS_TOKEN": "x", "AVIARY_METRICS_TOKEN_FILE": "y", "PATH": "/bin"])
        #expect(environment == ["PATH": "/bin", "SNAPSHOT": "/a"])
    }

    @Test(
        "Invalid log settings of serve are wrong usage",
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
