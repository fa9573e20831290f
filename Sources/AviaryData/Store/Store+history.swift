import AviaryDomain
import Foundation

extension Store {
    /// So that what is too old shrinks to nothing.
    private static let leastTrim = 16
    /// Some milliseconds: what a large import or cascade leaves over the bounds goes while nobody waits.
    private static let largestTrim = 4096

    /// Removes some of what is kept no longer: entries of the history, receipts, discarded drafts.
    ///
    /// - Parameter limit: Twice of what was added, so that there is less and less over the bounds.
    func trim(atMost limit: Int) throws {
        lookAtClocks()
        guard !isDamaged else { return }
        let limit = min(max(limit, Self.leastTrim), Self.largestTrim)
        try DiscardTable.trim(atMost: limit, at: clock.runningDate, in: connection)
        let (lastOld, size) = (lastCommitWithoutHistory, position.historySize)
        let freed = try ChangeTable.trim(atMost: limit, in: connection) { commit, freed in
            commit <= lastOld || size - freed > historyPolicy.maximumSize
        }
        position.historySize = max(0, size - freed)
        let historyStart = try ChangeTable.firstNumber(in: connection) ?? position.nextChange
        lastSwept = try CommitTable.trim(
            after: lastSwept, to: lastCommitWithoutReceipt, atMost: limit, historyStart: historyStart, in: connection
        )
        if clock.isDue { try clock.write(to: connection) }
    }

    func lookAtClocks() {
        clock.advance(to: now(), at: uptime())
    }

    /// As ``trim(atMost:)``, in a transaction of its own; false when the history is within its bounds.
    func trimBetweenBatches() throws -> Bool {
        guard let oldest = try ChangeTable.oldestCommit(in: connection),
            oldest <= lastCommitWithoutHistory || position.historySize > historyPolicy.maximumSize
        else { return false }
        do {
            try connection.transaction {
                try trim(atMost: Self.largestTrim)
                try position.write(to: connection)
            }
        } catch {
            position = durablePosition
            throw error
        }
        durablePosition = position
        return true
    }

    private var lastCommitWithoutHistory: Int64 { clock.lastCommit(before: historyPolicy.maximumAge.seconds) }

    /// The newest receipts stay whatever their age.
    private var lastCommitWithoutReceipt: Int64 {
        min(clock.lastCommit(before: CommitTable.receiptLifetime), durablePosition.commit - leastReceipts)
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
