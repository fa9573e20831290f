import ArgumentParser
import Logging

/// The flags of `serve` that decide what is logged.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How log lines on standard error are written: text (the default) or json.", valueName: "format"))
    var logFormat: String?

    @Option(
        help: ArgumentHelp(
            "The least that is logged: trace, debug, info, notice (the default), warning, error or critical.",
            valueName: "level"))
    var logLevel: String?

    @Flag(
        help:
            "Log a line for each request: client, method, route, status, duration, size and id; never what was asked for or typed."
    )
    var accessLog = false

    @Flag(
        help:
            "Log each event of the audit log as it is stored, too: sign-ins, exports, backups, with who and from where."
    )
    var logEvents = false

    /// The flags, else the environment, else text of level notice.
    var settings: LogSettings {
        get throws {
            var settings = try LogSettings()
            if let logFormat { settings.format = try LogSettings.format(logFormat, from: "--log-format") }
            if let logLevel { settings.level = try LogSettings.level(logLevel, from: "--log-level") }
            if accessLog { settings.hasAccessLog = true }
            if logEvents { settings.hasEvents = true }
            return settings
        }
    }

    func validate() throws {
        _ = try settings
    }
}

/// A command that serves: its log lines name its role, and its flags decide what they look like.
protocol LoggingCommand {
    var role: ProcessRole { get }
    var logSettings: LogSettings { get throws }
}

extension LoggingCommand {
    var logSettings: LogSettings { get throws { try LogSettings() } }
}
