/// A connection to a store with its prepared statements. Used by one thread at a time.
///
/// What is above an engine knows this, ``Row`` and ``EngineError``, and nothing of the engine's own.
package protocol Connection: AnyObject {
    /// Of the store, for messages.
    var path: String { get }
    var dialect: any SQLDialect { get }
    /// False also after the engine rolled back by itself, as it may when the disk is full or fails.
    var isInTransaction: Bool { get }

    /// A prepared statement for the text; the same one each time, so one is never used inside its own loop.
    func statement(_ sql: String) throws(EngineError) -> any PreparedStatement
    /// As ``statement(_:)-(String)``, found without looking at the text. The query is kept, so that no other takes its place.
    func statement(_ query: Query) throws(EngineError) -> any PreparedStatement

    /// - Throws: ``StoreOpenError/notAStore(path:)``, ``StoreOpenError/unreadable(path:)``, ``EngineError``.
    func checkIsStore() throws
    /// As ``WriterConnection/markAsStore(layout:)`` left it.
    func layoutVersion() throws -> String
    func tableNames() throws -> [String]
    /// As the store has them, whatever it says of itself; empty for a table that is not there.
    func columnNames(ofTable table: String) throws -> [String]
    /// The tables that columns refer to, by the columns' names.
    func references(ofTable table: String) throws -> [String: String]
    /// Those that a statement created; not those that the engine keeps for a key.
    func indexes() throws -> [IndexDefinition]
    /// The statements that created them, by their names.
    func triggers() throws -> [String: String]

    /// Takes back everything of the open transaction. Nothing interrupts that, also where the connection's work has reached
    /// its end.
    func rollBack() throws(EngineError)

    /// Later calls fail with an error.
    func close()
}

/// An index as the store has it.
package struct IndexDefinition: Sendable, Hashable {
    package let name: String
    /// The statement that creates it.
    package let creation: String
}
