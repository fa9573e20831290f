import AviaryDomain
import CPostgreSQL

/// A connection to a store in a schema of a PostgreSQL database. One thread uses it at a time.
final class PostgreSQLConnection: Connection {
    /// The purpose of a connection.
    enum Role {
        case reader
        /// The connection of a running store.
        case writer
        /// A connection to a store that no other connection uses.
        case builder
    }

    /// The maximum number of prepared statements. Above it all are given up.
    private static let statementLimit = 256
    /// The savepoint of a statement, and of a piece of work in the transaction of several.
    private static let statementSavepoint = "aviary_statement", workSavepoint = "aviary_work"

    let address: PostgreSQLAddress
    /// The name of the schema, without quotes.
    private(set) var schema: String
    let role: Role
    let dialect: any SQLDialect = PostgreSQLDialect()
    private(set) var link: PostgreSQLLink?
    var maskText: String?
    private(set) var isInTransaction = false
    /// The savepoint that the user of the connection has set.
    private var savepoint: String?
    private var isInWorkSavepoint = false
    /// The number of the session, in which statements are prepared.
    private(set) var session = 0
    private var lastName = 0
    private var statements: [String: PostgreSQLStatement] = [:]
    private var queries: [ObjectIdentifier: (query: Query, statement: PostgreSQLStatement)] = [:]
    /// The quoted names of columns with unique values; nil if they are not known.
    private var uniqueColumns: [String]?
    /// The last turn of a writer, see ``PostgreSQLStoreTable``; nil if there is no store yet.
    var turn: Int64?

    init(_ address: PostgreSQLAddress, schema: String, role: Role) throws {
        self.address = address
        self.schema = schema
        self.role = role
        try open()
    }

    deinit {
        close()
    }

    /// The address and the schema, for messages.
    var path: String { "\(address) (schema \(schema))" }

    func close() {
        statements.removeAll()
        queries.removeAll()
        link?.close()
        link = nil
    }

    /// Connects, also after the connection was lost. All statements are prepared again.
    func open() throws {
        link?.close()
        isInTransaction = false
        isInWorkSavepoint = false
        savepoint = nil
        maskText = nil
        session += 1
        let link = try PostgreSQLLink(address)
        guard link.serverVersion >= 140_000 else {
            throw StoreOpenError.database(
                "\(address): the server is PostgreSQL \(link.serverVersion / 10_000). Version 14 or newer is needed.")
        }
        guard link.encoding == "UTF8" else {
            throw StoreOpenError.database(
                "\(address): the database has the encoding \(link.encoding). Create one with the encoding UTF8.")
        }
        try link.start(settings)
        self.link = link
    }

    /// The settings of the session. A setting that weakens what a commit promises is not kept.
    private var settings: String {
        var settings = [
            "SET search_path = \(PostgreSQLDialect.quoted(schema))", "SET standard_conforming_strings = on",
            "SET client_min_messages = warning", "SET jit = off",
            "SET default_transaction_isolation = 'read committed'",
        ]
        switch role {
        case .reader: settings += ["SET default_transaction_read_only = on", "SET statement_timeout = '24h'"]
        case .writer:
            settings += [
                "SET plan_cache_mode = force_generic_plan", "SET idle_in_transaction_session_timeout = '5min'",
                "SELECT set_config('synchronous_commit', 'on', false) "
                    + "WHERE current_setting('synchronous_commit') IN ('off', 'local')",
            ]
        case .builder: settings += ["SET synchronous_commit = off"]
        }
        return settings.joined(separator: "; ")
    }

    func requireLink(_ operation: String) throws(EngineError) -> PostgreSQLLink {
        guard let link else { throw .misuse("the connection is closed", operation: operation) }
        return link
    }

    func statement(_ sql: String) throws(EngineError) -> any PreparedStatement {
        if let statement = statements[sql] { return statement }
        let statement = try make(sql)
        if statements.count >= Self.statementLimit { try forgetStatements() }
        statements[sql] = statement
        return statement
    }

