import AviaryDomain
import CPostgreSQL
import Foundation

extension PostgreSQLConnection: WriterConnection {
    /// The server keeps its files itself.
    var file: (any StoreFile)? { nil }
    var fileCheck: (any StoreFileCheck)? { nil }

    var transactionLost: EngineError {
        EngineError(
            kind: .other, code: nil, message: "the server has rolled back the transaction", operation: "transaction")
    }

    func beginWriting() throws(EngineError) -> Bool {
        guard !isInTransaction else { throw .misuse("a transaction is open", operation: "BEGIN") }
        guard let last = turn else {
            try run("BEGIN")
            return false
        }
        let link = try requireLink("BEGIN")
        do throws(EngineError) {
            try run("BEGIN")
            try link.queue(PostgreSQLStoreTable.nextTurn, isWanted: true)
            let result = try link.exchange()
            defer { PQclear(result) }
            guard PQntuples(result) == 1, let bytes = PQgetvalue(result, 0, 0) else {
                throw EngineError.misuse("the schema has no store any more", operation: PostgreSQLStoreTable.nextTurn)
            }
            let current = UnsafeRawBufferPointer(start: bytes, count: 8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
            turn = current
            transaction?.lastTurn = current - 1
            return current != last + 1
        } catch {
            abandonTransaction()
            throw error
        }
    }

    /// Connects again after the connection was lost.
    func reconnect() throws {
        try open()
        // The next turn shows whether another writer, or this one's last COMMIT, has changed the store.
        if turn != nil { turn = -1 }
    }

    // The server has foreign keys, but only a superuser may suspend them for the steps of a long change. The store is the
    // only writer, in the order of the turns, so that its own check in the same transaction is as good.
    var hasDanglingReferences: Bool? { nil }

    func withoutReferenceChecks<T>(_ body: () throws -> T) throws -> T { try body() }

    func missingReference(in tables: ModelTables) throws -> MissingReference? {
        for reference in tables.storedReferences {
            let dialect = self.dialect
            let number = reference.isOfLink ? "0" : dialect.rowNumber
            let row = try firstRow(
                "SELECT \(number) FROM \(reference.table) AS holder WHERE holder.\(reference.column) IS NOT NULL "
                    + "AND NOT EXISTS (SELECT 1 FROM \(reference.target) AS target "
                    + "WHERE target.id = holder.\(reference.column)) LIMIT 1"
            ) { Int($0.integer(0)) }
            if let row { return MissingReference(model: reference.model, property: reference.property, row: row) }
        }
        return nil
    }

    func checkIsStore() throws {
        guard try hasStoreTable() else { throw StoreOpenError.notAStore(path: path) }
    }

    func layoutVersion() throws -> String {
        try firstRow(PostgreSQLStoreTable.layout) { String($0.integer(0)) } ?? ""
    }

    func markAsStore(layout version: Int) throws {
        for function in PostgreSQLFunctions.all { try run(function) }
        try run(PostgreSQLStoreTable.creation)
        try run(PostgreSQLStoreTable.insertion, .integer(Int64(version)))
        turn = 1
    }

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
    func replaceContents(byThoseOf source: any WriterConnection) throws(EngineError) {
        guard let source = source as? PostgreSQLConnection else {
            throw .misuse("the other store is not in this database", operation: "replace")
        }
        source.close()
        let own = PostgreSQLDialect.quoted(schema), other = PostgreSQLDialect.quoted(source.schema)
        let old = "aviary_old_" + UUID().canonicalText.filter { $0 != "-" }
        do throws(EngineError) {
            _ = try beginWriting()
            // A long read must not keep all others waiting.
            try run("SET LOCAL lock_timeout = '10s'")
            try run(PostgreSQLStoreTable.lockOutReaders)
            try run("UPDATE \(other).\(PostgreSQLStoreTable.name) SET turn = ?", .integer(turn ?? 1))
            try run("ALTER SCHEMA \(own) RENAME TO \(PostgreSQLDialect.quoted(old))")
            try run("ALTER SCHEMA \(other) RENAME TO \(own)")
            try commit()
            try forgetStatements()
        } catch {
            abandonTransaction()
            throw error
        }
        // If this fails, the next opening of the store drops it.
        _ = try? run("DROP SCHEMA \(PostgreSQLDialect.quoted(old)) CASCADE")
    }
}
