import AviaryDomain
import Foundation

/// The backups that a server takes by itself.
struct BackupSchedule: Sendable, Hashable {
    /// Seconds between two.
    let interval: TimeInterval
    let retention: BackupRetention
    /// A command for the shell, run after each.
    let hook: String?
    let includesSecrets: Bool
}

extension BackupSchedule {
    static let intervalVariable = "AVIARY_BACKUP_EVERY"
    static let hourlyVariable = "AVIARY_KEEP_HOURLY"
    static let dailyVariable = "AVIARY_KEEP_DAILY"
    static let monthlyVariable = "AVIARY_KEEP_MONTHLY"
    static let hookVariable = "AVIARY_BACKUP_HOOK"
    static let secretsVariable = "AVIARY_BACKUP_INCLUDE_SECRETS"

    /// By which the store process knows it. Not by flags: a deploy may start an older program, which knows none of them.
    var environment: [String: String] {
        var variables = [
            Self.intervalVariable: "\(interval)s", Self.hourlyVariable: "\(retention.hourly)",
            Self.dailyVariable: "\(retention.daily)", Self.monthlyVariable: "\(retention.monthly)",
            Self.secretsVariable: includesSecrets ? "1" : "",
        ]
        variables[Self.hookVariable] = hook
        return variables
    }
}
