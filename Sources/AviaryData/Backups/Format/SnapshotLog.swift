import AviaryDomain
import Foundation

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

/// The rows of a store's past that a snapshot holds: with the history all commits with their entries, without it the
/// receipts.
struct SnapshotLogSource {
    /// Receipts of so many of the newest commits are in a snapshot however old they are: a clock may have been wrong.
    private static let leastReceipts: Int64 = 10_000

    private let copy: StoreCopy
    private let includesHistory: Bool
    private let oldestReceipt: Int64
    /// Of properties that are not in the snapshot, by model. Entries from before a property became secret have its
    /// values.
    private let secrets: [String: Set<String>]
    private let longestFields: Int

    init(_ copy: StoreCopy, includingHistory: Bool, includingSecrets: Bool, _ time: Date) {
        self.copy = copy
        includesHistory = includingHistory
        oldestReceipt = time.addingTimeInterval(-CommitTable.receiptLifetime).milliseconds
        let withheld = copy.tables.schema.models.filter { $0.snapshotContent == .everything || !includingSecrets }
        secrets = Dictionary(
            withheld.map { ($0.name, Set($0.properties.filter(\.isSecret).map(\.name))) },
            uniquingKeysWith: { first, _ in first }
        ).filter { !$0.value.isEmpty }
        // What else is in a line is far shorter.
        longestFields = copy.tables.schema.snapshotLineLimit - 64 << 10
    }

    func log() throws -> SnapshotLog {
        guard let position = try StorePosition.read(from: copy.connection) else {
            throw StoreOpenError.notAStore(path: copy.connection.path)
        }
        var counts: [SnapshotLogRow.Table: Int] = [:]
        for table in SnapshotLogRow.Table.allCases {
            let (condition, values) = condition(table)
            counts[table] = try copy.connection.firstRow(
                "SELECT count(*) FROM \(table.tableName)\(condition)", values
            ) { Int($0.integer(0)) }
        }
        var barrier: Int64?
        if case .integer(let number) = try MetaTable.value(.undoBarrier, in: copy.connection) { barrier = number }
        var gaps: String?
        if includesHistory, case .text(let text) = try MetaTable.value(.historyGaps, in: copy.connection) {
            gaps = text
        }
        return SnapshotLog(
            counts: counts, hasHistory: includesHistory, nextChange: position.nextChange, undoBarrier: barrier,
            historyGaps: gaps)
    }

    /// The statement, to be reset by its user.
    func rows(of table: SnapshotLogRow.Table) throws -> any PreparedStatement {
        let (condition, values) = condition(table)
        let row = try copy.connection.statement("SELECT \(table.selection) FROM \(table.tableName)\(condition)")
        try row.bind(values)
        return row
    }

    /// - Parameter row: Of ``rows(of:)``.
    func write(_ row: any PreparedStatement, of table: SnapshotLogRow.Table, to json: inout JSONWriter) throws {
        guard table == .change, let text = row.text(5) else { return try table.write(row, fields: nil, to: &json) }
        // Entries of models that the program has no longer may be longer than any line of it.
        let isTooLong = text.utf8.count > longestFields
        let withheld = secrets.isEmpty ? nil : secrets[row.text(2) ?? ""]
        guard isTooLong || withheld != nil else {
            return try table.write(row, fields: Array(text.utf8), to: &json)
        }
        let masked = try FieldText.masking(Array(text.utf8)) { isTooLong || withheld?.contains($0) == true }
        try table.write(row, fields: masked, to: &json)
    }

    private func condition(_ table: SnapshotLogRow.Table) -> (String, [FieldValue]) {
        switch table {
        case .discard: return ("", [])
        case _ where includesHistory: return ("", [])
        case .change: return (" WHERE number < 0", [])
        case .commit:
            let newest = " WHERE time >= ? OR number > (SELECT max(number) FROM aviary_commit) - ?"
            return (newest, [.integer(oldestReceipt), .integer(Self.leastReceipts)])
        }
    }
}
