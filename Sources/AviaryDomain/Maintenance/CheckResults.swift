package import Foundation

/// The known state of a store's file.
///
/// The store checks the file after a previous store could not close it, because its process was killed or the
/// machine stopped, and after a statement found damage.
package enum FileCheck: Sendable, Hashable, Codable {
    case notNeeded
    case running
    case ok(at: Date)
    /// A damaged file, with some of the messages of SQLite.
    case damaged([String], at: Date)
    /// A check that did not finish. It begins again when the store is opened the next time.
    case unfinished(reason: String)
}

extension FileCheck {
    /// The advice for a damaged file. It loses the least data, because a new backup contains records that older ones
    /// do not.
    package static let adviceOnDamage =
        "Check the disk, take a backup of this store now (backup --prove), stop the server and run repair. "
        + "If that fails, restore a backup."
}

extension FileCheck: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notNeeded: "not needed: clean shutdown"
        case .running: "running"
        case .ok(let time): "ok, checked \(time.rfc3339 ?? "")"
        case .damaged(let lines, let time):
            "DAMAGED, found \(time.rfc3339 ?? ""). \(Self.adviceOnDamage) " + lines.joined(separator: "; ")
        case .unfinished(let reason): "not finished: \(reason)"
        }
    }
}

/// The result of a check of the data that a store derives from its records or stores about them.
package struct DataCheckReport: Sendable, Hashable, Codable {
    package let endedAt: Date
    package let seconds: Double
    /// The number of records that were checked.
    package let records: Int
    /// The number of history entries that were checked.
    package let entries: Int
    /// Some of the problems, each a sentence.
    package let problems: [String]
    /// The number of all problems.
    package let problemCount: Int
    /// Indicates whether all problems concern derived data, which can be rebuilt from the records.
    package let areAllDerived: Bool

    package init(
        endedAt: Date, seconds: Double, records: Int, entries: Int, problems: [String], problemCount: Int,
        areAllDerived: Bool
    ) {
        self.endedAt = endedAt
        self.seconds = seconds
        self.records = records
        self.entries = entries
        self.problems = problems
        self.problemCount = problemCount
        self.areAllDerived = areAllDerived
    }
}

/// The progress of a data check.
package struct DataCheckProgress: Sendable, Hashable {
    package let records: Int
    package let entries: Int
    /// The number of records according to the stored totals; nil before it is known.
    package let expectedRecords: Int?
    package let problems: Int

    package init(records: Int, entries: Int, expectedRecords: Int?, problems: Int) {
        self.records = records
        self.entries = entries
        self.expectedRecords = expectedRecords
        self.problems = problems
    }
}

/// The state of the scheduled data checks of a server.
package struct DataCheckState: Sendable, Hashable, Codable {
    /// The time between two checks, in seconds.
    package let interval: TimeInterval
    /// The time at which the server began the scheduled checks.
    package let since: Date
    /// The report of the last check that finished.
    package var last: DataCheckReport?
    /// The reason for which the last check did not finish; nil when it did.
    package var failure: String?

    package init(interval: TimeInterval, since: Date, last: DataCheckReport? = nil) {
        self.interval = interval
        self.since = since
        self.last = last
    }

    package var nextDue: Date { (last?.endedAt ?? since).addingTimeInterval(interval) }

    /// Indicates whether the next check is due. A clock that was set back does not stop the checks.
    package func isDue(at now: Date) -> Bool {
        now >= nextDue || now < (last?.endedAt ?? since).addingTimeInterval(-60)
    }

    /// A warning about something that needs attention; nil when there is nothing.
    package var warning: String? {
        if let last, last.problemCount > 0 {
            return localized(
                last.problemCount, one: "The last data check found 1 problem: \(last.problems.first ?? "")",
                other: "The last data check found \(last.problemCount) problems: \(last.problems.first ?? "")")
        }
        return failure.map { localized("The last data check didn’t finish: \($0)") }
    }
}

/// The storage of the state of a server's scheduled data checks.
package protocol DataCheckStorage: Sendable {
    /// Returns the state of the scheduled data checks; nil when the server makes none.
    func dataCheckState() -> DataCheckState?
    /// Stores the state of the scheduled data checks.
    ///
    /// - Parameter state: The state; nil when the server no longer makes any.
    func keep(_ state: DataCheckState?) throws
}
