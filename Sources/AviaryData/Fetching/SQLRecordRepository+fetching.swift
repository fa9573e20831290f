package import AviaryDomain
package import Foundation

extension SQLRecordRepository: ModelRecords {
    package func fetch<Value: Sendable>(
        _ query: RecordQuery, _ make: @escaping @Sendable (Record) throws -> Value
    ) async throws -> [Value] {
        let sql = try FetchSQL(query, of: table, sortIndexes: readers.sortIndexes, selecting: table.selection)
        return try await read(sql) { connection in
            try connection.rows(sql.text, sql.values) { try make(table.record($0)) }
        }
    }

    package func identifiers(_ query: RecordQuery) async throws -> [UUID] {
        let sql = try FetchSQL(query, of: table, sortIndexes: readers.sortIndexes, selecting: "id")
        return try await read(sql) { connection in
            try connection.rows(sql.text, sql.values) { row in
                guard let id = row.uuid(0) else { throw RecordDecodingError(model: schema.name) }
                return id
            }
        }
    }

    package func count(_ query: RecordQuery) async throws -> Int {
        // The store knows how many there are of all.
        guard query.condition != nil || query.limit != nil || query.offset > 0 else { return try await count() }
        let sql = try FetchSQL(counting: query, of: table, sortIndexes: readers.sortIndexes)
        return try await read(sql) { connection in
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

    private func read<T: Sendable>(_ sql: FetchSQL, _ body: @escaping @Sendable (any Connection) throws -> T) async throws -> T {
        do {
            return try await readers.readShortOrLong(body)
        } catch {
            guard sql.calculates, let error = error as? EngineError, error.kind == .other else { throw error }
            throw QueryError(
                model: schema.name, expression: "A calculation",
                advice: "left the range of its numbers for a record. Ask for a smaller range first, or calculate in memory."
            )
        }
    }
}
