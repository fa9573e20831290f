package import Foundation

/// The rules for deleting snapshots that nobody requested individually.
///
/// The newest scheduled snapshot of each of the last hours, days and months that have one is kept. In each of these
/// periods, a snapshot that was proven restorable has precedence.
package struct BackupRetention: Sendable, Hashable {
    package static let standard = BackupRetention(hourly: 24, daily: 7, monthly: 12)

    package let hourly: Int
    package let daily: Int
    package let monthly: Int

    package init(hourly: Int, daily: Int, monthly: Int) {
        self.hourly = hourly
        self.daily = daily
        self.monthly = monthly
    }

    /// Returns the snapshots that may be deleted: never the newest, never the newest that was proven restorable, and
    /// none that a person took.
    package func removable(_ files: [SnapshotFile]) -> [SnapshotFile] {
        let scheduled = files.filter { $0.origin == .scheduled }.sorted {
            ($0.writtenAt, $0.name) > ($1.writtenAt, $1.name)
        }
        var kept = Set(scheduled.prefix(1).map(\.name))
        if let proven = scheduled.first(where: { $0.proof != nil }) { kept.insert(proven.name) }
        // The beginnings of RFC 3339: to the hour, the day, the month. All in UTC, so no hour is there twice.
        for (count, length) in [(hourly, 13), (daily, 10), (monthly, 7)] {
            kept.formUnion(newest(count, of: scheduled, eachOf: length))
        }
        return scheduled.filter { !kept.contains($0.name) }
    }

    /// The default number of stores that restores replaced and that are kept.
    package static let standardReplaced = 5

    /// Returns the replaced stores that may be deleted: never the newest, and none of the last day, because a wrong
    /// restore is mostly noticed at once.
    ///
    /// - Parameter count: The number of newest ones to keep.
    package static func removableReplaced(_ files: [SnapshotFile], keeping count: Int, at now: Date) -> [SnapshotFile] {
        files.filter { $0.origin == .beforeRestore }.sorted { ($0.writtenAt, $0.name) > ($1.writtenAt, $1.name) }
            .dropFirst(max(1, count)).filter { now.timeIntervalSince($0.writtenAt) > 86_400 }
    }

    private func newest(_ count: Int, of files: [SnapshotFile], eachOf length: Int) -> [String] {
        var periods: Set<Substring> = []
        var names: [String] = []
        for (index, file) in files.enumerated() where periods.count < count {
            guard let period = file.period(length), periods.insert(period).inserted else { continue }
            let proven = files[index...].prefix { $0.period(length) == period }.first { $0.proof != nil }
            names.append((proven ?? file).name)
        }
        return names
    }
}

extension SnapshotFile {
    fileprivate func period(_ length: Int) -> Substring? { writtenAt.rfc3339?.prefix(length) }
}
