package import AviaryDomain
package import Foundation

/// The records of one model in a store's file.
package struct SQLRecordRepository: RecordRepository {
    package let schema: ModelSchema
    let readers: ReaderPool
    let writer: any ChangeWriter
    let table: ModelTable
    let reader: RecordReader

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
    package func first(where property: String, equals value: FieldValue) async throws -> Record? {
        guard let sql = lookupStatement(property, isNull: value.isNull) else {
            throw PageRequestError.unknownProperty(model: schema.name, property: property)
        }
        return try readers.read { connection in
            try connection.firstRow(sql, value.isNull ? [] : [value]) { try reader.record($0) }
        }
    }

    package func choices(limit: Int) async throws -> [RecordChoice] {
        try readers.read { connection in
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
                    .resolve(ids.map { DeleteRoot(table: table, id: $0) }).plan
            }
        }
    }
}

extension SQLRecordRepository {
    func isSortable(_ property: String) -> Bool {
        readers.sortIndexes.contains(SortIndex(model: schema.name, property: property))
    }

    /// Nil when there is no such property.
    func lookupStatement(_ property: String, isNull: Bool) -> String? {
        guard let index = schema.storedIndex(of: property), table.columns.indices.contains(index) else { return nil }
        let column = "record." + table.columns[index]
        var condition = isNull ? "\(column) IS NULL" : "\(column) = ?1"
        // The sort index compares without case: it finds the candidates, and bytes decide.
        let definition = schema.storedProperties[index]
        if !isNull, definition.type == .string, !definition.isUnique, isSortable(property) {
            condition += " AND " + table.dialect.comparisonIgnoringCase(column, "=", "?1")
        }
        return reader.selection + " WHERE \(condition) ORDER BY record.id LIMIT 1"
    }

    var choicesStatement: String {
        let title = schema.titleProperty.map { table.dialect.name($0.name) }
        return "SELECT id, \(title ?? "NULL") FROM \(table.name) "
            + "ORDER BY \(title.map { "\(table.dialect.ignoringCase($0)), " } ?? "")id LIMIT ?"
    }
}
