import Testing

@testable import AviaryData

/// The engine that the tests run with.
enum TestEngine {
    static let isPostgreSQL = StoreEngines.standard is PostgreSQLEngine
}

extension Trait where Self == ConditionTrait {
    /// A condition for a test of something that only the engine with a file has.
    ///
    /// - Parameter reason: What it is, as the end of a sentence.
    static func onlySQLite(_ reason: String) -> Self {
        .enabled(if: !TestEngine.isPostgreSQL, "Only SQLite has \(reason).")
    }
}
