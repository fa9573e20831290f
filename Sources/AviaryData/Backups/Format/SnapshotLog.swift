import AviaryDomain

/// The manifest's part about the past: how many commits, entries of the history and discarded drafts follow.
struct SnapshotLog: Sendable, Hashable {
    /// Far above what a file can hold, and far from what overflows.
    static let possibleNumbers: ClosedRange<Int64> = 0...1 << 60

    let counts: [SnapshotLogRow.Table: Int]
    let hasHistory: Bool
    /// The number that the next entry of the history gets.
    let nextChange: Int64
    /// As ``MetaTable/Key/undoBarrier``; nil where there is none.
    let undoBarrier: Int64?
    /// As ``HistoryGaps`` are kept; nil where nothing is noted, or the history is not in the snapshot.
    let historyGaps: String?

    var lines: Int { counts.values.reduce(0, +) }

    var summary: SnapshotSummary.Log {
        SnapshotSummary.Log(
            entries: hasHistory ? count(of: .change) : nil, receipts: count(of: .commit), discards: count(of: .discard))
    }

    func count(of table: SnapshotLogRow.Table) -> Int { counts[table] ?? 0 }

    func write(to json: inout JSONWriter) {
        json.raw("{\"history\":")
        json.boolean(hasHistory)
        json.raw(",\"nextChange\":")
        json.integer(nextChange)
        if let undoBarrier {
            json.raw(",\"undoBarrier\":")
            json.integer(undoBarrier)
        }
        if let historyGaps {
            json.raw(",\"historyGaps\":")
            json.text(historyGaps)
        }
        for table in SnapshotLogRow.Table.allCases {
            json.raw(",")
            json.text(table.countName)
            json.raw(":")
            json.integer(Int64(count(of: table)))
        }
        json.raw("}")
    }
}

extension SnapshotLog {
    /// - Throws: ``SnapshotError``.
    init(_ value: JSONValue?, commit: Int64) throws(SnapshotError) {
        let problem = SnapshotError(
            .malformedManifest(localized("it does not say completely what is told of the past.")))
        guard let value, let hasHistory = value["history"]?.boolean, let nextChange = value["nextChange"]?.integer,
            Self.possibleNumbers.contains(nextChange), nextChange >= 1
        else { throw problem }
        var counts: [SnapshotLogRow.Table: Int] = [:]
        for table in SnapshotLogRow.Table.allCases {
            guard let count = value[table.countName]?.integer, SnapshotManifest.possibleCounts.contains(count) else {
                throw problem
            }
            counts[table] = Int(count)
        }
        guard hasHistory || counts[.change] == 0 else { throw problem }
        if let barrier = value["undoBarrier"] {
            guard let number = barrier.integer, (0...commit).contains(number) else { throw problem }
            undoBarrier = number
        } else {
            undoBarrier = nil
        }
        if let gaps = value["historyGaps"] {
            guard hasHistory, let text = gaps.text else { throw problem }
            historyGaps = text
        } else {
            historyGaps = nil
        }
        self.counts = counts
        self.hasHistory = hasHistory
        self.nextChange = nextChange
    }
}
