import AviaryDomain
import Foundation

/// A copy of the rows of a possibly damaged store into a new one.
struct RepairCopy {
    private let source: any Connection
    private let target: any WriterConnection
    private let tables: ModelTables
    private let time: Date
    private let salvage: TableSalvage

    /// Creates a copy.
    ///
    /// - Parameter time: The time of a rebuilt commit whose time is not known.
    init(from source: any Connection, to target: any WriterConnection, tables: ModelTables, at time: Date) {
        self.source = source
        self.target = target
        self.tables = tables
        self.time = time
        salvage = TableSalvage(connection: source)
    }

    func copyAll(_ report: inout RepairReport) throws {
        try copyHistory(&report)
        try copyKeyed("aviary_discard", DiscardedDraftTable.columns, "the drafts that were discarded lately", &report)
        try copyKeyed("aviary_meta", ["key", "value"], "what the store knows of itself", &report)
        let clock = try StoreClock.read(from: target, at: time, uptime: .now)
        let lastTorn = try HistoryRepair(connection: target, tables: tables, clock: clock).complete(&report)
        // A new model or relation of the program has no table in the file yet.
        let names = Set(try source.tableNames())
        for table in tables.all where names.contains(table.model.name) { try copy(table, &report) }
        for table in tables.links where names.contains(table.tableName) { try copy(table, &report) }
        try endReferences(&report)
        try complete(lastTorn: lastTorn)
    }

    // MARK: Own tables

    private func copyHistory(_ report: inout RepairReport) throws {
        let changes = ChangeTable.columns.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        for (name, columns, what) in [
            ("aviary_commit", CommitTable.columns, "receipts and who saved what"),
            ("aviary_change", changes, "the history of changes"),
        ] {
            let insert = try insertion(into: name, columns)
            var isReadable = true
            let isWhole = try salvage.forEachRow(of: name, columns) { values in
                // An entry with an unreadable field is useless, and would make every read of it fail.
                if name == "aviary_change", !ChangeTable.isReadable(values) {
                    isReadable = false
                } else {
                    try write(values, by: insert)
                }
            }
            if !isWhole || !isReadable { report.note("Some of \(what) could not be read.") }
        }
    }

    private func copyKeyed(
        _ name: String, _ columns: [String], _ what: String, _ report: inout RepairReport
    ) throws {
        let insert = try target.statement(target.dialect.replacement(into: name, columns, key: columns[0]))
        var hasLongChange = false
        let isWhole = try salvage.forEachRow(
            "SELECT \(columns.joined(separator: ", ")) FROM \(name)", orderedBy: [columns[0]], columns: columns.count
        ) { values in
            // The schema is the one of this program. The rows of a long change have other numbers here, so that it cannot
            // continue.
            guard case .text(let key) = values[0], !Self.leftKeys.contains(key) else {
                if values[0] == .text(MetaTable.Key.longChange.rawValue), !values[1].isNull { hasLongChange = true }
                return
            }
            try write(values, by: insert)
        }
        if hasLongChange {
            report.note(
                "A change of many records was not complete. Records that it had not deleted yet are there again.")
        }
        if !isWhole { report.note("Some of \(what) could not be read.") }
    }

    private static let leftKeys = Set([MetaTable.Key.schema, .longChange, .rowMask].map(\.rawValue))

    // MARK: Records

    private func copy(_ table: ModelTable, _ report: inout RepairReport) throws {
        let columns = ["id", "aviary_version"] + table.columns
        let insert = try target.statement(table.insert)
        var count = 0
        var isWhole = try salvage.forEachRow(of: table.name, columns) { values in
            guard case .text(let id) = values[0], UUID(canonicalText: id) != nil else { return }
            if try write(values, by: insert) { count += 1 }
        }
        // The count must equal the total. If the total cannot be read, it is nil, and the ids in the index decide.
        let total = try? RecordCountTable.count(table.model.name, in: source)
        if total != count { isWhole = false }
        if !isWhole {
            let missing = try missing(table)
            let recovered = try missing.filter { try recover($0, of: table, by: insert) }
            let lost = missing.filter { !recovered.contains($0) }
            count += recovered.count
            report.recover(recovered, of: table.model.name)
            report.lose(lost, of: table.model.name)
            report.lose(unnamed: (total ?? count) - count - lost.count, of: table.model.name)
        }
        report.read(count, of: table.model.name)
    }

