package import Foundation

/// A repository of the changes of records, as far back as the history policy keeps them.
package protocol HistoryRepository: Sendable {
    /// Returns the commits that match the query, newest first.
    func commits(_ query: HistoryQuery) async throws -> [CommitSummary]

    /// Returns a commit; nil when the history does not have it, or no longer has it.
    func commit(_ number: Int64) async throws -> CommitSummary?

    /// Returns the changes of a commit in their order; empty when the history does not have the commit, or no longer
    /// has it.
    ///
    /// - Parameters:
    ///   - commit: The number of the commit.
    ///   - models: The models whose changes to return; nil for all.
    ///   - number: The number of the change after which to begin: the end of the previous page.
    ///   - limit: The greatest number of changes.
    func changes(of commit: Int64, models: Set<String>?, after number: Int64?, limit: Int) async throws
        -> [RecordChange]

    /// Returns the counts of a commit's changes.
    ///
    /// - Parameters:
    ///   - commit: The number of the commit.
    ///   - limit: The number of first changes to count; nil for all.
    func tally(of commit: Int64, limit: Int?) async throws -> [ChangeTally]

    /// Returns the changes of one record, newest first.
    ///
    /// - Parameters:
    ///   - number: The number of the change before which to begin: the end of the previous page.
    ///   - limit: The greatest number of changes.
    func changes(of record: UUID, in model: String, before number: Int64?, limit: Int) async throws -> [RecordChange]

    /// Returns the first changes and the counts of several commits, read from one snapshot of the store.
    ///
    /// The result does not contain commits that the history does not have, or no longer has.
    ///
    /// - Parameters:
    ///   - commits: The numbers of the commits.
    ///   - models: The models whose changes to return.
    ///   - limit: The greatest number of changes to return for each commit.
    ///   - most: The greatest number of changes to count for each commit, from its first.
    func outlines(
        of commits: [Int64], models: Set<String>, changes limit: Int, counting most: Int
    ) async throws -> [Int64: CommitOutline]

    /// Returns the differences of a record at a point of its history.
    ///
    /// The result is nil when the history does not reach back to the point, or when the record was inserted or deleted
    /// in between, because one state cannot be derived from the other then.
    func values(of record: UUID, in model: String, asOf point: HistoryPoint) async throws -> PreviousValues?

    /// Returns the number of the newest commit from before stored values were rewritten, by a migration or a repair; 0
    /// if there is none. Neither this commit nor an earlier one can be undone, because the history contains values that
    /// no longer fit.
    func undoBarrier() async throws -> Int64

    /// Undoes a commit by another commit.
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

extension HistoryRepository {
    /// Returns all commits of a series that the history has, newest first.
    package func commits(of series: ChangeSetSeries) async throws -> [CommitSummary] {
        let pageSize = 1000
        // The clocks of two processes may differ by a minute.
        let time = min(series.start.addingTimeInterval(-60), .distantFuture)..<Date.distantFuture
        var found: [CommitSummary] = []
        var before: Int64?
        while true {
            let page = try await commits(HistoryQuery(time: time, before: before, limit: pageSize))
            found += page.filter { series.contains($0.changeSet) }
            guard page.count == pageSize, let last = page.last else { return found }
            before = last.number
        }
    }

    /// Returns the commits that are undone and were not redone.
    ///
    /// The method reads only as many of the newest commits as the time for one page permits. Commits whose outcome
    /// it does not find count as not undone.
    package func undoneCommits(of commits: [Int64]) async throws -> Set<Int64> {
        guard let oldest = commits.min() else { return [] }
        // The first page is small, because most callers ask for the newest commits.
        let pageSizes = [100] + Array(repeating: 1000, count: 10)
        var undoneCommits: Set<Int64> = []
        var before: Int64?
        for pageSize in pageSizes {
            let page = try await self.commits(HistoryQuery(before: before, limit: pageSize))
            // Begin with the newest: an undo that was itself undone has no effect.
            for commit in page where !undoneCommits.contains(commit.number) {
                if let undone = commit.undoes { undoneCommits.insert(undone) }
            }
            guard page.count == pageSize, let last = page.last?.number, last > oldest else { break }
            before = last
        }
        return undoneCommits.intersection(commits)
    }
}

/// The conditions of the commits to list, newest first.
package struct HistoryQuery: Sendable, Hashable {
    package var record: UUID?
    /// The names of models; each commit changed at least one record of them. Nil for all commits.
    package var models: Set<String>?
    package var author: String?
    /// The period of the commits. The end is exclusive.
    package var time: Range<Date>?
    /// The number of the commit before which to begin: the end of the previous page.
    package var before: Int64?
    package var limit: Int

    package init(
        record: UUID? = nil, models: Set<String>? = nil, author: String? = nil, time: Range<Date>? = nil,
        before: Int64? = nil, limit: Int = 50
    ) {
        self.record = record
        self.models = models
        self.author = author
        self.time = time
        self.before = before
        self.limit = limit
    }
}

/// The author, the time and the size of a commit.
package struct CommitSummary: Sendable, Hashable {
    package let number: Int64
    package let changeSet: UUID
    package let author: String
    package let time: Date
    /// The number of records that the commit changed, including those that delete rules deleted.
    package let changes: Int
    /// The number of the commit that this one undoes.
    package let undoes: Int64?

    package init(number: Int64, changeSet: UUID, author: String, time: Date, changes: Int, undoes: Int64?) {
        self.number = number
        self.changeSet = changeSet
        self.author = author
        self.time = time
        self.changes = changes
        self.undoes = undoes
    }
}

/// A commit with its first changes, and the number of changes of each kind.
package struct CommitOutline: Sendable, Hashable {
    package let commit: CommitSummary
    /// The first changes of the requested models.
    package let changes: [RecordChange]
    /// The counts of the first changes, up to the requested number, of all models.
    package let tally: [ChangeTally]
    /// Indicates whether the requested models may have further changes, beyond the counted ones or among them.
    package let hasMore: Bool

    package init(commit: CommitSummary, changes: [RecordChange], tally: [ChangeTally], hasMore: Bool) {
        self.commit = commit
        self.changes = changes
        self.tally = tally
        self.hasMore = hasMore
    }
}

/// A repository of figures about many records. They take longer than the response time of a page, so callers cache
/// them.
package protocol StatisticsRepository: Sendable {
    /// Returns the number of changes in the history in each of several periods, by model.
    ///
    /// - Parameters:
    ///   - models: The names of the models.
    ///   - times: The bounds of the periods in ascending order, one more than there are periods.
    func changes(of models: Set<String>, between times: [Date]) async throws -> [String: [Int]]

    /// Returns the number of records of the model with each value of a property.
    ///
    /// - Parameters:
    ///   - property: The name of the property.
    ///   - model: The name of the model.
    ///   - limit: The greatest number of values, the most frequent first.
    func distribution(of property: String, in model: String, limit: Int) async throws -> [ValueCount]
}

/// The number of records that have a value.
package struct ValueCount: Sendable, Hashable {
    package let value: FieldValue
    package let count: Int

    package init(value: FieldValue, count: Int) {
        self.value = value
        self.count = count
    }
}