    func statement(_ query: Query) throws(EngineError) -> any PreparedStatement {
        if let known = queries[ObjectIdentifier(query)] { return known.statement }
        let statement = try make(query.sql(dialect))
        queries[ObjectIdentifier(query)] = (query, statement)
        return statement
    }

    private func make(_ sql: String) throws(EngineError) -> PostgreSQLStatement {
        guard link != nil else { throw .misuse("the connection is closed", operation: sql) }
        return PostgreSQLStatement(
            PostgreSQLText(sql, schema: PostgreSQLDialect.quoted(schema)), of: self)
    }

    /// Gives up what the server has prepared. Statements that are used again are prepared again.
    ///
    /// The names in a statement are then looked up again, too: the server does not notice that a temporary view precedes a
    /// table since.
    func forgetStatements() throws(EngineError) {
        statements.removeAll(keepingCapacity: true)
        session += 1
        try link?.queue("DEALLOCATE ALL")
    }

    /// Changes to the schema that the store has from now on.
    func rename(to schema: String) {
        self.schema = schema
        statements.removeAll()
        queries.removeAll()
        session += 1
    }
}

// MARK: Execution

extension PostgreSQLConnection {
    /// Runs a statement with its bound values.
    ///
    /// - Returns: The rows, which the caller clears; nil if the statement has none.
    func execute(_ statement: PostgreSQLStatement) throws(EngineError) -> OpaquePointer? {
        let text = statement.text
        let link = try requireLink(text.sql)
        if link.bounds.areOver { throw .interrupted(before: text.sql) }
        do throws(EngineError) {
            switch text.kind {
            case .begin:
                guard !isInTransaction else { throw EngineError.misuse("a transaction is open", operation: text.sql) }
                try link.queue(text.sql)
                isInTransaction = true
                return nil
            case .commit:
                try commit()
                return nil
            case .rollBack:
                try rollBack()
                return nil
            case .savepoint:
                try link.queue(text.sql)
                savepoint = text.sql.split(separator: " ").last.map(String.init)
                return nil
            case .release:
                try link.queue(text.sql)
                savepoint = nil
                return nil
            case .rollBackToSavepoint:
                try link.queue(text.sql)
                return try link.exchange()
            case .definition: return try define(text.sql, on: link)
            case .reading: return try run(statement, on: link)
            case .insertion:
                if defers(text) {
                    try queue(statement, on: link, isWanted: false)
                    return nil
                }
                return try insert(statement, on: link)
            case .writing:
                if try setsUniqueValue(text) { return try runBehindSavepoint(statement, on: link) }
                if defers(text) {
                    try queue(statement, on: link, isWanted: false)
                    return nil
                }
                return try run(statement, on: link)
            }
        } catch {
            recover(from: error)
            throw error
        }
    }

    /// Indicates whether nobody needs the answer to a statement before the next one: it cannot violate a constraint.
    private func defers(_ text: PostgreSQLText) -> Bool {
        role == .writer && text.concernsOwnTable && isInTransaction
    }

    private func run(_ statement: PostgreSQLStatement, on link: PostgreSQLLink) throws(EngineError) -> OpaquePointer? {
        if statement.readsInPieces, isInTransaction { return try openCursor(of: statement, on: link) }
        try queue(statement, on: link, isWanted: true)
        return try link.exchange()
    }

    private func insert(_ statement: PostgreSQLStatement, on link: PostgreSQLLink) throws(EngineError)
        -> OpaquePointer?
    {
        let result = try run(statement, on: link)
        defer { PQclear(result) }
        // The server has left the row out, so the transaction continues.
        guard let count = PQcmdTuples(result), count.pointee != UInt8(ascii: "0") else {
            throw .notUnique(operation: statement.text.sql)
        }
        return nil
    }

