import AviaryDomain
import Foundation

/// The log part of the manifest: the numbers of commits, history entries and discarded drafts that follow.
struct SnapshotLog: Sendable, Hashable {
    /// The accepted numbers: far more than a file can hold, and far from an overflow.
    static let possibleNumbers: ClosedRange<Int64> = 0...1 << 60

    let counts: [SnapshotLogRow.Table: Int]
    let hasHistory: Bool
    /// The number of the next history entry.
    let nextChange: Int64
    /// The value of ``MetaTable/Key/undoBarrier``; nil if there is none.
    let undoBarrier: Int64?
    /// The stored text of ``HistoryGaps``; nil if there are no gaps or the snapshot does not contain the history.
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
    /// Creates the log part from the manifest's JSON.
    ///
    /// - Throws: ``SnapshotError``.
    init(_ value: JSONValue?, commit: Int64) throws(SnapshotError) {
        let problem = SnapshotError(
            .malformedManifest(localized("the description of the history is incomplete.")))
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

/// The rows of a store's log that a snapshot contains.
///
/// A snapshot with the history contains all commits with their entries. A snapshot without it contains the
/// receipts.
struct SnapshotLogSource {
    /// The number of newest commits whose receipts are in a snapshot regardless of their age.
    ///
    /// A clock may have been wrong, so that their times are too old.
    private static let leastReceipts: Int64 = 10_000

    private let copy: StoreCopy
    private let includesHistory: Bool
    private let oldestReceipt: Int64
    /// The names of the properties whose values are not in the snapshot, by model.
    ///
    /// Entries that were written before a property became secret contain its values.
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
        // The rest of a line is much shorter.
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

    /// Returns the statement that selects the rows of a table. The caller resets it.
    func rows(of table: SnapshotLogRow.Table) throws -> any PreparedStatement {
        let (condition, values) = condition(table)
        let row = try copy.connection.statement("SELECT \(table.selection) FROM \(table.tableName)\(condition)")
        try row.bind(values)
        return row
    }

    /// Writes the line of a row, with secrets and fields that are too long masked.
    ///
    /// - Parameter row: A row of ``rows(of:)``.
    func write(_ row: any PreparedStatement, of table: SnapshotLogRow.Table, to json: inout JSONWriter) throws {
        guard table == .change, let text = row.text(5) else { return try table.write(row, fields: nil, to: &json) }
        // Entries of models that the program no longer has may be longer than its longest line.
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
