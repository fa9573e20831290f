import AviaryDomain

/// Writes records of one model as text, row by row.
struct RecordExport {
    private static let flushSize = 1 << 16
    private static let progressStep = 10_000

    let model: ModelSchema
    let query: ExportQuery
    let format: ExportFormat
    let tables: ModelTables
    let aids: QueryAids
    let sink: FileSink
    /// Throws when the work is not wanted any more.
    var check: () throws -> Void = {}
    var progress: (Int) -> Void = { _ in }

    /// - Returns: How many records there are.
    func write(from connection: any Connection) throws -> Int {
        let properties = ExportedProperties(
            of: model, in: tables.schema, as: format, leavingOut: query.leavingOut)
        var text = RecordText(properties, as: format)
        text.writeHeader()
        var count = 0
        // A model that the program has and the file not yet has no records.
        if let table = tables[model.name], try TotalTable.models(in: connection).contains(model.name) {
            let links = try links(properties, in: connection)
            let (sql, values) = try statement(table)
            let row = try connection.statement(sql)
            defer { row.reset() }
            try row.bind(values, from: 1)
            while try row.step() {
                guard let id = row.text(0) else { throw RecordDecodingError(model: model.name) }
                text.write(id, row.values(2..<table.columns.count + 2), links: try links.map { try $0.links(of: id) })
                count += 1
                if text.bytes.count >= Self.flushSize { try flush(&text) }
                if count.isMultiple(of: Self.progressStep) { progress(count) }
            }
        }
        try flush(&text)
        return count
    }

    private func statement(_ table: ModelTable) throws -> (sql: String, values: [FieldValue]) {
        var condition = ConditionSQL(model, table.dialect, aids)
        var sql = "SELECT \(table.selection) FROM \(table.name)"
        if !query.conditions.isEmpty {
            let texts = try query.conditions.map { try condition.filter($0) }
            sql += " WHERE " + texts.joined(separator: " AND ")
        }
        sql += " ORDER BY "
        if let order = query.order, let index = model.storedIndex(of: order.property),
            table.columns.indices.contains(index)
        {
            let column = table.columns[index]
            let key = model.storedProperties[index].isSortedIgnoringCase ? table.dialect.ignoringCase(column) : column
            sql += table.dialect.order(key, upwards: order.direction == .ascending) + ", "
        }
        // As a list has it: what is equal stands in the order of the ids, the other way around too.
        sql += table.dialect.order("id", upwards: query.order?.direction != .descending)
        return (sql, condition.values)
    }

    private func links(_ properties: ExportedProperties, in connection: any Connection) throws -> [any LinkedRecords] {
        try properties.all.compactMap { property, source in
            guard source == .links, let side = tables.linkSide(property.name, of: model.name) else { return nil }
            let isInIDOrder = query.order == nil && query.conditions.isEmpty
            return isInIDOrder ? try LinkCursor(side, in: connection) : LinkLookUp(side, in: connection)
        }
    }

    private func flush(_ text: inout RecordText) throws {
        try check()
        try sink.write(text.bytes)
        text.removeAll()
    }
}

/// The ids of the records that one is linked with, in their order.
protocol LinkedRecords {
    func links(of record: String) throws -> [String]
}

extension LinkCursor: LinkedRecords {}

/// Asks for the links of each record by itself, in whatever order the records come.
struct LinkLookUp: LinkedRecords {
    private let connection: any Connection
    private let sql: String

    init(_ side: LinkSide, in connection: any Connection) {
        self.connection = connection
        sql = "SELECT \(side.other) FROM \(side.table.name) WHERE \(side.own) = ? ORDER BY \(side.other)"
    }

    func links(of record: String) throws -> [String] {
        try connection.rows(sql, [.text(record)]) { $0.text(0) ?? "" }
    }
}

/// Walks the links of a many-to-many property beside its records, both in the order of the records' ids, so that none
/// are kept in memory but those of one record.
final class LinkCursor {
    private let row: any PreparedStatement
    private var id: String?

    init(_ side: LinkSide, in connection: any Connection) throws {
        row = try connection.statement(
            "SELECT \(side.own), \(side.other) FROM \(side.table.name) ORDER BY \(side.own), \(side.other)")
        try advance()
    }

    deinit {
        row.reset()
    }

    /// The ids of the records that this one is linked with. To be asked in the order of the ids.
    func links(of record: String) throws -> [String] {
        while let id, id < record { try advance() }
        var links: [String] = []
        while id == record {
            if let link = row.text(1) { links.append(link) }
            try advance()
        }
        return links
    }

    private func advance() throws {
        id = try row.step() ? row.text(0) : nil
    }
}
