package import Foundation

/// The counts of an import, which is done or planned.
package struct ImportReport: Sendable, Hashable, Codable {
    /// The number of new records, by model name.
    package var inserted: [String: Int] = [:]
    package var updated = 0
    /// The number of stored records that already had the values of the file.
    package var unchanged = 0
    /// The number of records in the file, without its header.
    package var lineCount = 0
    /// The line on which the last of these records begins.
    package var lastLine = 0
    /// The numbers of the commits of the import, each of which can be undone.
    package var commits: [Int64] = []
    // These counts are optional, so that a report of an earlier version can be read.
    private var skippedCount: Int?
    private var rejectedCount: Int?
    private var defaultCounts: [String: Int]?

    /// The number of lines that were left out because their record exists.
    package var skipped: Int {
        get { skippedCount ?? 0 }
        set { skippedCount = newValue == 0 ? nil : newValue }
    }

    /// The number of lines that were left out because they have problems.
    package var rejected: Int {
        get { rejectedCount ?? 0 }
        set { rejectedCount = newValue == 0 ? nil : newValue }
    }

    /// The number of lines that gave a property no value, so that it got its default, by property name.
    package var defaulted: [String: Int] {
        get { defaultCounts ?? [:] }
        set { defaultCounts = newValue.isEmpty ? nil : newValue }
    }

    /// Creates a report without counts.
    ///
    /// - Parameter lastLine: The last line that is already stored.
    package init(behind lastLine: Int = 0) {
        self.lastLine = lastLine
    }

    mutating func add(_ other: ImportReport, storedBy receipt: Receipt?) {
        inserted.merge(other.inserted, uniquingKeysWith: +)
        updated += other.updated
        unchanged += other.unchanged
        skipped += other.skipped
        rejected += other.rejected
        defaulted.merge(other.defaulted, uniquingKeysWith: +)
        lineCount += other.lineCount
        lastLine = max(lastLine, other.lastLine)
        if let receipt { commits.append(receipt.commit) }
    }
}

/// An error for an import that stopped between two of its batches: the records of the first lines are stored.
///
/// It also reports an import for whose first batch the outcome is unknown.
package struct ImportInterruption: Error, Sendable {
    package let stored: ImportReport
    package let reason: any Error
}

extension ImportInterruption: CustomStringConvertible {
    package var description: String { "\(reason)\n" + (stored.commits.isEmpty ? beginning : middle) }

    private var isUnanswered: Bool { (reason as? StoreError) == .unanswered }

    /// The advice for the case that no commit of the import is known.
    private var beginning: String {
        isUnanswered
            ? "Look in Activity whether the first batch is stored. If it is, take it back, or go on with --after-line and its last line."
            : "Up to line \(stored.lastLine) there was nothing to store. Go on behind it with --after-line \(stored.lastLine)."
    }

    private var middle: String {
        let (first, last) = (stored.commits.min() ?? 0, stored.commits.max() ?? 0)
        // A long file has hundreds of commits.
        let commits =
            stored.commits.count > Self.mostListed
            ? "\(TextFormatter.grouped(stored.commits.count)) commits from \(first) to \(last)"
            : "\(stored.commits.count == 1 ? "commit" : "commits") \(TextFormatter.list(stored.commits.map(String.init)))"
        return
            "The lines up to \(stored.lastLine) are stored, by \(commits). "
            + (isUnanswered
                ? "Look in Activity whether the batch behind them is, too. Then take all of it back, or go on with --after-line and its last line."
                : "Take these back, or go on behind them with --after-line \(stored.lastLine).")
    }

    /// The largest number of commits that are listed one by one.
    private static let mostListed = 10
}

/// The progress of an import.
package struct ImportProgress: Sendable, Hashable, Codable {
    package enum Step: String, Sendable, Hashable, Codable {
        /// The step that checks every line.
        case checking
        case storing
    }

    package let step: Step
    /// The number of lines that are done.
    package let done: Int
    /// The total; nil when it is unknown.
    package let total: Int?

    package init(_ step: Step, done: Int = 0, of total: Int? = nil) {
        self.step = step
        self.done = done
        self.total = total
    }

    /// Indicates whether the work is further than another progress in the same file.
    func isFurther(than other: ImportProgress) -> Bool {
        step == other.step ? done > other.done : step == .storing
    }

    /// The description of the progress: `Saving records: 40% so far.`
    package var words: String {
        switch step {
        case .checking:
            localized(
                done, one: "Checking all lines: 1 so far.",
                other: "Checking all lines: \(done) so far.")
        case .storing: localized("Saving records: \(percent) so far.")
        }
    }

    private var percent: String {
        guard let total, total > 0 else { return localized("\(0)%") }
        return localized("\(min(100, done * 100 / total))%")
    }
}

/// The changes that an import would store, of a whole file or of a batch.
package struct ImportPlan: Sendable, Hashable {
    /// The changes: first new related records, then the records of the lines, then the links of many-to-many
    /// properties.
    package let changes: [Change]
    package let report: ImportReport

    init(related: [Change], records: [Change], links: [Change] = [], report: ImportReport) {
        changes = related + records + links
        self.report = report
    }

    /// The number of new records, by model name.
    package var counts: [String: Int] { report.inserted }
    /// The number of records in the file, without its header.
    package var lineCount: Int { report.lineCount }

    /// Returns the plan as one change set, which is stored completely or not at all.
    ///
    /// - Parameters:
    ///   - series: The series of the import that the plan is a batch of.
    ///   - id: The id of the change set that was sent with the same lines; nil when none was sent.
    package func changeSet(author: String, in series: ChangeSetSeries? = nil, as id: UUID? = nil) -> ChangeSet {
        ChangeSet(id: id ?? series?.changeSet([.version7()]) ?? .version7(), author: author, changes: changes)
    }
}
