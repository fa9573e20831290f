import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation
import Logging

/// The options for the backups that a server takes by itself.
struct BackupOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The interval of backups, such as 30m, 1h or 1d. Each is restored into a temporary store as a test.",
            valueName: "duration"))
    var backupEvery: String?

    @Option(
        help: ArgumentHelp("The number of hours of which the newest backup is kept, 24 by default.", valueName: "n"))
    var keepHourly: Int?

    @Option(help: ArgumentHelp("The number of days of which the newest backup is kept, 7 by default.", valueName: "n"))
    var keepDaily: Int?

    @Option(
        help: ArgumentHelp("The number of months of which the newest backup is kept, 12 by default.", valueName: "n"))
    var keepMonthly: Int?

    @Option(
        help: ArgumentHelp("The command to run after each backup, with its path in SNAPSHOT.", valueName: "command"))
    var backupHook: String?

    @Flag(help: "Include the values of secret properties in backups. Protect them like a password.")
    var backupIncludeSecrets = false

    func validate() throws {
        if try schedule == nil,
            keepHourly != nil || keepDaily != nil || keepMonthly != nil || backupHook != nil || backupIncludeSecrets
        {
            throw ValidationError("--keep-… and --backup-… need --backup-every.")
        }
    }

    /// The schedule, or nil without backups.
    var schedule: BackupSchedule? {
        get throws {
            guard
                let every = TextSetting(flag: "--backup-every", variable: BackupSchedule.intervalVariable).value(
                    backupEvery)
            else {
                return nil
            }
            func number(_ flag: String, _ variable: String, _ given: Int?, _ standard: Int) throws -> Int {
                try NumberSetting(flag: flag, variable: variable, range: 0...100_000).value(given) ?? standard
            }
            let standard = BackupRetention.standard
            return BackupSchedule(
                interval: try Self.interval(every),
                retention: BackupRetention(
                    hourly: try number("--keep-hourly", BackupSchedule.hourlyVariable, keepHourly, standard.hourly),
                    daily: try number("--keep-daily", BackupSchedule.dailyVariable, keepDaily, standard.daily),
                    monthly: try number("--keep-monthly", BackupSchedule.monthlyVariable, keepMonthly, standard.monthly)
                ),
                hook: TextSetting(flag: "--backup-hook", variable: BackupSchedule.hookVariable).value(backupHook)?.text,
                includesSecrets: backupIncludeSecrets
                    || ProcessInfo.processInfo.environment[BackupSchedule.secretsVariable] == "1"
            )
        }
    }

    /// The schedule from the environment alone.
    static var fromEnvironment: BackupSchedule? {
        get throws { try schedule(of: []) }
    }

    /// Returns the schedule that `serve` would use with these flags.
    static func schedule(of flags: [String]) throws -> BackupSchedule? { try parse(flags).schedule }

    static func interval(_ given: TextSetting.Given) throws -> TimeInterval {
        let number = given.text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let units: [Substring: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let value = Double(number), let unit = units[given.text[number.endIndex...]],
            (1...31_622_400).contains(value * unit)
        else {
            throw ValidationError("\(given.source) takes a duration from 1s to 366d, as 30m, 1h or 1d.")
        }
        return value * unit
    }
}

/// The options for the lifetime of a session.
struct SessionOptions: ParsableArguments {
    static let idleVariable = "AVIARY_SESSION_IDLE"
    static let limitVariable = "AVIARY_SESSION_LIMIT"

    @Option(
        help: ArgumentHelp(
            "The time without a request after which a session ends, from 5m to 7d, such as 30m; 8h by default.",
            valueName: "duration"))
    var sessionIdle: String?

    @Option(
        help: ArgumentHelp(
            "The time after which a session ends in any case, from 5m to 30d, such as 12h; 7d by default.",
            valueName: "duration"))
    var sessionLimit: String?

    func validate() throws { _ = try limits }

    /// The limits from the flags, or else from the environment.
    var limits: SessionLimits {
        get throws {
            var limits = SessionLimits()
            let idle = TextSetting(flag: "--session-idle", variable: Self.idleVariable).value(sessionIdle)
            let absolute = TextSetting(flag: "--session-limit", variable: Self.limitVariable).value(sessionLimit)
            if let absolute {
                limits.absolute = try Self.seconds(absolute, upTo: SessionLimits.longest.absolute, words: "30d")
            }
            if let idle {
                limits.idle = try Self.seconds(idle, upTo: SessionLimits.longest.idle, words: "7d")
                guard limits.idle <= limits.absolute else {
                    throw ValidationError(
                        "\(idle.source) is longer than --session-limit. Use a shorter time.")
                }
            }
            // A session that ends earlier in any case needs no longer idle time.
            limits.idle = min(limits.idle, limits.absolute)
            return limits
        }
    }

    /// The variables that pass the limits to a web worker. A deploy may start a worker of an earlier version, which
    /// does not know the flags.
    var environment: [String: String] {
        get throws {
            let limits = try limits
            return [Self.idleVariable: "\(limits.idle)s", Self.limitVariable: "\(limits.absolute)s"]
        }
    }

    /// The limits from the environment alone.
    static var fromEnvironment: SessionLimits {
        get throws { try of([]).limits }
    }

    /// Returns the options of `serve` for these flags.
    static func of(_ flags: [String]) throws -> SessionOptions { try parse(flags) }

    private static func seconds(_ given: TextSetting.Given, upTo longest: TimeInterval, words: String) throws
        -> TimeInterval
    {
        let seconds = try BackupOptions.interval(given)
        guard (SessionLimits.shortest...longest).contains(seconds) else {
            throw ValidationError("\(given.source) takes a duration from 5m to \(words), as 30m, 12h or 1d.")
        }
        return seconds
    }
}

/// The options for the bounds of the history.
struct HistoryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The age after which entries of the history are removed, such as 90d, instead of the application's.",
            valueName: "duration"))
    var historyAge: String?

    @Option(
        help: ArgumentHelp(
            "The size above which the oldest entries of the history are removed, such as 512M or 4G.",
            valueName: "size"))
    var historySize: String?

    func validate() throws { _ = try limits }

    /// The limits from the flags, or else from the environment.
    var limits: HistoryLimits {
        get throws {
            do {
                return try HistoryLimits(
                    age: TextSetting(flag: "--history-age", variable: HistoryLimits.ageVariable).value(historyAge)?
                        .text,
                    size: TextSetting(flag: "--history-size", variable: HistoryLimits.sizeVariable)
                        .value(historySize)?.text)
            } catch {
                throw ValidationError("\(error)")
            }
        }
    }
}

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

    /// The settings from the flags, or else from the environment; text at level notice by default.
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

/// A command that serves. Its log lines contain its role, and its flags set their format and level.
protocol LoggingCommand {
    var role: ProcessRole { get }
    var logSettings: LogSettings { get throws }
}

extension LoggingCommand {
    var logSettings: LogSettings { get throws { try LogSettings() } }
}
