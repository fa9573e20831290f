import AviaryDomain
import Foundation

/// A row that a long change still has to change, or that it has inserted and not shown yet.
struct PendingRow {
    enum Kind: Int64, Codable, Sendable {
        /// A row to delete.
        case delete = 0
        /// A row with references to rows that are deleted. They become null.
        case nullify = 1
        /// A row that an undo has inserted.
        case inserted = 2
        /// A row whose references, named in the detail, an undo has restored.
        case restored = 3
        /// A link that an undo has restored. The detail is its source and target.
        case linked = 4
    }

    let sequence: Int64
    /// The model, or the link table.
    let model: String
    let row: Int64
    let kind: Kind
    let detail: String
}

/// The table `aviary_pending` of the rows of the long change under way.
///
/// It exists only while there is one. Its rows are in the order in which they were found.
enum PendingRowTable {
    static let name = "aviary_pending"
    private static let index = "aviary_pending_row"

    static func create(in connection: any Connection) throws(EngineError) {
        let columns = [
            ColumnDefinition("sequence", .integer, "PRIMARY KEY"), ColumnDefinition("model", .text, "NOT NULL"),
            ColumnDefinition("record_row", .integer, "NOT NULL"), ColumnDefinition("kind", .integer, "NOT NULL"),
            ColumnDefinition("detail", .text, "NOT NULL"),
        ]
        try connection.run(connection.dialect.createTable(name, columns, .numbered))
        try connection.run("CREATE UNIQUE INDEX \(index) ON \(name) (model, record_row)")
    }

    static func drop(in connection: any Connection) throws(EngineError) {
        try connection.run("DROP TABLE \(name)")
    }

    static let columns = "sequence, model, record_row, kind, detail"

    private static let single = Query(
        "INSERT INTO \(name) (model, record_row, kind, detail) VALUES (?, ?, ?, ?)")
    private static let find = Query("SELECT \(columns) FROM \(name) WHERE model = ? AND record_row = ?")
    private static let after = Query("SELECT \(columns) FROM \(name) WHERE sequence > ? ORDER BY sequence LIMIT ?")
    private static let latest = Query("SELECT \(columns) FROM \(name) ORDER BY sequence DESC LIMIT ?")
    private static let removal = Query("DELETE FROM \(name) WHERE sequence = ?")

    /// Adds a row that is not pending yet.
    static func add(
        _ row: Int64, of model: String, _ kind: PendingRow.Kind, _ detail: String, in connection: any Connection
    ) throws(EngineError) {
        try connection.run(
            single, [.text(model), .integer(row), .integer(kind.rawValue), .text(detail)])
    }

    static func row(_ row: Int64, of model: String, in connection: any Connection) throws -> PendingRow? {
        try connection.firstRow(find, [.text(model), .integer(row)], read: read)
    }

    /// Returns the pending row of a record; nil if it has none.
    static func row(
        ofRecord id: String, in table: ModelTable, _ connection: any Connection
    ) throws -> PendingRow? {
        try table.rowNumber(of: id, in: connection).flatMap { try row($0, of: table.model.name, in: connection) }
    }

    /// Returns the next rows in the order in which they were found.
    static func rows(after sequence: Int64, atMost limit: Int, in connection: any Connection) throws -> [PendingRow] {
        try connection.rows(after, [.integer(sequence), .integer(Int64(limit))], read: read)
    }

    /// Returns the rows that were found last. No row is found before the rows that it refers to, except in cycles.
    static func last(_ limit: Int, in connection: any Connection) throws -> [PendingRow] {
        try connection.rows(latest, [.integer(Int64(limit))], read: read)
    }

    static func remove(_ row: PendingRow, in connection: any Connection) throws(EngineError) {
        try connection.run(removal, [.integer(row.sequence)])
    }

    /// Returns some of the pending rows among those of a list.
    static func rows(
        of model: String, among rows: [Int64], atMost limit: Int, in connection: any Connection
    ) throws -> [PendingRow] {
        let dialect = connection.dialect
        let sql =
            "SELECT \(columns) FROM \(dialect.list) \(dialect.orderedJoin) \(name) "
            + "ON model = ? AND record_row = list.value LIMIT ?"
        var found: [PendingRow] = []
        try RowNumberList(rows).forEachList(dialect) { list in
            guard found.count < limit else { return }
            found += try connection.rows(sql, [list, .text(model), .integer(Int64(limit - found.count))], read: read)
        }
        return found
    }

    /// Removes a link.
    static func removeLink(_ detail: String, of table: String, in connection: any Connection) throws(EngineError) {
        try connection.run(
            "DELETE FROM \(name) WHERE model = ? AND kind = \(PendingRow.Kind.linked.rawValue) AND detail = ?",
            .text(table), .text(detail))
    }

    private static func read(_ row: any Row) throws -> PendingRow {
        PendingRow(
            sequence: row.integer(0), model: row.text(1) ?? "", row: row.integer(2), kind: try kind(row.integer(3)),
            detail: row.text(4) ?? "")
    }

    private static func kind(_ number: Int64) throws -> PendingRow.Kind {
        guard let kind = PendingRow.Kind(rawValue: number) else { throw RecordDecodingError(model: name) }
        return kind
    }
}