    /// Returns the ids of lost records that the index or the history still contains.
    private func missing(_ table: ModelTable) throws -> [UUID] {
        var missing: Set<UUID> = []
        func add(_ values: [FieldValue]) throws {
            guard case .text(let id)? = values.first, let uuid = UUID(canonicalText: id) else { return }
            if try target.firstRow(table.find, [.text(id)], read: { _ in true }) == nil { missing.insert(uuid) }
        }
        let isWhole = try salvage.forEachRow(
            "SELECT id FROM \(table.name)", orderedBy: ["id"], columns: 1, read: add)
        if !isWhole {
            try MissingRecordHistory(of: table, in: target).ids().forEach { try add([.text($0)]) }
        }
        return missing.sorted { $0.canonicalText < $1.canonicalText }
    }

    /// Recovers a record from its history if the history contains all of its changes.
    private func recover(_ id: UUID, of table: ModelTable, by insert: any PreparedStatement) throws -> Bool {
        guard let (version, values) = try MissingRecordHistory(of: table, in: target).record(id) else { return false }
        return try write([.text(id.canonicalText), .integer(version)] + values, by: insert)
    }

    // MARK: Links

    /// Copies the links. Each of them is in two indexes, by its source and by its target.
    private func copy(_ table: LinkTable, _ report: inout RepairReport) throws {
        let insert = try target.statement(
            target.dialect.replacement(into: table.name, ["source", "target"], key: "source, target"))
        let selection = "SELECT source, target FROM \(table.name)"
        let isWhole = try [["source", "target"], ["target", "source"]].map { order in
            try salvage.forEachRow(selection, orderedBy: order, columns: 2) { try write($0, by: insert) }
        }
        if !isWhole.contains(true) {
            let source = table.relation.source
            report.note("Some links of \(source.model).\(source.property) could not be read.")
        }
        for (column, model) in [("source", table.relation.source.model), ("target", table.relation.target.model)] {
            let name = target.dialect.name(model)
            try target.run("DELETE FROM \(table.name) WHERE \(column) NOT IN (SELECT id FROM \(name))")
        }
    }

    private func endReferences(_ report: inout RepairReport) throws {
        for table in tables.all {
            for reference in table.references {
                let name = target.dialect.name(reference.target)
                let missing =
                    "\(reference.column) IS NOT NULL AND \(reference.column) NOT IN (SELECT id FROM \(name))"
                let count = try target.firstRow("SELECT count(*) FROM \(table.name) WHERE \(missing)") {
                    $0.integer(0)
                }
                guard let count, count > 0 else { continue }
                let words =
                    "\(count) records of \(table.model.name) referred by \(reference.property) to records that are gone"
                if table.model.storedProperties[reference.index].isOptional {
                    try target.run("UPDATE \(table.name) SET \(reference.column) = NULL WHERE \(missing)")
                    report.note("\(words); now they refer to nothing.")
                } else {
                    report.note("\(words), and still do: give each another, or delete it.")
                }
            }
        }
    }

    // MARK: Derived data

