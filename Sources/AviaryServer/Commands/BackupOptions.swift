import ArgumentParser
import AviaryDomain
import Foundation

/// The flags that say which backups a server takes by itself.
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
            throw ValidationError("--keep-… and --backup-… say how backups are taken: give --backup-every, too.")
        }
    }

    /// Nil where none are to be taken.
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

    /// What the environment alone says.
    static var fromEnvironment: BackupSchedule? {
        get throws { try schedule(of: []) }
    }

    /// As `serve` with these flags.
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
