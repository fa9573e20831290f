package import AviaryDomain
package import Foundation

/// A repository of the records of one model in a store's file.
package struct SQLRecordRepository: RecordRepository {
    package let schema: ModelSchema
    let readers: ReaderPool
    let writer: any ChangeWriter
    let table: ModelTable
    let reader: RecordReader
    /// The titles of the records, in statements that call the table `other`.
    let titles: TitleColumns
    var pageLimits = PageLimits()

    package init(model: ModelSchema, schema: Schema, readers: ReaderPool, writer: any ChangeWriter) {
        self.schema = model
        self.readers = readers
        self.writer = writer
        table = readers.tables[model.name] ?? ModelTable(model, in: schema, readers.tables.dialect)
        reader = RecordReader(table, tables: readers.tables)
        titles = TitleColumns(model, as: "other", in: readers.tables)
    }

    package var preparesRecords: Bool { writer.preparesRecords(of: schema.name) }

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

    /// Returns the ids of records with the given values.
    ///
    /// - Throws: ``PageRequestError`` if there is no such property.
    package func ids(where values: [String: FieldValue], limit: Int) async throws -> [UUID] {
        let values = values.sorted { $0.key < $1.key }
        let sql = try lookupStatement(values.map { (property: $0.key, isNull: $0.value.isNull) })
        let parameters = values.map(\.value).filter { !$0.isNull } + [.integer(Int64(max(0, limit)))]
        // Without an index the statement reads the whole table.
        return try await readers.readShortOrLong { connection in
            try connection.rows(sql, parameters) { row in
                guard let id = row.uuid(0) else { throw RecordDecodingError(model: schema.name) }
                return id
            }
        }
    }

    package func choices(limit: Int) async throws -> [RecordChoice] {
        // Without an index of the titles the statement sorts the whole table, and a user waits for it.
        try await readers.readShortOrLong(timeLimit: pageLimits.collection, in: readers.longPages) { connection in
            try connection.rows(choicesStatement, [.integer(Int64(max(0, limit)))]) { try titles.choice($0) }
        }
    }

    package func count() async throws -> Int {
        try readers.read { try RecordCountTable.count(schema.name, in: $0) }
    }

    package func deletePlan(for ids: [UUID]) async throws -> DeletePlan {
        // A cascade may delete 100,000 records, but most deletes have none.
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

    /// Returns the statement that finds ids by values. The parameters are the non-null values, then the maximum
    /// number of ids.
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
            // The sort index ignores case. It finds the candidates, and the comparison of bytes decides.
            let definition = schema.storedProperties[index]
            if values.count == 1, definition.type == .string, !definition.isUnique, isSortable(property) {
                conditions.append(table.dialect.comparisonIgnoringCase(column, "=", "?\(parameter)"))
            }
        }
        let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        return "SELECT id FROM \(table.name)\(condition) ORDER BY id LIMIT ?\(parameter + 1)"
    }

    /// The statement that reads titles in the order of the text by which people find a record.
    var choicesStatement: String {
        let order = schema.titleProperty.map { table.dialect.ignoringCase("other." + table.dialect.name($0.name)) }
        return "SELECT \((["other.id"] + titles.columns).joined(separator: ", ")) "
            + "FROM \(table.name) AS other\(titles.joins) ORDER BY \(order.map { $0 + ", " } ?? "")other.id LIMIT ?"
    }
}

extension SQLRecordRepository: ModelRecords {
    package func fetch<Value: Sendable>(
        _ query: RecordQuery, _ make: @escaping @Sendable (Record) throws -> Value
    ) async throws -> [Value] {
        try await read(query, selecting: table.selection) { connection, sql in
            try connection.rows(sql.text, sql.values) { try make(table.record($0)) }
        }
    }

    package func fetch(_ query: RecordQuery) async throws -> [Record] {
        try await fetch(query) { $0 }
    }

    package func values<Value: Sendable>(
        _ query: RecordQuery, of properties: [PropertySchema],
        _ make: @escaping @Sendable (UUID, [FieldValue]) throws -> Value
    ) async throws -> [Value] {
        let columns = ["id"] + properties.map { table.dialect.name($0.name) }
        return try await read(query, selecting: columns.joined(separator: ", ")) { connection, sql in
            try connection.rows(sql.text, sql.values) { row in
                guard let id = row.uuid(0) else { throw RecordDecodingError(model: schema.name) }
                return try make(id, row.values(1..<columns.count))
            }
        }
    }

