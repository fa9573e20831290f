/// The counts of an import, done or planned.
package struct ImportReport: Sendable, Hashable, Codable {
    /// New records by model name.
    package var inserted: [String: Int] = [:]
    package var updated = 0
    /// Records that were already as the file has them.
    package var unchanged = 0
    /// The records of the file, without its header.
    package var lineCount = 0
    /// The line on which the last of them begins.
    package var lastLine = 0
    /// The commits that stored it, each of which can be taken back.
    package var commits: [Int64] = []

    /// - Parameter lastLine: Up to which the lines are stored already, by whatever.
    package init(behind lastLine: Int = 0) {
        self.lastLine = lastLine
    }

    mutating func add(_ other: ImportReport, storedBy receipt: Receipt?) {
        inserted.merge(other.inserted, uniquingKeysWith: +)
        updated += other.updated
        unchanged += other.unchanged
        lineCount += other.lineCount
        lastLine = max(lastLine, other.lastLine)
        if let receipt { commits.append(receipt.commit) }
    }
}

/// An import that stopped between two of its batches: the records of the first lines are stored. Also one of whose
/// first batch nothing is known.
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
        let commits = stored.commits.map(String.init)
        return
            "The lines up to \(stored.lastLine) are stored, by \(commits.count == 1 ? "commit" : "commits") \(Words.list(commits)). "
            + (isUnanswered
                ? "Look in Activity whether the batch behind them is, too. Then take all of it back, or go on with --after-line and its last line."
                : "Take these back, or go on behind them with --after-line \(stored.lastLine).")
    }
}
