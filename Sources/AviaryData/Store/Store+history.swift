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
        let now = now()
        let limit = min(max(limit, Self.leastTrim), Self.largestTrim)
        try DiscardTable.trim(atMost: limit, at: now, in: connection)
        let (oldest, size) = (oldestKept(at: now), position.historySize)
        let freed = try ChangeTable.trim(atMost: limit, in: connection) { time, freed in
            time < oldest || size - freed > historyPolicy.maximumSize
        }
        position.historySize = max(0, size - freed)
        let historyStart = try ChangeTable.firstNumber(in: connection) ?? position.nextChange
        lastSwept = try CommitTable.trim(
            after: lastSwept, atMost: limit, at: now, historyStart: historyStart, in: connection
        )
    }

    /// As ``trim(atMost:)``, in a transaction of its own; false when the history is within its bounds.
    func trimBetweenBatches() throws -> Bool {
        guard let oldest = try ChangeTable.oldestTime(in: connection),
            oldest < oldestKept(at: now()) || position.historySize > historyPolicy.maximumSize
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

    private func oldestKept(at time: Date) -> Date {
        time.addingTimeInterval(-historyPolicy.maximumAge.seconds)
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
