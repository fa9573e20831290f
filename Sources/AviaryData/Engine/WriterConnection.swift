/// The single connection that writes to a store.
///
/// A statement that fails undoes its own changes, and the transaction continues. An engine that would abort the
/// transaction instead sets a savepoint before each statement. ``Connection/isInTransaction`` is false if even that
/// was not possible.
package protocol WriterConnection: Connection {
    /// Begins a transaction that may write from its first statement on.
    ///
    /// - Parameter changeSets: The ids of change sets that the transaction is to store.
    func beginWriting(of changeSets: [String]) throws(EngineError) -> WriteBeginning
    /// Indicates whether a COMMIT now would fail because of a dangling reference; nil if the engine does not check
    /// references, so that the store does.
    var hasDanglingReferences: Bool? { get }
    /// The error of a job if the engine rolled back the whole transaction without a reason.
    var transactionLost: EngineError { get }

    /// Indicates whether the file is still empty.
    func isEmpty() throws -> Bool
    /// Marks the file as a store.
    ///
    /// - Parameter version: The version of the layout of the store's own tables.
    func markAsStore(layout version: Int) throws
    /// Runs the body, outside of a transaction, without reference checks, so that it can replace tables that others
    /// refer to.
    ///
    /// The body must ensure with ``missingReference(in:)`` that no reference is dangling at the end.
    func withoutReferenceChecks<T>(_ body: () throws -> T) throws -> T
    /// Replaces everything with the contents of the other store in one step, and closes the connection to it.
    ///
    /// The replaced store remains as the store at another path, with all that was committed. If the process is killed, one of the
    /// two is the current store.
    ///
    /// - Parameter kept: The path at which the replaced store remains. Its directory exists, with a name that ends with a
    ///   unique id, and is empty.
    /// - Throws: ``FileError``; ``EngineError``. It is of the kind ``EngineError/Kind/busy`` if the writer of another host has committed since
    ///   this one's last transaction.
    func replaceContents(byThoseOf source: any WriterConnection, keepingReplacedAt kept: String) throws

    /// Removes the table of this name, and the tables and triggers whose names begin with it and a dot, without reading
    /// them. It must be called in a transaction.
    func forgetTables(beginningWith name: String) throws

    /// The file of the store; nil for an engine that keeps its files itself.
    var file: (any StoreFile)? { get }
    /// The database of the store, which writers of several hosts share; nil for an engine that permits only one writer.
    var database: (any SharedDatabase)? { get }
}

/// The facts that a connection finds when it begins a transaction.
package struct WriteBeginning {
    /// Indicates whether another writer, on another host, has committed since this one's last transaction. What the store
    /// remembers of its database is then outdated.
    var isOutdated = false
    /// The ids among those of the change sets that belong to a commit or to a discarded draft; nil if the engine does not look
    /// for them together, because none of its look-ups is a round trip to a server.
    var usedIDs: Set<String>?
}

extension WriterConnection {
    func beginWriting() throws(EngineError) -> WriteBeginning { try beginWriting(of: []) }

    /// Runs the body in a write transaction. All of its changes are committed, or none of them.
    ///
    /// A running store, which remembers parts of its database, uses ``Store/transaction(_:)`` instead.
    func transaction<T>(_ body: () throws -> T) throws -> T {
        _ = try beginWriting()
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            abandonTransaction()
            throw error
        }
    }
}

/// A database that writers of several hosts share, one at a time.
package protocol SharedDatabase: AnyObject {
    /// Connects again after an error of the kind ``EngineError/Kind/connectionLost``.
    ///
    /// The next ``WriterConnection/beginWriting(of:)`` waits until the transaction of the lost connection has ended.
    func reconnect() throws
    /// Keeps the writers of other hosts out, or no longer. It must be called in a transaction.
    ///
    /// Their ``WriterConnection/beginWriting(of:)`` fails with an error of the kind ``EngineError/Kind/busy`` meanwhile.
    ///
    /// - Parameter duration: The time after which they are let in by themselves; nil to let them in.
    func keepOthersOut(for duration: Duration?) throws(EngineError)
    /// Lets the open transaction continue without the answers to its insertions.
    ///
    /// If one of them fails, the transaction is undone, and this or a later call fails with an error of the kind
    /// ``EngineError/Kind/collision``. The same work can run again: the next transactions await the answers.
    func assumeInsertions()
}