    /// Runs a statement that can violate a constraint, which would abort the transaction.
    private func runBehindSavepoint(
        _ statement: PostgreSQLStatement, on link: PostgreSQLLink
    ) throws(EngineError) -> OpaquePointer? {
        guard isInTransaction else { return try run(statement, on: link) }
        do throws(EngineError) {
            try link.queue("SAVEPOINT \(Self.statementSavepoint)")
            try queue(statement, on: link, isWanted: true)
            try link.queue("RELEASE \(Self.statementSavepoint)")
            return try link.exchange()
        } catch {
            // If an earlier statement has failed, there is no savepoint, and the whole transaction is lost.
            if link.isOpen, link.hasFailedTransaction, returnTo(Self.statementSavepoint) {
                try link.queue("RELEASE \(Self.statementSavepoint)")
            }
            throw error
        }
    }

    private func queue(
        _ statement: PostgreSQLStatement, on link: PostgreSQLLink, isWanted: Bool
    ) throws(EngineError) {
        let name = try prepare(statement, on: link)
        try link.queueExecution(name, statement.text.sql, statement.parameters, isWanted: isWanted)
    }

    /// Prepares a statement for the types of its values, unless it is prepared.
    private func prepare(
        _ statement: PostgreSQLStatement, on link: PostgreSQLLink
    ) throws(EngineError) -> String {
        statement.preparations.removeAll { $0.session != session }
        if let known = statement.preparations.first(where: { statement.parameters.fit($0.types) }) { return known.name }
        lastName += 1
        let name = "s\(lastName)"
        let types = try preparedTypes(name, statement, on: link)
        statement.preparations.append(.init(name: name, session: session, types: types))
        return name
    }

    /// Prepares a statement and returns the types of its parameters, for which the server is asked if some are null.
    private func preparedTypes(
        _ name: String, _ statement: PostgreSQLStatement, on link: PostgreSQLLink
    ) throws(EngineError) -> [UInt32] {
        let types = statement.parameters.types
        guard types.contains(PostgreSQLType.inferred) else {
            try link.queuePreparation(name, statement.text.sql, types: types)
            return types
        }
        try link.queuePreparation(name, statement.text.sql, types: types)
        try link.queueDescription(of: name, statement.text.sql, isWanted: true)
        let result = try link.exchange()
        defer { PQclear(result) }
        return types.indices.map { UInt32(PQparamtype(result, Int32($0))) }
    }
}

// MARK: Cursors

extension PostgreSQLConnection {
    /// The number of rows that are in memory at a time.
    private static let rowsPerPiece = 500

    private func openCursor(of statement: PostgreSQLStatement, on link: PostgreSQLLink) throws(EngineError)
        -> OpaquePointer?
    {
        lastName += 1
        let cursor = "c\(lastName)", sql = "DECLARE \(cursor) NO SCROLL CURSOR FOR \(statement.text.sql)"
        let name = "d\(lastName)"
        try link.queuePreparation(name, sql, types: statement.parameters.types)
        try link.queueExecution(name, sql, statement.parameters, isWanted: false)
        try link.queue("DEALLOCATE \(name)")
        statement.cursor = cursor
        try link.queue("FETCH \(Self.rowsPerPiece) FROM \(cursor)", isWanted: true)
        return try link.exchange()
    }

    /// Returns the next rows of a statement that reads them in pieces; nil if there are none.
    func nextPiece(of statement: PostgreSQLStatement) throws(EngineError) -> OpaquePointer? {
        guard let cursor = statement.cursor else { return nil }
        let link = try requireLink(statement.text.sql)
        if link.bounds.areOver { throw .interrupted(before: statement.text.sql) }
        do throws(EngineError) {
            try link.queue("FETCH \(Self.rowsPerPiece) FROM \(cursor)", isWanted: true)
            let result = try link.exchange()
            if PQntuples(result) > 0 { return result }
            PQclear(result)
            return nil
        } catch {
            recover(from: error)
            throw error
        }
    }

    func closeCursor(of statement: PostgreSQLStatement) {
        guard let cursor = statement.cursor else { return }
        statement.cursor = nil
        guard isInTransaction, let link, link.isOpen, !link.hasFailedTransaction else { return }
        // The end of the transaction closes a cursor that could not be closed.
        try? link.queue("CLOSE \(cursor)")
    }
}

