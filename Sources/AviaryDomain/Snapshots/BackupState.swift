package import Foundation

/// What is known of the backups that a server takes by itself.
package struct BackupState: Sendable, Hashable, Codable {
    /// Seconds between two.
    package let interval: TimeInterval
    /// When the server began to take them.
    package var since: Date
    package var lastSuccess: Date?
    /// The name of the last one.
    package var lastFile: String?
    /// Why the last attempt failed; nil when it did not.
    package var failure: String?
    /// Why the command after it failed; nil when it did not, or there is none.
    package var hookFailure: String?

    package init(interval: TimeInterval, since: Date) {
        self.interval = interval
        self.since = since
    }

    package var nextDue: Date { (lastSuccess ?? since).addingTimeInterval(lastSuccess == nil ? 0 : interval) }

    /// A clock that was set back must not end the backups.
    package func isDue(at now: Date) -> Bool {
        now >= nextDue || lastSuccess.map { now < $0.addingTimeInterval(-60) } ?? false
    }

    /// Half an interval over the time, and not less than a minute: large stores take their time.
    package func isLate(at now: Date) -> Bool {
        now > (lastSuccess ?? since).addingTimeInterval(interval + max(60, interval / 2))
    }

    /// What somebody should look after; nil when all is well.
    package func warning(at now: Date) -> String? {
        if let failure { return localized("The last backup failed: \(failure)") }
        if isLate(at: now) {
            return lastSuccess == nil ? localized("No backup was taken yet.") : localized("The next backup is late.")
        }
        return hookFailure.map { localized("The last backup was taken, and the command after it failed: \($0)") }
    }
}
