/// The one connection that writes to a store.
///
/// A statement that fails undoes itself, and the transaction goes on: an engine that gives up the transaction instead sets a
/// savepoint of its own before each. ``Connection/isInTransaction`` tells when even that was not possible.
package protocol WriterConnection: Connection {
    /// Whether a COMMIT now would fail because a reference points nowhere.
    var hasDanglingReferences: Bool { get }
    /// What a job is told when the engine gave up the whole transaction and did not say why.
    var transactionLost: EngineError { get }

    /// Whether there is nothing yet.
    func isEmpty() throws -> Bool
    /// Makes it a store, with this layout of the tables that the store keeps for itself.
    func markAsStore(layout version: Int) throws
    /// Lets the body, outside of a transaction, replace whole tables that others refer to. Whether all references are
    /// there in the end is its own to see to: ``missingReference()``.
    func withoutReferenceChecks<T>(_ body: () throws -> T) throws -> T
    /// The first reference that points nowhere, in a store that was written without checks.
    func missingReference() throws -> MissingReference?
    /// Takes over everything of the other store, in one transaction: readers see all of it or nothing.
    func replaceContents(byThoseOf source: any WriterConnection) throws(EngineError)

    // Where pages of the file cannot be read, without reading what is given up. To be called in a transaction.

    /// Makes all indexes of the table anew, from its rows.
    func rebuildIndexes(ofTable table: String) throws
    /// Gives up the table of this name, and those and the triggers whose names begin with it and a dot.
    func forgetTables(beginningWith name: String) throws

    // The log, for an engine that keeps one beside its file and leaves it to its user to copy it. For any other the log
    // is always empty.

    /// From now on nothing is copied unless ``checkpoint()`` or ``truncateLog()`` is called, so that errors are seen.
    func takeOverCheckpoints()
    /// How large the log is, in pages; followed since ``takeOverCheckpoints()``.
    var logPages: Int { get }
    /// Copies what readers allow, without waiting for them.
    func checkpoint() throws(EngineError) -> CheckpointProgress
    /// Copies everything and empties the log; a reader in the way is an error of kind `busy`.
    @discardableResult
    func truncateLog() throws(EngineError) -> CheckpointProgress

    // What keeps a store small and its queries quick, for an engine that does not do it by itself. Each call is one short
    // transaction of its own.

    /// The analyses that the engine holds due, in its own words: what it knows of a table's sizes is missing or far off.
    ///
    /// - Parameter all: Also of tables that this connection did not use.
    func dueAnalyses(all: Bool) throws -> [String]
    /// - Parameter analysis: One of ``dueAnalyses(all:)``.
    func analyze(_ analysis: String) throws(EngineError)
    /// Pages of the file, and how many of them hold nothing.
    func pageCounts() throws -> (all: Int, free: Int)
    /// Lets the file end earlier, by so many pages that hold nothing. It gets shorter with the next complete checkpoint.
    func giveBackPages(atMost count: Int) throws(EngineError)
}

/// A reference that points nowhere.
package struct MissingReference: Sendable, Hashable {
    package let model: String
    /// Nil when the store does not tell.
    package let property: String?
    /// As ``SQLDialect/rowNumber``.
    package let row: Int
}

/// How far the log was copied into the file, in pages.
package struct CheckpointProgress: Sendable {
    package let logPages: Int
    package let copiedPages: Int

    package var isComplete: Bool { copiedPages == logPages }
}

/// A connection that only reads, each work of which has an end.
package protocol ReaderConnection: Connection {
    /// Work that goes on for longer, or that nobody waits for any more, ends with an error of kind `interrupted`. Each
    /// work has an interruption of its own: one that comes late cannot hit what the connection does next.
    func beginWork(within limit: Duration, unless interruption: Interruption?)
    func endWork()

    /// Returns an interrupter for a connection that does one piece of work only. The interrupt affects whatever the
    /// connection does at that moment.
    func interrupter() -> any ConnectionInterrupter

    // Each check looks at a part of the store in a read transaction of its own, so that nothing holds back a store that
    // goes on. What they return is what is wrong.

    /// All that is stored, without comparing indexes with their tables.
    func quickCheck() throws -> [String]
    /// The table, and whether each of its indexes holds the same.
    func integrityCheck(ofTable table: String) throws -> [String]
    /// Rows that refer to nothing.
    func referenceCheck(ofTable table: String) throws -> [String]
}

/// Interrupts what a connection does, from any thread.
package protocol ConnectionInterrupter: Sendable {
    func interrupt()
    /// Detaches the interrupter. Call it before the connection closes.
    func detach()
}
