import AviaryDomain
import CPostgreSQL
import Foundation

extension PostgreSQLConnection: WriterConnection {
    /// The server keeps its files itself.
    var file: (any StoreFile)? { nil }
    var database: (any SharedDatabase)? { self }
    var fileCheck: (any StoreFileCheck)? { nil }

    var transactionLost: EngineError {
        EngineError(
            kind: .other, code: nil, message: "the server has rolled back the transaction", operation: "transaction")
    }

    func beginWriting(of changeSets: [String]) throws(EngineError) -> WriteBeginning {
        guard !isInTransaction else { throw .misuse("a transaction is open", operation: "BEGIN") }
        try run("BEGIN")
        guard let last = turn else { return WriteBeginning() }
        do throws(EngineError) {
            return try takeTurn(after: last, lookingFor: changeSets)
        } catch {
            abandonTransaction()
            throw error
        }
    }

    /// Takes the next turn in the open transaction, which waits for those of other writers, and looks for the ids of change sets
    /// in the same round trip.
    private func takeTurn(after last: Int64, lookingFor ids: [String] = []) throws(EngineError) -> WriteBeginning {
        let link = try requireLink("BEGIN"), sql = PostgreSQLStoreTable.nextTurn(of: holder)
        do throws(EngineError) {
            link.quietlyChangedRows = 0
            try link.queue(sql, isWanted: ids.isEmpty)
            if !ids.isEmpty { try queueSearch(for: ids, on: link) }
            let result = try link.exchange()
            defer { PQclear(result) }
            guard ids.isEmpty || link.quietlyChangedRows == 1, PQntuples(result) > 0,
                let bytes = PQgetvalue(result, 0, 0)
            else {
                throw EngineError(
                    kind: .busy, code: nil, message: "another host replaces the contents of the store", operation: sql)
            }
            let current = UnsafeRawBufferPointer(start: bytes, count: 8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
            turn = current
            // After a rollback, what another writer has committed is still unknown to this one.
            transaction?.lastTurn = last
            link.quietlyChangedRows = 0
            return WriteBeginning(
                isOutdated: current != last + 1, usedIDs: ids.isEmpty ? [] : Self.usedIDs(in: result))
        } catch {
            recover(from: error)
            throw error
        }
    }

    // It is a statement of its own after that of the turn, so that it sees what the writer before this one has committed. The
    // limit keeps the look-up of each id one by an index, however large the tables were when the statement was prepared.
    private static let search = Query { dialect in
        """
        SELECT store.turn, used.id FROM \(PostgreSQLStoreTable.name) AS store LEFT JOIN (\
        SELECT list.value AS id FROM \(dialect.textList) CROSS JOIN LATERAL ( \
        (SELECT 1 FROM aviary_commit WHERE change_set = list.value LIMIT 1) UNION ALL \
        (SELECT 1 FROM aviary_discard WHERE id = list.value LIMIT 1)) AS found) AS used ON true
        """
    }

    /// Queues a statement whose rows have the turn and the ids that belong to a commit or to a discarded draft.
    private func queueSearch(for ids: [String], on link: PostgreSQLLink) throws(EngineError) {
        guard let list = dialect.value(ofList: ids.map(FieldValue.text)),
            let statement = try statement(Self.search) as? PostgreSQLStatement
        else { throw .misuse("ids cannot be looked for", operation: "BEGIN") }
        defer { statement.reset() }
        try statement.bind([list])
        try queue(statement, on: link, isWanted: true)
    }

    private static func usedIDs(in result: OpaquePointer?) -> Set<String> {
        var ids: Set<String> = []
        for row in 0..<PQntuples(result) where PQgetisnull(result, row, 1) == 0 {
            let bytes = UnsafeRawBufferPointer(
                start: PQgetvalue(result, row, 1), count: Int(PQgetlength(result, row, 1)))
            ids.insert(String(decoding: bytes, as: UTF8.self))
        }
        return ids
    }

    // The server has foreign keys, but only a superuser may suspend them for the steps of a long change. The store is the
    // only writer, in the order of the turns, so that its own check in the same transaction is as good.
    var hasDanglingReferences: Bool? { nil }

    func withoutReferenceChecks<T>(_ body: () throws -> T) throws -> T { try body() }

    func missingReference(in tables: ModelTables) throws -> MissingReference? {
        try missingReference(among: tables.storedReferences)
    }

    func checkIsStore() throws {
        guard try isStore() else { throw StoreOpenError.notAStore(path: path) }
    }

    func layoutVersion() throws -> String {
        try firstRow(PostgreSQLStoreTable.layout) { String($0.integer(0)) } ?? ""
    }

    func markAsStore(layout version: Int) throws {
        for function in PostgreSQLFunctions.all { try run(function) }
        try run(PostgreSQLStoreTable.marking, .integer(Int64(version)))
    }

    /// Creates the schema and the table of the engine itself, which hold the place of a store that is not created yet.
    ///
    /// - Throws: ``StoreOpenError/notAStore(path:)`` if the schema contains something else.
    func prepareSchema() throws {
        if try !hasStoreTable() {
            guard try tableNames().isEmpty else { throw StoreOpenError.notAStore(path: path) }
            // The text of the functions is made once, which can take longer than a transaction may pause.
            _ = PostgreSQLFunctions.all
            // Several hosts may do this at once. IF NOT EXISTS does not see what another has not committed yet.
            _ = try firstRow("SELECT pg_advisory_lock(\(PostgreSQLStoreTable.creationLock))") { _ in true }
            // The end of the session releases the lock, too.
            defer { _ = try? run("SELECT pg_advisory_unlock(\(PostgreSQLStoreTable.creationLock))") }
            if try !hasSchema() { try run("CREATE SCHEMA IF NOT EXISTS \(PostgreSQLDialect.quoted(schema))") }
            // Without the permission, the first text index reports the error.
            _ = try? run(PostgreSQLFunctions.trigramCreation)
            for statement in PostgreSQLStoreTable.creation { try run(statement) }
        }
        turn = try commitNumber()
    }

    /// Indicates whether the schema contains a store that was created.
    func isStore() throws -> Bool { try hasStoreTable() && layoutVersion() != "0" }

    func hasStoreTable() throws -> Bool {
        let name = "\(PostgreSQLDialect.quoted(schema)).\(PostgreSQLStoreTable.name)"
        return try firstRow("SELECT to_regclass(?) IS NOT NULL", [.text(name)]) { $0.integer(0) == 1 } ?? false
    }

    func forgetTables(beginningWith name: String) throws {
        for table in try tableNames() where table == name || table.hasPrefix(name + ".") {
            try run("DROP TABLE \(dialect.name(table)) CASCADE")
        }
        for function in try rows(
            PostgreSQLCatalogue.functions, [.text(PostgreSQLDialect.quoted(schema))], read: { $0.text(0) ?? "" })
        where function.hasPrefix(name + ".") {
            try run("DROP FUNCTION \(PostgreSQLDialect.quoted(function)) CASCADE")
        }
    }

    /// Replaces the contents by giving the schema of the other store the name of this one.
    ///
    /// The writers of other hosts wait, and find the new tables by their names.
    func replaceContents(byThoseOf source: any WriterConnection, keepingReplacedAt kept: String) throws {
        guard let source = source as? PostgreSQLConnection else {
            throw EngineError.misuse("the other store is not in this database", operation: "replace")
        }
        source.close()
        let own = PostgreSQLDialect.quoted(schema), other = PostgreSQLDialect.quoted(source.schema)
        let old = schemaName(kept)
        do throws(EngineError) {
            let last = turn ?? 0
            try run("BEGIN")
            // A long read must not keep all others waiting. A writer that waits for the row would wait for this lock, and this
            // one for the row, if the turn was taken first.
            try run("SET LOCAL lock_timeout = '10s'")
            try run(PostgreSQLStoreTable.lockOutOthers)
            guard try !takeTurn(after: last).isOutdated else { throw SharedState.changedMeanwhile }
            try run("UPDATE \(other).\(PostgreSQLStoreTable.name) SET turn = ?", .integer(turn ?? 1))
            try run("ALTER SCHEMA \(own) RENAME TO \(PostgreSQLDialect.quoted(old))")
            try run(PostgreSQLSchemas.comment(PostgreSQLSchemas.replaced(at: kept), on: old))
            try run("ALTER SCHEMA \(other) RENAME TO \(own)")
            try run(PostgreSQLSchemas.comment(nil, on: schema))
            try commit()
            try forgetStatements()
        } catch {
            abandonTransaction()
            throw error
        }
    }
}
