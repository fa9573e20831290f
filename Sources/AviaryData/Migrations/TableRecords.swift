import AviaryDomain
import Foundation

/// The records of one version's tables in the open transaction of a migration.
struct TableRecords: MigrationRecords {
    /// Rows that are read before the next are looked for.
    static let batchSize = 500

    let tables: ModelTables
    let connection: any Connection

    func fetch(_ model: String, _ query: RecordQuery) throws -> [Record] {
        let table = try table(model)
        let sql = try FetchSQL(query, of: table, .none, selecting: table.selection)
        return try connection.rows(sql.text, sql.values) { try table.record($0) }
    }

    func count(_ model: String, _ query: RecordQuery) throws -> Int {
        let sql = try FetchSQL(counting: query, of: try table(model), .none)
        return try connection.firstRow(sql.text, sql.values) { Int($0.integer(0)) } ?? 0
    }

    func enumerate(_ model: String, _ body: (Record) throws -> Void) throws {
        try enumerateRows(of: table(model)) { _, record in try body(record) }
    }

    /// Enumerates the rows by their numbers, so that changes during the enumeration hide no record and show none twice.
    func enumerateRows(of table: ModelTable, _ body: (Int64, Record) throws -> Void) throws {
        let number = connection.dialect.rowNumber
        let next =
            "SELECT \(table.selection), \(number) FROM \(table.name) WHERE \(number) > ? "
            + "ORDER BY \(number) LIMIT \(Self.batchSize)"
        // What is added on the way has been seen by whoever added it.
        let end = try connection.firstRow("SELECT max(\(number)) FROM \(table.name)") { $0.integer(0) } ?? 0
        var last = Int64.min
        while true {
            let rows = try connection.rows(next, [.integer(last)]) { row in
                (number: row.integer(table.columns.count + 2), record: try table.record(row))
            }
            guard let final = rows.last else { return }
            for row in rows where row.number <= end { try body(row.number, row.record) }
            last = final.number
            if last >= end { return }
        }
    }

    func insert(_ model: String, _ record: Record) throws {
        let table = try table(model)
        try table.model.check(record.values, of: record.id)
        guard try table.record(record.id.canonicalText, in: connection) == nil else {
            throw MigrationError.alreadyExists(model: model, id: record.id)
        }
        try connection.run(table.insert, [.text(record.id.canonicalText), .integer(try commit)] + record.values)
        try TotalTable.add(1, to: model, in: connection)
    }

    func update(_ model: String, _ record: Record) throws {
        let table = try table(model)
        try table.model.check(record.values, of: record.id)
        guard let before = try table.record(record.id.canonicalText, in: connection) else {
            throw MigrationError.notFound(model: model, id: record.id)
        }
        try connection.run(
            table.update(columns: Array(table.columns.indices)),
            [.integer(before.version)] + record.values + [.text(record.id.canonicalText)]
        )
    }

    func delete(_ model: String, _ id: UUID) throws {
        let table = try table(model)
        guard try table.record(id.canonicalText, in: connection) != nil else {
            throw MigrationError.notFound(model: model, id: id)
        }
        try endLinks(of: id, in: table)
        try connection.run(table.remove, [.text(id.canonicalText)])
        try TotalTable.add(-1, to: model, in: connection)
    }

    func table(_ model: String) throws(MigrationError) -> ModelTable {
        guard let table = tables[model] else { throw .unknownModel(model) }
        return table
    }

    /// The version of what is new: nobody has seen a later one. Before the first commit of all it takes that one's number: a record of
    /// no commit is in no snapshot.
    private var commit: Int64 {
        get throws {
            var position = try StorePosition.read(from: connection) ?? .start
            if position.commit == 0 {
                position.commit = 1
                try position.write(to: connection)
            }
            return position.commit
        }
    }
}

extension ModelSchema {
    /// Rules are for what is new: a record may be older than one.
    ///
    /// - Throws: ``MigrationError`` naming the first property that does not take its value.
    func check(_ values: [FieldValue], of id: UUID) throws(MigrationError) {
        let named = Dictionary(zip(storedProperties.map(\.name), values), uniquingKeysWith: { first, _ in first })
        guard let problem = misfits(in: named).first else { return }
        throw .invalid(model: name, id: id, property: problem.property, reason: problem.message)
    }
}
