/// What an import did, or would do.
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

    package init() {}

    mutating func add(_ other: ImportReport, storedBy receipt: Receipt?) {
        inserted.merge(other.inserted, uniquingKeysWith: +)
        updated += other.updated
        unchanged += other.unchanged
        lineCount += other.lineCount
        lastLine = max(lastLine, other.lastLine)
        if let receipt { commits.append(receipt.commit) }
    }
}

/// An import that stopped between two of its batches: the records of the first lines are stored.
package struct ImportInterruption: Error, Sendable {
    package let stored: ImportReport
    package let reason: any Error
}

extension ImportInterruption: CustomStringConvertible {
    package var description: String {
        let commits = stored.commits.map(String.init)
        return "\(reason)\nThe lines up to \(stored.lastLine) are stored, by \(commits.count == 1 ? "commit" : "commits") "
            + "\(Words.list(commits)). Take these back, or import what is behind."
    }
}
