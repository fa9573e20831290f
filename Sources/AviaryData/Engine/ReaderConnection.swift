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
