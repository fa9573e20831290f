import AviaryDomain
import Foundation

/// A row that the store keeps in addition to its records: a commit, a history entry or a discarded draft.
///
/// A line is
/// `{"commit":{"number":…,"changeSet":…,"fingerprint":…,"author":…,"time":…,"undoes":…,"firstChange":…,"changes":…,
/// "unrecorded":…}}`, `{"change":{"number":…,"commit":…,"model":…,"record":…,"kind":…,"fields":{…}}}` or
/// `{"discard":{"id":…,"time":…}}`. Times are milliseconds since 1970, as in the store.
struct SnapshotLogRow: Sendable {
    enum Table: String, CaseIterable, Sendable {
        case commit, change, discard
    }

    let table: Table
    /// The values in the order of the table's columns.
    let row: [FieldValue]

    /// The number of bytes that the row adds to the size of the history.
    var historySize: Int {
        guard table == .change, case .text(let fields)? = row.last else { return 0 }
        return ChangeTable.size(fields: fields)
    }
}

extension SnapshotLogRow.Table {
    var tableName: String {
        switch self {
        case .commit: CommitTable.name
        case .change: "aviary_change"
        case .discard: "aviary_discard"
        }
    }

    var columns: [String] {
        switch self {
        case .commit: CommitTable.columns
        case .change: ChangeTable.columnNames
        case .discard: DiscardedDraftTable.columns
        }
    }

    /// The name of the count in the manifest.
    var countName: String { rawValue + "s" }
    var selection: String { columns.joined(separator: ", ") }
    var insert: String { "INSERT INTO \(tableName) (\(selection)) VALUES (\(SQL.placeholders(columns.count)))" }

    /// The names in a line, in the order of the columns.
    fileprivate var names: [String] {
        switch self {
        case .commit:
            [
                "number", "changeSet", "fingerprint", "author", "time", "undoes", "firstChange", "changes",
                "unrecorded",
            ]
        case .change: ["number", "commit", "model", "record", "kind", "fields"]
        case .discard: ["id", "time"]
        }
    }
}

// MARK: - Writing

extension SnapshotLogRow.Table {
    /// Writes the line of a row.
    ///
    /// - Parameters:
    ///   - row: A row of ``selection``.
    ///   - fields: The fields of a change that replace those of the row; nil to write the row's own.
    func write(_ row: any Row, fields: [UInt8]?, to json: inout JSONWriter) throws {
        json.raw("{")
        json.text(rawValue)
        json.raw(":{")
        var isFirst = true
        for (column, name) in names.enumerated() where !row.isNull(column) {
            if !isFirst { json.raw(",") }
            isFirst = false
            json.text(name)
            json.raw(":")
            switch (self, name) {
            case (.change, "fields"): json.raw(fields ?? Array((row.text(column) ?? "{}").utf8))
            case (.change, "kind"):
                guard let kind = RecordChange.Kind(rawValue: row.integer(column)) else {
                    throw RecordDecodingError(model: tableName)
                }
                json.text(kind.name)
            default: json.value(row, column)
            }
        }
        json.raw("}}\n")
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ row: any Row, _ column: Int) {
        switch row.borrowedValue(column) {
        case .null: raw("null")
        case .integer(let number): integer(number)
        case .real(let number): real(number)
        case .text(let bytes): text(bytes)
        case .blob(let bytes): text(Data(bytes).base64EncodedString())
        }
    }
}

extension RecordChange.Kind {
    /// The name of the kind in snapshots and exports.
    var name: String {
        switch self {
        case .insert: "insert"
        case .update: "update"
        case .delete: "delete"
        case .link: "link"
        case .unlink: "unlink"
        }
    }

    static let byName = Dictionary(uniqueKeysWithValues: allKinds.map { ($0.name, $0) })
    private static let allKinds: [RecordChange.Kind] = [.insert, .update, .delete, .link, .unlink]
}

// MARK: - Reading

extension SnapshotLogRow {
    /// Creates a row from its JSON.
    ///
    /// - Throws: ``SnapshotError``, ``JSONError``.
    init(_ table: Table, _ reader: inout JSONReader) throws {
        var values: [String: FieldValue] = [:]
        try reader.object { name, reader in
            switch (table, name) {
            case (.change, "fields"):
                _ = try reader.start()
                let start = reader.position
                try reader.skip()
                values[name] = .text(String(decoding: reader.bytes[start..<reader.position], as: UTF8.self))
            case (.change, "model"), (.change, "record"), (.change, "kind"), (.commit, "author"),
                (.commit, "changeSet"),
                (.commit, "fingerprint"), (.discard, "id"):
                values[name] = .text(try reader.text())
            default:
                guard table.names.contains(name), let number = try reader.wholeNumber() else {
                    throw SnapshotError(.malformedRecord(localized("unknown part.")))
                }
                values[name] = .integer(number)
            }
        }
        if case .text(let text)? = values["kind"] {
            guard let kind = RecordChange.Kind.byName[text], case .text(let fields)? = values["fields"] else {
                throw Self.incomplete
            }
            values["kind"] = .integer(kind.rawValue)
            var reader = JSONReader(Array(fields.utf8))
            _ = try reader.fieldChanges(kind)
        }
        if case .text(let text)? = values["fingerprint"] {
            guard let bytes = Data(base64Encoded: text) else { throw Self.incomplete }
            values["fingerprint"] = .blob([UInt8](bytes))
        }
        for name in ["record", "changeSet", "id"] {
            if case .text(let text)? = values[name], UUID(canonicalText: text) == nil { throw Self.incomplete }
        }
        self.table = table
        row = try table.names.map { name in
            guard let value = values[name] ?? (name == "undoes" ? .null : nil) else { throw Self.incomplete }
            return value
        }
    }

    private static var incomplete: SnapshotError {
        SnapshotError(.malformedRecord(localized("a part is missing or invalid.")))
    }

    // The years 1 to 9999, the only ones that can be formatted.
    private static let possibleTimes: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// Checks the numbers against those in the manifest.
    ///
    /// - Throws: ``SnapshotError``.
    func check(commit: Int64, _ log: SnapshotLog) throws(SnapshotError) {
        func number(_ name: String) -> Int64? {
            guard let index = table.names.firstIndex(of: name), case .integer(let number) = row[index] else {
                return nil
            }
            return number
        }
        let isPossible: Bool
        switch table {
        case .commit:
            guard let own = number("number"), let time = number("time"), let first = number("firstChange"),
                let count = number("changes"), let unrecorded = number("unrecorded"), own >= 1, own <= commit
            else { throw Self.incomplete }
            let undoes = number("undoes") ?? 0, possible = 0...log.nextChange
            isPossible =
                Self.possibleTimes.contains(time) && possible.contains(first) && possible.contains(count)
                && first + count <= log.nextChange && SnapshotLog.possibleNumbers.contains(unrecorded)
                && (0...commit).contains(undoes)
        case .change:
            guard let own = number("number"), let ofCommit = number("commit") else { throw Self.incomplete }
            isPossible = own >= 1 && own < log.nextChange && ofCommit >= 1 && ofCommit <= commit
        case .discard: isPossible = number("time").map(Self.possibleTimes.contains) ?? false
        }
        guard isPossible else { throw Self.incomplete }
    }
}
