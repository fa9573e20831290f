package import AviaryDomain
package import Foundation

/// The records of one model in a store's file.
package struct SQLRecordRepository: RecordRepository {
    package let schema: ModelSchema
    let readers: ReaderPool
    let writer: any ChangeWriter
    let table: ModelTable
    let reader: RecordReader
    var pageLimits = PageLimits()

    package init(model: ModelSchema, schema: Schema, readers: ReaderPool, writer: any ChangeWriter) {
        self.schema = model
        self.readers = readers
        self.writer = writer
        table = readers.tables[model.name] ?? ModelTable(model, in: schema, readers.tables.dialect)
        reader = RecordReader(table, tables: readers.tables)
    }

    package func fetchAll() async throws -> [Record] {
        try await readers.readLong { connection in
            try connection.rows(reader.selection + " ORDER BY record.id") { try reader.record($0) }
        }
    }

    package func find(_ id: UUID) async throws -> Record? {
        let sql = reader.selection + " WHERE record.id = ?"
        return try readers.read { connection in
            try connection.firstRow(sql, [.text(id.canonicalText)]) { try reader.record($0) }
        }
    }

    /// - Throws: ``PageRequestError`` when there is no such property.
    package func ids(where values: [String: FieldValue], limit: Int) async throws -> [UUID] {
        let values = values.sorted { $0.key < $1.key }
        let sql = try lookupStatement(values.map { (property: $0.key, isNull: $0.value.isNull) })
        let parameters = values.map(\.value).filter { !$0.isNull } + [.integer(Int64(max(0, limit)))]
        // Without an index it reads the whole table.
        return try await readers.readShortOrLong { connection in
            try connection.rows(sql, parameters) { row in
                guard let id = row.uuid(0) else { throw RecordDecodingError(model: schema.name) }
                return id
            }
        }
    }

    package func choices(limit: Int) async throws -> [RecordChoice] {
        // Without an index of the titles it sorts the whole table, and somebody waits for it.
        try await readers.readShortOrLong(timeLimit: pageLimits.collection, in: readers.longPages) { connection in
            try connection.rows(choicesStatement, [.integer(Int64(max(0, limit)))]) { row in
                guard let id = row.uuid(0) else { throw RecordDecodingError(model: schema.name) }
                let title = row.text(1) ?? ""
                return RecordChoice(id: id, title: title.isBlank ? id.canonicalText : title)
            }
        }
    }

    package func count() async throws -> Int {
        try readers.read { try TotalTable.count(schema.name, in: $0) }
    }

    package func deletePlan(for ids: [UUID]) async throws -> DeletePlan {
        // A cascade may take 100,000 records along; most take none.
        try await readers.readShortOrLong { connection in
            try connection.snapshot {
                try DeleteResolver(tables: readers.tables, connection: connection)
                    .plan(ids.map { DeleteRoot(table: table, id: $0) })
            }
        }
    }
}

extension SQLRecordRepository {
    func isSortable(_ property: String) -> Bool {
        readers.sortIndexes.contains(SortIndex(model: schema.name, property: property))
    }

    /// The parameters are the values that are not null, then how many ids.
    func lookupStatement(_ values: [(property: String, isNull: Bool)]) throws(PageRequestError) -> String {
        var conditions: [String] = []
        var parameter = 0
        for (property, isNull) in values {
            guard let index = schema.storedIndex(of: property), table.columns.indices.contains(index) else {
                throw .unknownProperty(model: schema.name, property: property)
            }
            let column = table.columns[index]
            if isNull {
                conditions.append("\(column) IS NULL")
                continue
            }
            parameter += 1
            conditions.append("\(column) = ?\(parameter)")
            // The sort index compares without case: it finds the candidates, and bytes decide.
            let definition = schema.storedProperties[index]
            if values.count == 1, definition.type == .string, !definition.isUnique, isSortable(property) {
                conditions.append(table.dialect.comparisonIgnoringCase(column, "=", "?\(parameter)"))
            }
        }
        let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        return "SELECT id FROM \(table.name)\(condition) ORDER BY id LIMIT ?\(parameter + 1)"
    }

    var choicesStatement: String {
        let title = schema.titleProperty.map { table.dialect.name($0.name) }
        return "SELECT id, \(title ?? "NULL") FROM \(table.name) "
            + "ORDER BY \(title.map { "\(table.dialect.ignoringCase($0)), " } ?? "")id LIMIT ?"
    }
}
