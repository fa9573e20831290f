import AviaryDomain
import Foundation

extension Store {
    /// More than a batch adds, so that what is too old shrinks to nothing, and never so much that anyone waits for it.
    private static let leastTrim = 16

    /// Removes some of what is kept no longer: entries of the history, receipts, discarded drafts.
    func trim(afterJobs count: Int) throws {
        let now = now()
        let limit = max(2 * count, Self.leastTrim)
        try DiscardTable.trim(atMost: limit, at: now, in: connection)
        let oldest = now.addingTimeInterval(-historyPolicy.maximumAge.seconds)
        let size = position.historySize
        let freed = try ChangeTable.trim(atMost: limit, in: connection) { time, freed in
            time < oldest || size - freed > historyPolicy.maximumSize
        }
        position.historySize = max(0, size - freed)
        let historyStart = try ChangeTable.firstNumber(in: connection) ?? position.nextChange
        try CommitTable.trim(atMost: limit, at: now, historyStart: historyStart, in: connection)
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