    package func related(_ query: RecordQuery, by paths: [RelationPath]) async throws -> RelatedRecordLists {
        try check(paths.map(\.model))
        return try await read(query, selecting: table.selection) { connection, sql in
            try connection.snapshot {
                let records = try connection.rows(sql.text, sql.values) { try table.record($0) }
                let reader = RelatedRecordReader(schema, connection)
                return RelatedRecordLists(
                    records: records, related: try paths.map { try reader.related(to: records, by: $0) }
                )
            }
        }
    }

    package func identifiers(_ query: RecordQuery) async throws -> [UUID] {
        try await read(query, selecting: "id") { connection, sql in
            try connection.rows(sql.text, sql.values) { row in
                guard let id = row.uuid(0) else { throw RecordDecodingError(model: schema.name) }
                return id
            }
        }
    }

    package func count(_ query: RecordQuery) async throws -> Int {
        // The store keeps the total number of records.
        guard query.condition != nil || query.limit != nil || query.offset > 0 else { return try await count() }
        return try await read(query, selecting: nil) { connection, sql in
            try connection.firstRow(sql.text, sql.values) { Int($0.integer(0)) } ?? 0
        }
    }

    package func receipt(of changeSet: UUID) async throws -> Receipt? {
        try readers.read { connection in
            try CommitTable.receipt(changeSet.canonicalText, in: connection).map {
                Receipt(changeSet: changeSet, commit: $0.commit, isRepeat: true)
            }
        }
    }

    package func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt {
        try await writer.submit(changeSet)
    }

    /// Returns the text of the statement that ``fetch(_:_:)`` runs.
    ///
    /// - Throws: ``QueryError``.
    package func statement(for query: RecordQuery) throws(QueryError) -> String {
        try FetchSQL(query, of: table, readers.aids, selecting: table.selection).text
    }

    /// Runs a query.
    ///
    /// - Parameter columns: The columns to select; nil to count.
    private func read<T: Sendable>(
        _ query: RecordQuery, selecting columns: String?,
        _ body: @escaping @Sendable (any Connection, FetchSQL) throws -> T
    ) async throws -> T {
        try check(query.condition?.relatedModels ?? [])
        let sql =
            if let columns {
                try FetchSQL(query, of: table, readers.aids, selecting: columns)
            } else {
                try FetchSQL(counting: query, of: table, readers.aids)
            }
        do {
            return try await readers.readShortOrLong { try body($0, sql) }
        } catch {
            guard sql.calculates, let error = error as? EngineError, error.kind == .other else { throw error }
            throw QueryError(
                model: schema.name, expression: "A calculation or a range",
                advice:
                    "left the range of its numbers, or ended before it began, for a record. Ask for fewer records first, or calculate in memory."
            )
        }
    }

    /// Checks the related models against the file. A program that connects to a store has compared only its own
    /// model.
    private func check(_ models: [ModelSchema]) throws {
        for model in models where readers.tables[model.name] == nil { try readers.check(model) }
    }
}

extension SQLRecordRepository {
    package func save(_ submission: RecordSubmission) async throws(StoreError) -> Receipt {
        let change: Change =
            if let version = submission.version {
                .update(model: schema.name, id: submission.id, version: version, values: submission.values)
            } else {
                .insert(model: schema.name, id: submission.id, values: submission.values)
            }
        let deletes = submission.others.contains { if case .delete = $0 { true } else { false } }
        return try await writer.submit(
            ChangeSet(
                id: submission.draft, author: submission.author,
                changes: [change] + linkChanges(submission) + submission.others,
                // The user was not asked about cascades.
                cascadeLimit: deletes ? 0 : nil
            ))
    }

    private func linkChanges(_ submission: RecordSubmission) -> [Change] {
        submission.links.flatMap { edit in
            edit.removed.map { .unlink(model: schema.name, property: edit.property, id: submission.id, target: $0) }
                + edit.added.map { .link(model: schema.name, property: edit.property, id: submission.id, target: $0) }
        }
    }

    package func delete(ids: [UUID], as deletion: Deletion) async throws(StoreError) -> Receipt {
        try await writer.submit(
            ChangeSet(
                id: deletion.changeSet, author: deletion.author,
                changes: ids.map { .delete(model: schema.name, id: $0) }, cascadeLimit: deletion.cascadeLimit
            ))
    }
}
