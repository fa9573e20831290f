import AviaryDomain
import Foundation

/// The work on pending rows after the commit of a long change, or after its refusal.
///
/// The references of masked rows are not checked meanwhile: some of the rows that they refer to are gone already.
struct LongChangeCompletion {
    /// The number of rows that are read together, and the number of links that end together.
    private static let rowsTogether = 100
    private static let linksTogether = 500

    let tables: ModelTables
    let connection: any WriterConnection
    let excludedModels: Set<String>
    private(set) var change: LongChange
    /// The size of the written history entries, in bytes.
    private(set) var historySize = 0

    init(_ change: LongChange, excludedModels: Set<String>, tables: ModelTables, connection: any WriterConnection) {
        self.change = change
        self.excludedModels = excludedModels
        self.tables = tables
        self.connection = connection
    }

    /// Completes pending rows.
    ///
    /// - Returns: A Boolean value that indicates whether none is left.
    mutating func step(until end: ContinuousClock.Instant) throws -> Bool {
        repeat {
            let rows = try PendingRowTable.last(Self.rowsTogether, in: connection)
            guard !rows.isEmpty else { return true }
            try complete(rows)
        } while ContinuousClock.now < end
        return false
    }

    /// Completes the rows, or a part of the first of them if it has many links.
    mutating func complete(_ rows: [PendingRow]) throws {
        guard change.isCommitted, let commit = change.commit else { return try abandon(rows) }
        var history = HistoryWriter(
            connection: connection, commit: commit, nextChange: change.nextEntry, excludedModels: excludedModels)
        for row in rows {
            let isDone: Bool
            if row.kind == .linked {
                try notePresentLink(row, in: &history)
                isDone = true
            } else if let table = tables[row.model] {
                switch row.kind {
                case .delete: isDone = try delete(row, of: table, in: &history)
                case .nullify:
                    try nullify(row, of: table, in: &history)
                    isDone = true
                case .inserted, .restored, .linked:
                    try notePresentRecord(row, of: table, in: &history)
                    isDone = true
                }
            } else {
                isDone = true
            }
            guard isDone else { break }
            try PendingRowTable.remove(row, in: connection)
            change.done += 1
        }
        change.nextEntry = history.nextChange
        change.unrecorded += history.unrecorded
        historySize += history.size
        try CommitTable.setChanges(
            change.nextEntry - change.firstEntry, unrecorded: change.unrecorded, of: commit, in: connection)
    }

    private func record(_ row: PendingRow, of table: ModelTable) throws -> Record? {
        try connection.firstRow(
            "SELECT \(table.selection) FROM \(table.stored) WHERE \(connection.dialect.rowNumber) = ?",
            [.integer(row.row)]
        ) { try table.record($0) }
    }

    /// Deletes a row with its links.
    ///
    /// - Returns: False if more links are left than end at once.
    private func delete(_ row: PendingRow, of table: ModelTable, in history: inout HistoryWriter) throws -> Bool {
        guard let record = try record(row, of: table) else { return true }
        let id = record.id.canonicalText
        for side in table.links {
            let links = try connection.rows(
                "SELECT source, target FROM \(side.table.stored) WHERE \(side.own) = ? LIMIT ?",
                [.text(id), .integer(Int64(Self.linksTogether))]
            ) { $0.link(0) }
            for link in Set(links.map(side.table.canonical)) {
                try side.table.remove(link, in: connection)
                try history.changed(link, .unlink, of: side.table, tables)
            }
            if links.count == Self.linksTogether { return false }
        }
        try connection.run(table.remove, [.text(id)])
        try history.deleted(id, record.values, in: table)
        return true
    }

    private func nullify(_ row: PendingRow, of table: ModelTable, in history: inout HistoryWriter) throws {
        guard let record = try record(row, of: table), let commit = change.commit else { return }
        var changes: [(index: Int, change: FieldChange)] = []
        for reference in table.references {
            guard change.references.contains(where: { $0.model == row.model && $0.property == reference.property }),
                case .text(let id) = record.values[reference.index], let target = tables[reference.target],
                try isPending(id, of: target)
            else { continue }
            changes.append((reference.index, FieldChange(before: .text(id), after: .null)))
        }
        guard !changes.isEmpty else { return }
        let assignments = changes.map { "\(table.columns[$0.index]) = NULL" }.joined(separator: ", ")
        try connection.run(
            "UPDATE \(table.stored) SET \(assignments), aviary_version = ? WHERE id = ?",
            [.integer(commit), .text(record.id.canonicalText)])
        try history.updated(record.id.canonicalText, changes, in: table)
    }

    /// Indicates whether a record is one that the change deletes. The record may be deleted already.
    private func isPending(_ id: String, of table: ModelTable) throws -> Bool {
        guard let row = try table.rowNumber(of: id, in: connection) else { return true }
        return try PendingRowTable.row(row, of: table.model.name, in: connection)?.kind == .delete
    }

    /// Adds the entries of a record that an undo has inserted, or whose references it has restored.
    private func notePresentRecord(_ row: PendingRow, of table: ModelTable, in history: inout HistoryWriter) throws {
        guard let record = try record(row, of: table), let commit = change.commit else { return }
        let id = record.id.canonicalText
        try connection.run(
            "UPDATE \(table.stored) SET aviary_version = ? WHERE id = ?", .integer(commit), .text(id))
        guard row.kind == .restored else { return try history.inserted(id, record.values, in: table) }
        let names = Set(row.detail.split(separator: " ").map(String.init))
        let changes = table.references.filter { names.contains($0.property) }
            .map { (index: $0.index, change: FieldChange(before: .null, after: record.values[$0.index])) }
        try history.updated(id, changes, in: table)
    }

    private func notePresentLink(_ row: PendingRow, in history: inout HistoryWriter) throws {
        guard let (table, link) = link(of: row) else { return }
        try history.changed(link, .link, of: table, tables)
    }

    private func link(of row: PendingRow) -> (LinkTable, LinkRow)? {
        let ids = row.detail.split(separator: " ").map(String.init)
        guard ids.count == 2, let table = tables.links.first(where: { $0.tableName == row.model }) else { return nil }
        return (table, LinkRow(source: ids[0], target: ids[1]))
    }

    // MARK: Refused changes

    /// Removes what a refused undo has stored.
    private mutating func abandon(_ rows: [PendingRow]) throws {
        for row in rows {
            switch row.kind {
            case .inserted:
                if let table = tables[row.model], let record = try record(row, of: table) {
                    try connection.run(table.remove, [.text(record.id.canonicalText)])
                }
            case .restored:
                if let table = tables[row.model] {
                    let names = Set(row.detail.split(separator: " ").map(String.init))
                    let columns = table.references.filter { names.contains($0.property) }.map(\.column)
                    try connection.run(
                        "UPDATE \(table.stored) SET \(columns.map { "\($0) = NULL" }.joined(separator: ", ")) "
                            + "WHERE \(connection.dialect.rowNumber) = ?", .integer(row.row))
                }
            case .linked:
                if let (table, link) = link(of: row) { try table.remove(link, in: connection) }
            case .delete, .nullify: break
            }
            try PendingRowTable.remove(row, in: connection)
            change.done += 1
        }
    }
}
