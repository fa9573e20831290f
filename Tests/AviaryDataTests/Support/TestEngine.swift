import Testing

@testable import AviaryData

/// The engine that the tests run with.
enum TestEngine {
    static let isPostgreSQL = StoreEngines.standard is PostgreSQLEngine
    /// The number of copies that a migration makes which rewrites records. The other engine keeps no files to copy.
    static let safetyCopies = isPostgreSQL ? 0 : 1

    /// Returns a text as the search table contains it.
    static func indexed(_ text: String) -> String { isPostgreSQL ? text : text + "ZZ" }
}

extension Trait where Self == ConditionTrait {
    /// A condition for a test of what several hosts share, or of a connection to a server.
    static var onlyPostgreSQL: Self {
        .enabled(if: TestEngine.isPostgreSQL, "Only PostgreSQL has connections and several hosts.")
    }

    /// A condition for a test of something that only the engine with a file has.
    ///
    /// - Parameter reason: What it is, as the end of a sentence.
    static func onlySQLite(_ reason: String) -> Self {
        .enabled(if: !TestEngine.isPostgreSQL, "Only SQLite has \(reason).")
    }
}
