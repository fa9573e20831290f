import AviaryDomain
import Foundation

/// The records of one version's tables in the open transaction of a migration.
struct TableRecords: MigrationRecords {
    /// The number of rows that are read at a time.
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

    /// Enumerates the rows by their numbers, so that changes during the enumeration hide no record and repeat none.
    func enumerateRows(of table: ModelTable, _ body: (Int64, Record) throws -> Void) throws {
        let number = connection.dialect.rowNumber
        let next =
            "SELECT \(table.selection), \(number) FROM \(table.name) WHERE \(number) > ? "
            + "ORDER BY \(number) LIMIT \(Self.batchSize)"
        // Rows that are added during the enumeration are not enumerated: the code that adds them knows them.
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
        try RecordCountTable.add(1, to: model, in: connection)
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
        try RecordCountTable.add(-1, to: model, in: connection)
    }

    func table(_ model: String) throws(MigrationError) -> ModelTable {
        guard let table = tables[model] else { throw .unknownModel(model) }
        return table
    }

    /// The version of new records, which is the last commit, because no reader has seen a later one.
    ///
    /// Before the first commit the store takes its number: no snapshot contains a record without a commit.
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
    /// Checks that values fit their properties' types. Validation rules are not checked, because a record may be
    /// older than a rule.
    ///
    /// - Throws: ``MigrationError`` that names the first property whose value does not fit.
    func check(_ values: [FieldValue], of id: UUID) throws(MigrationError) {
        let named = Dictionary(zip(storedProperties.map(\.name), values), uniquingKeysWith: { first, _ in first })
        guard let problem = validationProblems(in: named).first else { return }
        throw .invalid(model: name, id: id, property: problem.property, reason: problem.message)
    }
}

extension TableRecords {
    func links(of id: UUID, _ relation: RelationName) throws -> [UUID] {
        let side = try side(relation)
        let sql = "SELECT \(side.other) FROM \(side.table.name) WHERE \(side.own) = ? ORDER BY \(side.other)"
        return try connection.rows(sql, [.text(id.canonicalText)]) { $0.text(0) ?? "" }.compactMap(
            UUID.init(canonicalText:))
    }

    /// Enumerates the links by both ids, so that changes during the enumeration hide no link and repeat none.
    func enumerateLinks(_ relation: RelationName, _ body: (UUID, UUID) throws -> Void) throws {
        let side = try side(relation)
        let (own, other) = (side.own, side.other)
        let once = side.table.relation.isSymmetric ? " AND \(own) <= \(other)" : ""
        let next =
            "SELECT \(own), \(other) FROM \(side.table.name) WHERE (\(own), \(other)) > (?, ?)\(once) "
            + "ORDER BY \(own), \(other) LIMIT \(Self.batchSize)"
        var last = ("", "")
        while true {
            let rows = try connection.rows(next, [.text(last.0), .text(last.1)]) {
                ($0.text(0) ?? "", $0.text(1) ?? "")
            }
            guard let final = rows.last else { return }
            for row in rows {
                guard let id = UUID(canonicalText: row.0), let other = UUID(canonicalText: row.1) else { continue }
                try body(id, other)
            }
            last = final
        }
    }

    func link(_ id: UUID, _ other: UUID, _ relation: RelationName) throws {
        let side = try side(relation)
        for (id, model) in [(id, side.end.own.model), (other, side.end.other.model)] {
            guard try table(model).record(id.canonicalText, in: connection) != nil else {
                throw MigrationError.notFound(model: model, id: id)
            }
        }
        let link = side.link(id.canonicalText, other.canonicalText)
        if try !side.table.contains(link, in: connection) { try side.table.add(link, in: connection) }
    }

    func unlink(_ id: UUID, _ other: UUID, _ relation: RelationName) throws {
        let side = try side(relation)
        try side.table.remove(side.link(id.canonicalText, other.canonicalText), in: connection)
    }

    /// Removes all links of a record.
    func endLinks(of id: UUID, in table: ModelTable) throws {
        for side in table.links {
            let columns = side.table.relation.isSymmetric ? [side.own, side.other] : [side.own]
            for column in columns {
                try connection.run("DELETE FROM \(side.table.name) WHERE \(column) = ?", [.text(id.canonicalText)])
            }
        }
    }

    private func side(_ relation: RelationName) throws(MigrationError) -> LinkSide {
        guard let side = tables.linkSide(relation.property, of: relation.model) else {
            throw .unknownRelation(relation.description)
        }
        return side
    }
}
