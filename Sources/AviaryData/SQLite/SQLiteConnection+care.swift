extension SQLiteConnection {
    /// The greatest number of entries of an index that one ``analyze(_:)`` reads: a few milliseconds for a table of any
    /// size.
    private static let analysisLimit = 400

    func limitAnalyses() throws {
        try set("analysis_limit", to: String(Self.analysisLimit))
    }

    /// SQLite before 3.46 overlooks tables that this connection did not use all the same.
    func dueAnalyses(all: Bool) throws -> [String] {
        // 2: analyse; 1: only tell what would be done, so that each can be a step of its own; 0x10000: all tables.
        try rows("PRAGMA optimize(\(all ? 0x10003 : 3))") { $0.text(0) ?? "" }.filter { $0.hasPrefix("ANALYZE ") }
    }

    func analyze(_ analysis: String) throws(EngineError) {
        try run(analysis)
    }

    func pageCounts() throws -> (all: Int, free: Int) {
        (Int(try pragma("page_count")) ?? 0, Int(try pragma("freelist_count")) ?? 0)
    }

    /// Moves what lies at the end of the file into free pages.
    func giveBackPages(atMost count: Int) throws(EngineError) {
        try run("PRAGMA incremental_vacuum(\(count))")
    }
}