// MARK: Transactions

extension PostgreSQLConnection {
    func beginReading() throws(EngineError) {
        guard !isInTransaction else { throw .misuse("a transaction is open", operation: "BEGIN") }
        let link = try requireLink("BEGIN")
        if link.bounds.areOver { throw .interrupted(before: "BEGIN") }
        try link.queue("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        isInTransaction = true
    }

    func commit() throws(EngineError) {
        guard isInTransaction else { throw .misuse("no transaction is open", operation: "COMMIT") }
        let link = try requireLink("COMMIT")
        isInWorkSavepoint = false
        if role == .reader {
            // Nobody waits for the end of a read.
            try link.queue("COMMIT")
            link.flush()
            isInTransaction = false
            return
        }
        let hadFailed = link.hasFailedTransaction
        do throws(EngineError) {
            try link.queue("COMMIT", isWanted: true)
            let result = try link.exchange()
            defer { PQclear(result) }
            isInTransaction = false
            savepoint = nil
            // The server answers a COMMIT of a failed transaction with its rollback.
            guard !hadFailed, PQcmdStatus(result).map({ String(cString: $0) }) == "COMMIT" else {
                throw EngineError.misuse("the transaction had failed and was rolled back", operation: "COMMIT")
            }
        } catch {
            recover(from: error)
            throw error
        }
        guard !link.takeReplicationWarning() else {
            // The commit is in the database, but a failover could lose it. The next COMMIT waits for the replicas again.
            throw EngineError(
                kind: .connectionLost, code: nil, message: "the replicas have not confirmed the commit",
                operation: "COMMIT")
        }
    }

    func rollBack() throws(EngineError) {
        guard isInTransaction else { throw .misuse("no transaction is open", operation: "ROLLBACK") }
        let link = try requireLink("ROLLBACK")
        isInTransaction = false
        isInWorkSavepoint = false
        savepoint = nil
        link.bounds.isSuspended = true
        defer { link.bounds.isSuspended = false }
        do throws(EngineError) {
            try link.queue("ROLLBACK")
            PQclear(try link.exchange())
        } catch {
            // The exchange reports the error of a statement before the rollback, which the rollback has undone.
            guard !link.isOpen || link.hasFailedTransaction else { return }
            guard link.isOpen else { throw error }
            try link.queue("ROLLBACK")
            PQclear(try link.exchange())
        }
    }

    /// Returns to a state in which the connection can be used, after a statement has failed.
    private func recover(from error: EngineError) {
        guard let link, link.isOpen else {
            isInTransaction = false
            isInWorkSavepoint = false
            savepoint = nil
            return
        }
        guard isInTransaction, link.hasFailedTransaction else { return }
        let name = role == .reader ? (isInWorkSavepoint ? Self.workSavepoint : nil) : savepoint
        if let name, returnTo(name) { return }
        // A reader's transaction ends with its snapshot.
        if role == .reader { return }
        // ROLLBACK fails only if the connection is lost.
        _ = try? rollBack()
    }

    private func returnTo(_ savepoint: String) -> Bool {
        guard let link else { return false }
        link.bounds.isSuspended = true
        defer { link.bounds.isSuspended = false }
        do throws(EngineError) {
            try link.queue("ROLLBACK TO \(savepoint)")
            PQclear(try link.exchange())
            return true
        } catch {
            return false
        }
    }
}

extension PostgreSQLConnection: ReaderConnection {
    func beginWork(within limit: Duration, unless cancellationToken: CancellationToken?) {
        link?.bounds.begin(limit: limit, cancellationToken: cancellationToken)
        guard isInTransaction, !isInWorkSavepoint else { return }
        // The work that fails must not end the snapshot of the others. An error is found by the work itself.
        isInWorkSavepoint = (try? link?.queue("SAVEPOINT \(Self.workSavepoint)")) != nil
    }