extension PendingRowTable {
    private static let greatest = Query("SELECT max(sequence) FROM \(name)")
    private static let addition = Query { dialect in
        """
        INSERT INTO \(name) (model, record_row, kind, detail) SELECT ?, list.value, ?, '' FROM \(dialect.list) \
        WHERE NOT EXISTS (SELECT 1 FROM \(name) AS known WHERE known.model = ? AND known.record_row = list.value)
        """
    }

    /// Returns the number of the last row; 0 if there is none.
    static func lastSequence(in connection: any Connection) throws -> Int64 {
        try connection.firstRow(greatest) { $0.integer(0) } ?? 0
    }

    /// Adds the rows that are not pending yet.
    ///
    /// - Parameter rows: Rows of which none is listed twice.
    /// - Returns: The number of added rows.
    static func add(
        _ rows: [Int64], of model: String, _ kind: PendingRow.Kind, in connection: any Connection
    ) throws -> Int {
        let before = try lastSequence(in: connection)
        let statement = try connection.statement(addition)
        try RowNumberList(rows).forEachList(connection.dialect) { list in
            defer { statement.reset() }
            try statement.bind([.text(model), .integer(kind.rawValue), list, .text(model)])
            _ = try statement.step()
        }
        return Int(try lastSequence(in: connection) - before)
    }
}

extension PendingRowTable {
    /// Returns the number of the listed rows that are pending.
    static func count(
        of model: String, among rows: [Int64], _ kind: PendingRow.Kind, in connection: any Connection
    ) throws -> Int {
        let dialect = connection.dialect
        let sql =
            "SELECT count(*) FROM \(dialect.list) \(dialect.orderedJoin) \(name) "
            + "ON model = ? AND record_row = list.value AND kind = ?"
        var count = 0
        try RowNumberList(rows).forEachList(dialect) { list in
            count +=
                try connection.firstRow(sql, [list, .text(model), .integer(kind.rawValue)]) {
                    Int($0.integer(0))
                } ?? 0
        }
        return count
    }
}

/// The reason why a job cannot run now: it concerns rows of the long change under way.
struct PendingCollision: Error {
    enum End {
        /// The completion of these rows.
        case rows([PendingRow])
        /// The commit or the refusal of the long change.
        case commit
        /// The end of the long change.
        case end
    }

    /// The event that the job waits for.
    let end: End
}

/// The checks that keep jobs and the long change under way apart.
struct PendingCheck {
    /// The number of rows that are completed first for one job. A job that concerns more waits for the end.
    private static let mostRows = 500

    let change: LongChange
    let tables: ModelTables
    let connection: any WriterConnection

    /// Checks that the long change does not concern a record.
    ///
    /// - Throws: ``PendingCollision``, ``EngineError``.
    func check(_ id: String, of table: ModelTable) throws {
        guard let pending = try PendingRowTable.row(ofRecord: id, in: table, connection) else { return }
        throw PendingCollision(end: change.isCommitted ? .rows([pending]) : .commit)
    }

    /// Checks that the long change does not concern the rows of a delete.
    func check(_ resolution: DeleteResolution) throws {
        for rows in resolution.deletions { try check(rows.rows, of: rows.table) }
        for referrers in resolution.nullifications { try check(referrers.rows, of: referrers.table) }
    }

    private func check(_ rows: [Int64], of table: ModelTable) throws {
        let pending = try PendingRowTable.rows(
            of: table.model.name, among: rows, atMost: Self.mostRows, in: connection)
        guard !pending.isEmpty else { return }
        guard change.isCommitted else { throw PendingCollision(end: .commit) }
        throw PendingCollision(end: pending.count < Self.mostRows ? .rows(pending) : .end)
    }

    /// Checks that no step refers to a masked record, or to one that is about to be deleted.
    func checkReferences(of steps: [PreparedChange]) throws {
        for step in steps {
            if let error = try tables.missingReference(in: step, connection) { throw error }
            // An undo finds the references that exist when it begins to check, and no others.
            guard change.isUndo ? change.phase == .checking : !change.isCommitted else { continue }
            for (model, id) in tables.references(of: step) {
                guard let table = tables[model],
                    try PendingRowTable.row(ofRecord: id, in: table, connection)?.kind == .delete
                else { continue }
                throw PendingCollision(end: .commit)
            }
        }
    }

    /// Checks that a masked row is not what violates the table's constraints.
    ///
    /// - Parameter values: The values in the order of the stored properties.
    func check(holdersOf values: [FieldValue], id: String, in table: ModelTable) throws {
        try check(id, of: table)
        for holder in try table.holders(of: values, except: id, in: connection) { try check(holder.id, of: table) }
    }
}

extension ModelTables {
    /// Returns the records that a step refers to.
    func references(of step: PreparedChange) -> [(model: String, id: String)] {
        switch step {
        case .insert(let table, _, let values):
            return table.references.compactMap { reference in
                guard reference.index < values.count, case .text(let id) = values[reference.index] else { return nil }
                return (reference.target, id)
            }
        case .update(let table, _, _, let columns, let values):
            return table.references.compactMap { reference in
                guard let position = columns.firstIndex(of: reference.index), position < values.count,
                    case .text(let id) = values[position]
                else { return nil }
                return (reference.target, id)
            }
        case .link(let side, let id, let target):
            return [
                (side.end.own.model, id.canonicalText), (side.end.other.model, target.canonicalText),
            ]
        case .delete, .remove, .unlink: return []
        }
    }
}
