package import Foundation

/// What happened to the records, as far back as the policy keeps it.
package protocol HistoryRepository: Sendable {
    /// The commits that the query asks for, newest first.
    func commits(_ query: HistoryQuery) async throws -> [CommitSummary]

    /// The commit; nil when the history does not have it (any more).
    func commit(_ number: Int64) async throws -> CommitSummary?

    /// What a commit did, in the order in which it did it. Empty when the history does not have it (any more).
    ///
    /// - Parameters:
    ///   - models: Only changes of records of these; nil for all.
    ///   - number: Only changes after this one: where the page before ended.
    ///   - limit: At most so many.
    func changes(of commit: Int64, models: Set<String>?, after number: Int64?, limit: Int) async throws
        -> [RecordChange]

    /// What a commit did, counted.
    ///
    /// - Parameter limit: Only so many changes are counted, the first; nil for all.
    func tally(of commit: Int64, limit: Int?) async throws -> [ChangeTally]

    /// What was done to one record, newest first.
    ///
    /// - Parameters:
    ///   - number: Only changes before this one: where the page before ended.
    ///   - limit: At most so many.
    func changes(of record: UUID, in model: String, before number: Int64?, limit: Int) async throws -> [RecordChange]

    /// Each of these commits with the first of its changes and a tally, all as they are at one moment. Those that the history
    /// does not have (any more) are not among them.
    ///
    /// - Parameters:
    ///   - models: Only changes of records of these are told.
    ///   - limit: At most so many of each commit are told.
    ///   - most: At most so many of each commit are counted, the first.
    func outlines(
        of commits: [Int64], models: Set<String>, changes limit: Int, counting most: Int
    ) async throws -> [Int64: CommitOutline]

    /// What was different of a record at that point. Nil when the history does not reach back to it, or the record came or went
    /// in between: there is no way from one to the other.
    func values(of record: UUID, in model: String, asOf point: HistoryPoint) async throws -> EarlierValues?

    /// Takes the commit back, as a commit of its own.
    ///
    /// - Throws: `StoreError.undoRefused` with what stands against it.
    func undo(_ undo: Undo) async throws(StoreError) -> Receipt
}

extension HistoryRepository {
    /// What a commit did to records of any model.
    package func changes(of commit: Int64, after number: Int64?, limit: Int) async throws -> [RecordChange] {
        try await changes(of: commit, models: nil, after: number, limit: limit)
    }
}