    func endWork() {
        link?.bounds.end()
        guard isInWorkSavepoint else { return }
        isInWorkSavepoint = false
        guard isInTransaction else { return }
        try? link?.queue("RELEASE \(Self.workSavepoint)")  // an error is found by the next statement
    }

    private static let turnQuery = Query("SELECT turn FROM \(PostgreSQLStoreTable.name)")

    func commitNumber() throws -> Int64 {
        try firstRow(Self.turnQuery) { $0.integer(0) } ?? 0
    }

    func interrupter() -> any ConnectionInterrupter { link?.canceller ?? Canceller() }
}

// MARK: Unique values

extension PostgreSQLConnection {
    /// Indicates whether an update sets a column whose values are unique.
    private func setsUniqueValue(_ text: PostgreSQLText) throws(EngineError) -> Bool {
        guard text.sql.hasPrefix("UPDATE"), !text.concernsOwnTable, isInTransaction else { return false }
        return try knownUniqueColumns().contains { text.sql.contains($0) }
    }

    /// Returns the beginnings of assignments to columns with unique values, of all tables.
    private func knownUniqueColumns() throws(EngineError) -> [String] {
        if let uniqueColumns { return uniqueColumns }
        let link = try requireLink("columns")
        try link.queue(PostgreSQLCatalogue.uniqueColumns(PostgreSQLDialect.literal(schema)), isWanted: true)
        let result = try link.exchange()
        defer { PQclear(result) }
        let columns = (0..<PQntuples(result)).compactMap { row in
            PQgetvalue(result, row, 0).map { PostgreSQLDialect.quoted(String(cString: $0)) + " = " }
        }
        uniqueColumns = columns
        return columns
    }
}

// MARK: Definitions

extension PostgreSQLConnection {
    /// Runs a statement that defines an object, and adds what the server does not keep: the text of an index's definition,
    /// and a name that is too long for it.
    private func define(_ sql: String, on link: PostgreSQLLink) throws(EngineError) -> OpaquePointer? {
        uniqueColumns = nil
        var sql = sql
        if sql.contains(PostgreSQLFunctions.trigramOperators) {
            let schema = try trigramSchema(link)
            sql = sql.replacing(
                PostgreSQLFunctions.trigramOperators, with: "\(schema).\(PostgreSQLFunctions.trigramOperators)")
        }
        try link.queue(sql, isWanted: true)
        if let comment = comment(on: sql) { try link.queue(comment) }
        return try link.exchange()
    }

    private func comment(on sql: String) -> String? {
        func name(after words: String) -> String? {
            guard sql.hasPrefix(words) else { return nil }
            return sql.dropFirst(words.count).split(separator: " ").first.map(String.init)
        }
        if let index = name(after: "CREATE INDEX ") ?? name(after: "CREATE UNIQUE INDEX ") {
            let text = PostgreSQLNames.full(index) + "\n" + sql
            return "COMMENT ON INDEX \(index) IS \(PostgreSQLDialect.literal(text))"
        }
        let table =
            sql.contains(" RENAME TO ") ? sql.split(separator: " ").last.map(String.init) : name(after: "CREATE TABLE ")
        guard let table, table.contains("~") else { return nil }
        return "COMMENT ON TABLE \(table) IS \(PostgreSQLDialect.literal(PostgreSQLNames.full(table)))"
    }

    /// Returns the schema of the extension with the operators of trigrams, which is created if it is missing.
    private func trigramSchema(_ link: PostgreSQLLink) throws(EngineError) -> String {
        func find() throws(EngineError) -> String? {
            try link.queue(
                PostgreSQLCatalogue.schema(ofExtension: PostgreSQLFunctions.trigramExtension), isWanted: true)
            let result = try link.exchange()
            defer { PQclear(result) }
            guard PQntuples(result) == 1 else { return nil }
            return PQgetvalue(result, 0, 0).map { String(cString: $0) }
        }
        if let schema = try find() { return schema }
        try link.queue("CREATE EXTENSION IF NOT EXISTS \(PostgreSQLFunctions.trigramExtension) SCHEMA public")
        return try find() ?? "public"
    }
}
