package import AviaryDomain
package import Foundation

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
        // The store knows how many there are of all.
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

    /// The text of the statement that ``fetch(_:_:)`` runs.
    ///
    /// - Throws: ``QueryError``.
    package func statement(for query: RecordQuery) throws(QueryError) -> String {
        try FetchSQL(query, of: table, readers.aids, selecting: table.selection).text
    }

    /// - Parameter columns: Nil to count.
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

    /// A program that connects to a store has only its own model compared with the file.
    private func check(_ models: [ModelSchema]) throws {
        for model in models where readers.tables[model.name] == nil { try readers.check(model) }
    }
}
