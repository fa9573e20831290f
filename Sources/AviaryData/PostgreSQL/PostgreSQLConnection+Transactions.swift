import AviaryDomain
import CPostgreSQL

/// The state of an open transaction.
struct PostgreSQLTransaction {
    /// The savepoint that the user of the connection has set.
    var savepoint: String?
    /// Indicates whether the savepoint of a piece of work is set in a transaction of several.
    var isInWorkSavepoint = false
    /// The turn of this connection's last transaction; nil if this one has taken none.
    var lastTurn: Int64?
    /// Indicates whether the transaction continues without the answers to its insertions.
    var assumesInsertions = false
    /// Indicates whether the transaction may have changed something.
    var hasWritten = false
    /// The insertions that have not been sent.
    var insertions = PostgreSQLInsertions()
    private var hadWritten = false

    mutating func setSavepoint(_ name: String?) {
        savepoint = name
        hadWritten = hasWritten
    }

    /// Forgets the insertions since the savepoint, before which the earlier ones were sent.
    mutating func returnToSavepoint() {
        hasWritten = hadWritten
        insertions.removeAll()
    }
}

extension PostgreSQLConnection {
    func beginReading() throws(EngineError) {
        guard !isInTransaction else { throw .misuse("a transaction is open", operation: "BEGIN") }
        let link = try requireLink("BEGIN")
        if link.bounds.areOver { throw .interrupted(before: "BEGIN") }
        try link.queue("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        if maskText != nil {
            // The writer drops this table, and the views of the mask with it, at the end of a long change. It waits for the end
            // of this transaction then. If it has dropped the table already, the mask in effect cannot be read, and is set anew.
            try link.queue("LOCK TABLE \(pendingTable) IN ACCESS SHARE MODE")
        }
        transaction = PostgreSQLTransaction()
    }

    func commit() throws(EngineError) {
        guard isInTransaction else { throw .misuse("no transaction is open", operation: "COMMIT") }
        let link = try requireLink("COMMIT")
        if role == .reader {
            // The answer to the end of a read is not awaited.
            try link.queue("COMMIT")
            link.flush()
            transaction = nil
            return
        }
        let hadFailed = link.hasFailedTransaction
        do throws(EngineError) {
            try sendInsertions(on: link)
            // A transaction that has changed nothing returns its turn, so that readers keep what they know.
            if let transaction, transaction.lastTurn != nil, !transaction.hasWritten, !hadFailed {
                PQclear(try link.exchange())
                if link.quietlyChangedRows == 0 { return try rollBack() }
            }
            try link.queue("COMMIT", isWanted: true)
            let result = try link.exchange()
            defer { PQclear(result) }
            transaction = nil
            // The server answers a COMMIT of a failed transaction with its rollback.
            guard !hadFailed, PQcmdStatus(result).map({ String(cString: $0) }) == "COMMIT" else {
                throw EngineError.misuse("the transaction had failed and was rolled back", operation: "COMMIT")
            }
        } catch {
            recover(from: error)
            throw error
        }
        guard !link.lastAnswerHasWarning else {
            // The server warns that the replicas have not confirmed the commit, in the language of its messages. The commit is
            // in the database, but a failover could lose it. The next COMMIT waits for the replicas again.
            throw EngineError(
                kind: .connectionLost, code: nil,
                message: "the server has committed with a warning, so that a failover could lose it",
                operation: "COMMIT")
        }
    }

    func rollBack() throws(EngineError) {
        guard isInTransaction else { throw .misuse("no transaction is open", operation: "ROLLBACK") }
        let link = try requireLink("ROLLBACK")
        if let last = transaction?.lastTurn { turn = last }
        transaction = nil
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
    func recover(from error: EngineError) {
        guard let link, link.isOpen else {
            transaction = nil
            return
        }
        if error.kind == .collision {
            awaitingTransactions = Self.awaitingAfterCollision
            // A savepoint can be older than the statement that has failed. ROLLBACK fails only if the connection is lost.
            _ = try? rollBack()
            return
        }
        guard let transaction, link.hasFailedTransaction else { return }
        self.transaction?.insertions.removeAll()
        let name = role == .reader ? (transaction.isInWorkSavepoint ? Self.workSavepoint : nil) : transaction.savepoint
        if let name, returnTo(name) { return }
        // A reader's transaction ends with its snapshot.
        if role == .reader { return }
        // ROLLBACK fails only if the connection is lost.
        _ = try? rollBack()
    }

    func returnTo(_ savepoint: String) -> Bool {
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
    /// The savepoint of a piece of work in the transaction of several.
    private static let workSavepoint = "aviary_work"

    func beginWork(within limit: Duration, unless cancellationToken: CancellationToken?) {
        link?.bounds.begin(limit: limit, cancellationToken: cancellationToken)
        guard let transaction, !transaction.isInWorkSavepoint else { return }
        // The work that fails must not end the snapshot of the others. An error is found by the work itself.
        let isSet = (try? link?.queue("SAVEPOINT \(Self.workSavepoint)")) != nil
        self.transaction?.isInWorkSavepoint = isSet
    }

    func endWork() {
        link?.bounds.end()
        guard transaction?.isInWorkSavepoint == true else { return }
        transaction?.isInWorkSavepoint = false
        try? link?.queue("RELEASE \(Self.workSavepoint)")  // an error is found by the next statement
    }

    private static let turnQuery = Query("SELECT turn FROM \(PostgreSQLStoreTable.name)")

    func commitNumber() throws -> Int64 {
        try firstRow(Self.turnQuery) { $0.integer(0) } ?? 0
    }

    func interrupter() -> any ConnectionInterrupter { link?.canceller ?? Canceller() }
}

extension PostgreSQLConnection: SharedDatabase {
    /// The number of transactions that await their insertions after a collision. Work that collides often, such as an import of
    /// rows that exist, is done twice only once in a while.
    private static let awaitingAfterCollision = 16

    func assumeInsertions() {
        guard awaitingTransactions == 0 else { return awaitingTransactions -= 1 }
        transaction?.assumesInsertions = true
    }

    func reconnect() throws {
        let last = process
        try open()
        // The next turn shows whether another writer, or this one's last COMMIT, has changed the store.
        if turn != nil { turn = -1 }
        try endLastProcess(last)
    }

    func keepOthersOut(for duration: Duration?) throws(EngineError) {
        guard let duration else { return try run(PostgreSQLStoreTable.release(by: holder)) }
        let milliseconds = Int64(duration / .milliseconds(1))
        try run(PostgreSQLStoreTable.hold(by: holder, forMilliseconds: milliseconds))
    }
}