    /// Writes the totals, the position and the undo barrier.
    ///
    /// - Parameter lastTorn: The last commit that has lost entries; nil if there is none.
    private func complete(lastTorn: Int64?) throws {
        for table in tables.all {
            let count = try target.firstRow("SELECT count(*) FROM \(table.name)") { $0.integer(0) } ?? 0
            try target.run(
                "UPDATE aviary_total SET records = ? WHERE model = ?", .integer(count), .text(table.model.name))
        }
        let known = try StorePosition.read(from: target) ?? .start
        let commit = try largest("number", of: "aviary_commit"), change = try largest("number", of: "aviary_change")
        let versions = try tables.all.map { try largest("aviary_version", of: $0.name) }
        let claimed =
            try target.firstRow("SELECT max(first_change + changes) FROM aviary_commit") { $0.integer(0) } ?? 1
        let size = try target.rows("SELECT fields FROM aviary_change") { ChangeTable.size(fields: $0.text(0) ?? "") }
        try StorePosition(
            commit: max(known.commit, commit, versions.max() ?? 0),
            nextChange: max(known.nextChange, change + 1, claimed),
            historySize: size.reduce(0, +)
        ).write(to: target)
        if let lastTorn {
            var barrier = lastTorn
            if case .integer(let known) = try MetaTable.value(.undoBarrier, in: target) {
                barrier = max(barrier, known)
            }
            try MetaTable.set(.undoBarrier, to: .integer(barrier), in: target)
        }
        if try MetaTable.value(.restoreEpoch, in: target).isNull {
            try MetaTable.set(.restoreEpoch, to: .text(UUID().canonicalText), in: target)
        }
    }

    private func largest(_ column: String, of table: String) throws -> Int64 {
        try target.firstRow("SELECT max(\(column)) FROM \(table)") { $0.integer(0) } ?? 0
    }

    private func insertion(into table: String, _ columns: [String]) throws -> any PreparedStatement {
        try target.statement(
            "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(SQL.placeholders(columns.count)))")
    }

    /// Inserts a row; false if the table rejects it, for example because its bytes are damaged or its id is a
    /// duplicate.
    @discardableResult
    private func write(_ values: [FieldValue], by insert: any PreparedStatement) throws -> Bool {
        do {
            try insert.bind(values, from: 1)
            try insert.execute()
            return true
        } catch {
            guard error.kind == .constraint || error.kind == .unfit else { throw error }
            return false
        }
    }
}

/// The lost records of a model, according to the history.
private struct MissingRecordHistory {
    let table: ModelTable
    let connection: any Connection

    init(of table: ModelTable, in connection: any Connection) {
        self.table = table
        self.connection = connection
    }

    /// Returns the ids of the records that were inserted and not deleted.
    func ids() throws -> Set<String> {
        let sql = "SELECT record, kind FROM aviary_change WHERE model = ? ORDER BY number"
        var ids: Set<String> = []
        let row = try connection.statement(sql)
        defer { row.reset() }
        try row.bind([.text(table.model.name)])
        while try row.step() {
            guard let id = row.text(0) else { continue }
            switch RecordChange.Kind(rawValue: row.integer(1)) {
            case .insert: ids.insert(id)
            case .delete: ids.remove(id)
            default: break
            }
        }
        return ids
    }

    /// Returns a record from its history; nil if the history does not contain all of its changes.
    func record(_ id: UUID) throws -> (version: Int64, values: [FieldValue])? {
        let properties = table.model.storedProperties
        guard !properties.contains(where: \.isSecret) else { return nil }
        var (version, values): (Int64, [FieldValue]?) = (0, nil)
        let sql =
            "SELECT \(ChangeTable.columns) FROM aviary_change WHERE model = ? AND record = ? ORDER BY number"
        let changes = try connection.rows(
            sql, [.text(table.model.name), .text(id.canonicalText)], read: ChangeTable.change)
        for change in changes {
            switch change.kind {
            case .insert: values = properties.map { _ in .null }
            case .delete:
                values = nil
                continue
            case .link, .unlink: continue
            case .update: break
            }
            version = change.commit
            for (name, field) in change.fields {
                guard let index = table.model.storedIndex(of: name) else { return nil }
                values?[index] = field.after
            }
        }
        return values.map { (version, $0) }
    }
}
