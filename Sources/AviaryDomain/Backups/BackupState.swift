package import Foundation

/// The state of the backups that a server takes by itself.
package struct BackupState: Sendable, Hashable, Codable {
    /// Seconds between two.
    package let interval: TimeInterval
    /// The time at which the server began to take backups.
    package var since: Date
    package var lastSuccess: Date?
    /// The name of the last one.
    package var lastFile: String?
    /// The reason for which the last attempt failed; nil when it succeeded.
    package var failure: String?
    /// The reason for which the command after it failed; nil when it succeeded, or when there is none.
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

    /// Returns a warning about something that needs attention; nil when there is nothing.
    package func warning(at now: Date) -> String? {
        if let failure { return localized("The last backup failed: \(failure)") }
        if isLate(at: now) {
            return lastSuccess == nil ? localized("No backup was taken yet.") : localized("The next backup is late.")
        }
        return hookFailure.map { localized("The last backup was taken, and the command after it failed: \($0)") }
    }
}

/// The result of restoring a snapshot into a temporary store: everything that the snapshot claims to contain was found.
package struct SnapshotProof: Sendable, Hashable, Codable {
    package let provenAt: Date
    package let snapshot: SnapshotSummary

    package init(provenAt: Date, snapshot: SnapshotSummary) {
        self.provenAt = provenAt
        self.snapshot = snapshot
    }
}

/// The storage of the backups that a server takes by itself, with their state.
package protocol BackupStorage: Sendable {
    /// Newest first.
    func files() -> [SnapshotFile]
    /// Removes a snapshot with what is remembered of it.
    func remove(_ name: String) throws
    /// Returns the state of the backups; nil when the server takes none by itself.
    func backupState() -> BackupState?
    /// - Parameter state: Nil when it takes none any more.
    func keep(_ state: BackupState?) throws
}
