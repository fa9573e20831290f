/// What keeps a file small and its queries quick. Each call is one short transaction of its own.
extension Connection {
    /// How many entries of an index one ``analyze(_:)`` reads, at most: a few milliseconds for a table, whatever its size.
    private static let analysisLimit = 400

    func limitAnalyses() throws {
        try set("analysis_limit", to: String(Self.analysisLimit))
    }

    /// The analyses that SQLite holds due: what it knows of a table's sizes is missing or far off, and this connection's
    /// statements rest on it.
    ///
    /// - Parameter all: Also tables that this connection did not use; SQLite before 3.46 overlooks them all the same.
    func dueAnalyses(all: Bool) throws -> [String] {
        // 2: analyse; 1: only tell what would be done, so that each can be a step of its own; 0x10000: all tables.
        try rows("PRAGMA optimize(\(all ? 0x10003 : 3))") { $0.text(0) ?? "" }.filter { $0.hasPrefix("ANALYZE ") }
    }

    /// - Parameter analysis: One of ``dueAnalyses(all:)``.
    func analyze(_ analysis: String) throws(SQLiteError) {
        try run(analysis)
    }

    /// Pages of the file, and how many of them hold nothing.
    func pageCounts() throws -> (all: Int, free: Int) {
        (Int(try pragma("page_count")) ?? 0, Int(try pragma("freelist_count")) ?? 0)
    }

    /// Moves what lies at the end of the file into free pages, which lets the file end earlier. It gets shorter with the
    /// next complete checkpoint.
    func giveBackPages(atMost count: Int) throws(SQLiteError) {
        try run("PRAGMA incremental_vacuum(\(count))")
    }
}
