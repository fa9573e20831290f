package import Foundation

/// A repository of the changes of records, as far back as the history policy keeps them.
package protocol HistoryRepository: Sendable {
    /// The commits that the query asks for, newest first.
    func commits(_ query: HistoryQuery) async throws -> [CommitSummary]

    /// The commit; nil when the history does not have it (any more).
    func commit(_ number: Int64) async throws -> CommitSummary?

    /// Returns the changes of a commit in their order; empty when the history does not have the commit, or no longer
    /// has it.
    ///
    /// - Parameters:
    ///   - models: The models whose changes to return; nil for all.
    ///   - number: The number of the change after which to begin: the end of the previous page.
    ///   - limit: The greatest number of changes.
    func changes(of commit: Int64, models: Set<String>?, after number: Int64?, limit: Int) async throws
        -> [RecordChange]

    /// Returns the changes of a commit, counted.
    ///
    /// - Parameter limit: The number of first changes to count; nil for all.
    func tally(of commit: Int64, limit: Int?) async throws -> [ChangeTally]

    /// Returns the changes of one record, newest first.
    ///
    /// - Parameters:
    ///   - number: The number of the change before which to begin: the end of the previous page.
    ///   - limit: The greatest number of changes.
    func changes(of record: UUID, in model: String, before number: Int64?, limit: Int) async throws -> [RecordChange]

    /// Each of these commits with the first of its changes and a tally, all as they are at one moment. Those that the
    /// history does not have (any more) are not among them.
    ///
    /// - Parameters:
    ///   - models: Only changes of records of these are told.
    ///   - limit: At most so many of each commit are told.
    ///   - most: At most so many of each commit are counted, the first.
    func outlines(
        of commits: [Int64], models: Set<String>, changes limit: Int, counting most: Int
    ) async throws -> [Int64: CommitOutline]

    /// Returns the differences of a record at a point of its history.
    ///
    /// The result is nil when the history does not reach back to the point, or when the record was inserted or deleted
    /// in between, because one state cannot be derived from the other then.
    func values(of record: UUID, in model: String, asOf point: HistoryPoint) async throws -> EarlierValues?

    /// Undoes a commit, by a commit of its own.
    ///
    /// - Throws: `StoreError.undoRefused` with the obstacles.
    func undo(_ undo: Undo) async throws(StoreError) -> Receipt
}

extension HistoryRepository {
    /// Returns the changes of a commit to records of any model.
    package func changes(of commit: Int64, after number: Int64?, limit: Int) async throws -> [RecordChange] {
        try await changes(of: commit, models: nil, after: number, limit: limit)
    }
}
