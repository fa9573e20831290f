/// What happened to the records, as far back as the policy keeps it.
package protocol HistoryRepository: Sendable {
    /// The commits that the query asks for, newest first.
    func commits(_ query: HistoryQuery) async throws -> [CommitSummary]

    /// What a commit did, in the order in which it did it. Empty when the history does not have it (any more).
    ///
    /// - Parameters:
    ///   - number: Only changes after this one: where the page before ended.
    ///   - limit: At most so many.
    func changes(of commit: Int64, after number: Int64?, limit: Int) async throws -> [RecordChange]

    /// Takes the commit back, as a commit of its own.
    ///
    /// - Throws: `StoreError.undoRefused` with what stands against it.
    func undo(_ undo: Undo) async throws(StoreError) -> Receipt
}