/// The file of a store, for an engine that leaves the care of it to the store.
package protocol StoreFile: AnyObject {
    // These functions concern the write-ahead log.

    /// Disables automatic checkpoints, so that their errors are seen. Only ``checkpoint()`` and ``truncateLog()``
    /// copy the log from now on.
    func disableAutoCheckpoint()
    /// The size of the log in pages, tracked since ``disableAutoCheckpoint()``.
    var logPages: Int { get }
    /// Copies as much of the log as readers permit, without waiting for them.
    func checkpoint() throws(EngineError) -> CheckpointProgress
    /// Copies the log in the same way on another thread, while this connection commits. The other functions of the
    /// log wait for it.
    ///
    /// - Parameter completion: A function that is called on that thread.
    func checkpointConcurrently(_ completion: @escaping @Sendable (Result<CheckpointProgress, EngineError>) -> Void)
    /// Copies the whole log and truncates it. A reader that prevents this causes an error of kind `busy`.
    @discardableResult
    func truncateLog() throws(EngineError) -> CheckpointProgress

    // These functions keep the file small and its queries fast. Each call is a short transaction of its own.

    /// Returns the analyses that are due, in the engine's own words: a table's statistics are missing or outdated.
    ///
    /// - Parameter all: Indicates whether tables that this connection did not use are included.
    func dueAnalyses(all: Bool) throws -> [String]
    /// Runs an analysis.
    ///
    /// - Parameter analysis: An element of ``dueAnalyses(all:)``.
    func analyze(_ analysis: String) throws(EngineError)
    /// Returns the number of pages of the file and the number of those that are free.
    func pageCounts() throws -> (all: Int, free: Int)
    /// Removes free pages from the end of the file. The file becomes shorter with the next complete checkpoint.
    ///
    /// - Parameter count: The maximum number of pages.
    func incrementalVacuum(atMost count: Int) throws(EngineError)

    /// Rebuilds all indexes of the table from its rows, also if they have unreadable pages. It must be called in a
    /// transaction.
    func rebuildIndexes(ofTable table: String) throws
}

/// A dangling reference.
package struct MissingReference: Sendable, Hashable {
    package let model: String
    /// The property; nil if the store does not report it.
    package let property: String?
    /// The row's number, as in ``SQLDialect/rowNumber``.
    package let row: Int
}

/// The progress of a checkpoint, in pages.
package struct CheckpointProgress: Sendable {
    package let logPages: Int
    package let copiedPages: Int

    package var isComplete: Bool { copiedPages == logPages }
}

/// A connection that only reads, with a time limit for each piece of work.
package protocol ReaderConnection: Connection {
    /// Begins a piece of work, which fails with an error of kind `interrupted` after the time limit or an
    /// interruption.
    ///
    /// Each piece of work has an interruption of its own, so that a late one cannot affect the connection's next
    /// work.
    func beginWork(within limit: Duration, unless cancellationToken: CancellationToken?)
    func endWork()

    /// Indicates whether the connection can still be used, as far as is known without asking the engine.
    var isUsable: Bool { get }

    /// Returns a number that is different from an earlier one of this connection if another connection has committed
    /// since.
    func commitNumber() throws -> Int64

    /// Returns an interrupter for a connection that does one piece of work only. The interrupt affects any work of
    /// the connection at that moment.
    func interrupter() -> any ConnectionInterrupter

    /// The check of the store's file; nil for an engine that keeps its files itself.
    var fileCheck: (any StoreFileCheck)? { get }
}

/// A check of all that a store's file contains.
///
/// Each function reads a part of the store in a read transaction of its own, so that it does not block a store that
/// continues to write. The result is a list of problems.
package protocol StoreFileCheck: AnyObject {
    /// Checks all stored data, without comparing indexes with their tables.
    func quickCheck() throws -> [String]
    /// Checks a table and compares each of its indexes with it.
    func integrityCheck(ofTable table: String) throws -> [String]
    /// Returns the rows with dangling references.
    func referenceCheck(ofTable table: String) throws -> [String]
}

/// An interrupter of a connection's work, which any thread can call.
package protocol ConnectionInterrupter: Sendable {
    func interrupt()
    /// Detaches the interrupter. Call it before the connection closes.
    func detach()
}
