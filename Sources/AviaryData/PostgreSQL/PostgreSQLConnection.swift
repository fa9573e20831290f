import AviaryDomain
import CPostgreSQL
import Foundation

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
    /// The savepoint of a statement that can violate a constraint.
    private static let statementSavepoint = "aviary_statement"

    let address: PostgreSQLAddress
    /// The name of the schema, without quotes.
    private(set) var schema: String
    let role: Role
    let dialect: any SQLDialect = PostgreSQLDialect()
    private(set) var link: PostgreSQLLink?
    var maskText: String?
    /// The open transaction; nil if there is none.
    var transaction: PostgreSQLTransaction?
    /// The number of the session, in which statements are prepared.
    private(set) var session = 0
    /// The name under which this connection keeps other writers out, also after it was lost.
    let holder = UUID().canonicalText
    /// The server's process of the writer's session, by the text `process start`; nil if it is not known.
    private(set) var process: String?
    var lastName = 0
    private var statements: [String: PostgreSQLStatement] = [:]
    private var queries: [ObjectIdentifier: (query: Query, statement: PostgreSQLStatement)] = [:]
    /// The beginnings of assignments to columns with unique values, of all tables; nil if they are not known.
    var uniqueColumns: [String]?
    /// The last turn of a writer, see ``PostgreSQLStoreTable``; nil if there is no store yet.
    var turn: Int64?
    /// The number of transactions that await the answers to their insertions, because an insertion of an earlier one has failed.
    var awaitingTransactions = 0
    private let timelines: PostgreSQLTimelines
    /// The timeline of the server; nil if it is not known.
    private var timeline: PostgreSQLTimelines.Position?
    /// Returns the schema of the store with the path of a file.
    let schemaName: @Sendable (String) -> String

    init(
        _ address: PostgreSQLAddress, schema: String, role: Role,
        timelines: PostgreSQLTimelines = PostgreSQLTimelines(),
        schemaName: @escaping @Sendable (String) -> String = { _ in PostgreSQLEngine.standardSchema }
    ) throws {
        self.address = address
        self.schemaName = schemaName
        self.schema = schema
        self.role = role
        self.timelines = timelines
        try open()
    }

    deinit { close() }

    var isInTransaction: Bool { transaction != nil }

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
        transaction = nil
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
        process = try link.start(settings)
        try refuseFormerPrimary(link)
        self.link = link
    }

    /// - Throws: ``EngineError`` of the kind ``EngineError/Kind/connectionLost`` for a former primary, which is about to end the
    ///   connection.
    private func refuseFormerPrimary(_ link: PostgreSQLLink) throws(EngineError) {
        // A server that does not tell its timeline, or is a replica, is not compared.
        guard let text = try? link.firstText(PostgreSQLTimelines.Position.query),
            let position = PostgreSQLTimelines.Position(text)
        else { return timeline = nil }
        guard timelines.accept(position) else {
            throw EngineError(
                kind: .connectionLost, code: nil, message: "the server is a former primary", operation: "connect")
        }
        timeline = position
    }

    /// Indicates whether the connection is open, and not one to a former primary.
    var isUsable: Bool { link?.isAlive == true && timelines.isCurrent(timeline) }

    /// Ends the server's process of the last session if it has not noticed the loss of its connection. Its transaction is
    /// committed or rolled back then, and its locks are released.
    func endLastProcess(_ last: String?) throws {
        guard let last else { return }
        try run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
            WHERE pid || ' ' || backend_start = ? AND pid <> pg_backend_pid() AND usename = current_user
            """, .text(last))
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
                Self.unverifiedFunctions, "SET plan_cache_mode = force_generic_plan", Self.idleTransactionTimeout,
                "SET lock_timeout = '10s'", "SET tcp_keepalives_idle = 5", "SET tcp_keepalives_interval = 2",
                "SET tcp_keepalives_count = 3",
                "SELECT set_config('synchronous_commit', 'on', false) "
                    + "WHERE current_setting('synchronous_commit') IN ('off', 'local')",
                "SELECT pid || ' ' || backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()",
            ]
        case .builder: settings += [Self.unverifiedFunctions, "SET synchronous_commit = off"]
        }
        return settings.joined(separator: "; ")
    }

    /// The statement that creates functions without compiling them first. They are the same for each store, and the tests call
    /// each of them.
    private static let unverifiedFunctions = "SET check_function_bodies = off"

    /// The statement that ends the transaction of a host that has stopped, for which the others wait, unless the role has a
    /// shorter limit. The store itself pauses for less.
    private static let idleTransactionTimeout = """
        SELECT set_config(name, '20s', false) FROM pg_settings \
        WHERE name = 'idle_in_transaction_session_timeout' AND setting::bigint NOT BETWEEN 1 AND 20000
        """

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
            PostgreSQLText(sql, schema: PostgreSQLDialect.quoted(schema), isOfWriter: role == .writer), of: self)
    }

    /// Gives up what the server has prepared. Statements that are used again are prepared again.
    ///
    /// The names in a statement are then looked up again, too: the server does not notice that a temporary view precedes a
    /// table since.
    func forgetStatements() throws(EngineError) {
        statements.removeAll(keepingCapacity: true)
        session += 1
        do throws(EngineError) {
            // At once: the next statement may begin a transaction, which must be the first of its exchange.
            try link?.queue("DEALLOCATE ALL")
            PQclear(try link?.exchange())
        } catch {
            recover(from: error)
            throw error
        }
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
        let hadWritten = transaction?.hasWritten == true
        // A deletion from an own table often finds nothing. The commit finds out.
        if text.kind.writes, !(defers(text) && text.sql.hasPrefix("DELETE")) { transaction?.hasWritten = true }
        do throws(EngineError) {
            if gathers(text) {
                transaction?.insertions.add(statement, isAssumed: !text.concernsOwnTable)
                if transaction?.insertions.isFull == true {
                    try sendInsertions(on: link)
                    link.push()
                }
                return nil
            }
            if text.kind != .rollBack, text.kind != .rollBackToSavepoint { try sendInsertions(on: link) }
            switch text.kind {
            case .begin:
                guard !isInTransaction else { throw EngineError.misuse("a transaction is open", operation: text.sql) }
                try link.queue(text.sql)
                transaction = PostgreSQLTransaction()
                return nil
            case .commit:
                try commit()
                return nil
            case .rollBack:
                try rollBack()
                return nil
            case .savepoint:
                // Each has a name of its own. If an earlier statement has failed, this one is not set, and its name must not
                // lead to the savepoint of an earlier job.
                let name = "savepoint_" + newName()
                try link.queue("SAVEPOINT \(name)")
                transaction?.setSavepoint(name)
                return nil
            case .release:
                if let name = transaction?.savepoint { try link.queue("RELEASE \(name)") }
                transaction?.savepoint = nil
                return nil
            case .rollBackToSavepoint:
                guard let name = transaction?.savepoint else {
                    throw EngineError.misuse("no savepoint is set", operation: text.sql)
                }
                try link.queue("ROLLBACK TO \(name)")
                transaction?.returnToSavepoint()
                return try link.exchange()
            case .definition: return try define(text.sql, on: link)
            case .reading: return try read(statement, on: link)
            case .insertion: return try insert(statement, on: link)
            case .writing:
                if try setsUniqueValue(text) { return try runBehindSavepoint(statement, on: link) }
                if defers(text) {
                    try queue(statement, on: link, isWanted: false)
                    return nil
                }
                return try run(statement, on: link)
            }
        } catch {
            transaction?.hasWritten = hadWritten
            recover(from: error)
            throw error
        }
    }

    /// Indicates whether nobody needs the answer to a statement before the next one: it cannot violate a constraint.
    private func defers(_ text: PostgreSQLText) -> Bool {
        role == .writer && text.concernsOwnTable && isInTransaction
    }

    /// Indicates whether nobody needs the answer to an insertion, so that it is sent together with others.
    private func gathers(_ text: PostgreSQLText) -> Bool {
        text.kind == .insertion && (defers(text) || transaction?.assumesInsertions == true)
    }

    private func run(_ statement: PostgreSQLStatement, on link: PostgreSQLLink) throws(EngineError) -> OpaquePointer? {
        if statement.readsInPieces, isInTransaction { return try openCursor(of: statement, on: link) }
        try queue(statement, on: link, isWanted: true)
        return try link.exchange()
    }

    /// Runs a statement that reads. A value of a type with which its column cannot be compared, such as that of another list's
    /// cursor, becomes a null: it equals no stored value, and is before or after none.
    private func read(_ statement: PostgreSQLStatement, on link: PostgreSQLLink) throws(EngineError) -> OpaquePointer? {
        // A statement that the server has prepared for these types does not fail so.
        guard role == .reader, !statement.readsInPieces, knownPreparation(of: statement) == nil else {
            return try run(statement, on: link)
        }
        do throws(EngineError) {
            return try runBehindSavepoint(statement, on: link)
        } catch {
            guard error.isOfTypes, !link.hasFailedTransaction,
                try statement.parameters.clearValues(unfitFor: parameterTypes(of: statement, on: link))
            else { throw error }
            return try run(statement, on: link)
        }
    }

    /// Returns the types that the server infers for the parameters of a statement.
    func parameterTypes(of statement: PostgreSQLStatement, on link: PostgreSQLLink) throws(EngineError)
        -> [UInt32]
    {
        let types = statement.parameters.types.map { _ in PostgreSQLType.inferred }
        let preparation = PostgreSQLPreparation(name: newName(), session: session, types: types)
        return try inferTypes(of: preparation, statement, on: link)
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
            if error.kind != .collision, link.isOpen, link.hasFailedTransaction, returnTo(Self.statementSavepoint) {
                try link.queue("RELEASE \(Self.statementSavepoint)")
            }
            throw error
        }
    }

    func queue(
        _ statement: PostgreSQLStatement, on link: PostgreSQLLink, isWanted: Bool
    ) throws(EngineError) {
        let name = try prepare(statement, on: link)
        try link.queueExecution(name, statement.text.sql, statement.parameters, isWanted: isWanted)
    }
}
