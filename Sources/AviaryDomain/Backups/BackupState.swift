package import Foundation

/// The state of the scheduled backups of a server.
package struct BackupState: Sendable, Hashable, Codable {
    /// The time between two backups, in seconds.
    package let interval: TimeInterval
    /// The time at which the server began to take scheduled backups.
    package var since: Date
    package var lastSuccess: Date?
    /// The name of the last backup's file.
    package var lastFile: String?
    /// The reason for which the last attempt failed; nil when it succeeded.
    package var failure: String?
    /// The reason for which the command after the last backup failed; nil when it succeeded, or when there is none.
    package var hookFailure: String?

    package init(interval: TimeInterval, since: Date) {
        self.interval = interval
        self.since = since
    }

    package var nextDue: Date { (lastSuccess ?? since).addingTimeInterval(lastSuccess == nil ? 0 : interval) }

    /// Indicates whether the next backup is due. A clock that was set back does not stop the backups.
    package func isDue(at now: Date) -> Bool {
        now >= nextDue || lastSuccess.map { now < $0.addingTimeInterval(-60) } ?? false
    }

    /// Indicates whether the next backup is late by more than half an interval, and by at least a minute.
    ///
    /// The margin allows for large stores, whose backups take long.
    package func isLate(at now: Date) -> Bool {
        now > (lastSuccess ?? since).addingTimeInterval(interval + max(60, interval / 2))
    }

    /// Returns a warning about something that needs attention; nil when there is nothing.
    package func warning(at now: Date) -> String? {
        if let failure { return localized("The last backup failed: \(failure)") }
        if isLate(at: now) {
            return lastSuccess == nil ? localized("No backup yet.") : localized("The next backup is overdue.")
        }
        return hookFailure.map { localized("The last backup succeeded, but the command after it failed: \($0)") }
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

/// The storage of a server's scheduled backups, with their state.
package protocol BackupStorage: Sendable {
    /// Returns the snapshots, newest first.
    func files() -> [SnapshotFile]
    /// Removes a snapshot and the information about it.
    func remove(_ name: String) throws
    /// Returns the state of the scheduled backups; nil when the server takes none.
    func backupState() -> BackupState?
    /// Stores the state of the scheduled backups.
    ///
    /// - Parameter state: The state; nil when the server no longer takes scheduled backups.
    func keep(_ state: BackupState?) throws
}
