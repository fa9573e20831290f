package import Foundation

/// The result of a check of what a store derives from its records and remembers of them.
package struct DataCheckReport: Sendable, Hashable, Codable {
    package let endedAt: Date
    package let seconds: Double
    /// How many were looked at, as the next.
    package let records: Int
    /// Of the history.
    package let entries: Int
    /// Some of what is wrong, a sentence each.
    package let problems: [String]
    /// All of what is wrong.
    package let problemCount: Int
    /// Whether all that is wrong can be made anew from the records.
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

/// How far a data check is.
package struct DataCheckProgress: Sendable, Hashable {
    package let records: Int
    package let entries: Int
    /// As the totals say; nil before it is known.
    package let expectedRecords: Int?
    package let problems: Int

    package init(records: Int, entries: Int, expectedRecords: Int?, problems: Int) {
        self.records = records
        self.entries = entries
        self.expectedRecords = expectedRecords
        self.problems = problems
    }
}

/// What is known of the data checks that a server makes by itself.
package struct DataCheckState: Sendable, Hashable, Codable {
    /// Seconds between two.
    package let interval: TimeInterval
    /// When the server began to make them.
    package let since: Date
    /// The last one that came to its end.
    package var last: DataCheckReport?
    /// Why the last attempt came to no end; nil when it did.
    package var failure: String?

    package init(interval: TimeInterval, since: Date, last: DataCheckReport? = nil) {
        self.interval = interval
        self.since = since
        self.last = last
    }

    package var nextDue: Date { (last?.endedAt ?? since).addingTimeInterval(interval) }

    /// A clock that was set back must not end the checks.
    package func isDue(at now: Date) -> Bool {
        now >= nextDue || now < (last?.endedAt ?? since).addingTimeInterval(-60)
    }

    /// What somebody should look after; nil when all is well.
    package var warning: String? {
        if let last, last.problemCount > 0 {
            return localized(
                last.problemCount, one: "The last check of the data found 1 problem: \(last.problems.first ?? "")",
                other: "The last check of the data found \(last.problemCount) problems: \(last.problems.first ?? "")")
        }
        return failure.map { localized("The last check of the data came to no end: \($0)") }
    }
}

/// Where it is kept what is known of the data checks that a server makes by itself.
package protocol DataCheckStorage: Sendable {
    /// Nil when it makes none.
    func dataCheckState() -> DataCheckState?
    /// - Parameter state: Nil when it makes none any more.
    func keep(_ state: DataCheckState?) throws
}
