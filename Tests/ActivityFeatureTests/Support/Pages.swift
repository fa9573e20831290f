import AviaryData
import AviaryDesign
import AviaryDomain
import Foundation

@testable import ActivityFeature

extension Component {
    /// The page's HTML.
    var html: String {
        var html = HTML()
        html.render(self)
        return String(decoding: html.bytes, as: UTF8.self)
    }

    /// The readable text of the page, with single spaces.
    var words: String {
        html.replacing(/<svg.*?<\/svg>/, with: "").replacing(/<[^>]+>/, with: " ").replacing(/\s+/, with: " ")
            .replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }
}

extension ActivityFixture {
    func activity(
        _ query: String = "", _ role: Role = .admin, as name: String = "ada", history: (any HistoryRepository)? = nil
    ) async throws -> ActivityViewModel {
        var model = try ActivityViewModel(
            query: try ActivityQuery(FormEncoding.decode(query.utf8)), scope: scope(role, as: name), policy: policy,
            history: history ?? self.history, at: now
        )
        await model.load()
        return model
    }

    func page(_ query: String = "", _ role: Role = .admin) async throws -> ActivityView {
        ActivityView(model: try await activity(query, role), csrf: "token")
    }

    func recordHistory<M: Model>(
        _ model: M, _ role: Role = .admin, before: Int64? = nil, history: (any HistoryRepository)? = nil
    ) async throws -> RecordHistoryViewModel {
        var model = try RecordHistoryViewModel(
            model.id.uuid, model: M.schema.slug, before: before, scope: scope(role), policy: policy,
            history: history ?? self.history, at: now
        )
        await model.load()
        return model
    }
}

/// A history whose first commits are from before a migration that rewrote values.
struct MigratedHistory: HistoryRepository {
    let base: SQLHistoryRepository
    /// The last commit before the migration.
    let barrier: Int64

    func undoBarrier() async throws -> Int64 { barrier }

    func commits(_ query: HistoryQuery) async throws -> [CommitSummary] { try await base.commits(query) }
    func commit(_ number: Int64) async throws -> CommitSummary? { try await base.commit(number) }
    func changes(of commit: Int64, models: Set<String>?, after number: Int64?, limit: Int) async throws
        -> [RecordChange]
    {
        try await base.changes(of: commit, models: models, after: number, limit: limit)
    }
    func tally(of commit: Int64, limit: Int?) async throws -> [ChangeTally] {
        try await base.tally(of: commit, limit: limit)
    }
    func changes(of record: UUID, in model: String, before number: Int64?, limit: Int) async throws -> [RecordChange] {
        try await base.changes(of: record, in: model, before: number, limit: limit)
    }
    func outlines(
        of commits: [Int64], models: Set<String>, changes limit: Int, counting most: Int
    ) async throws -> [Int64: CommitOutline] {
        try await base.outlines(of: commits, models: models, changes: limit, counting: most)
    }
    func values(of record: UUID, in model: String, asOf point: HistoryPoint) async throws -> PreviousValues? {
        try await base.values(of: record, in: model, asOf: point)
    }
    func undo(_ undo: Undo) async throws(StoreError) -> Receipt { try await base.undo(undo) }
}

/// A history that cannot be read.
struct BrokenHistory: HistoryRepository {
    func commits(_ query: HistoryQuery) async throws -> [CommitSummary] { throw ReadError.storeBusy }
    func commit(_ number: Int64) async throws -> CommitSummary? { throw ReadError.storeBusy }
    func changes(of commit: Int64, models: Set<String>?, after number: Int64?, limit: Int) async throws
        -> [RecordChange]
    {
        throw ReadError.storeBusy
    }
    func tally(of commit: Int64, limit: Int?) async throws -> [ChangeTally] { throw ReadError.storeBusy }
    func changes(of record: UUID, in model: String, before number: Int64?, limit: Int) async throws -> [RecordChange] {
        throw ReadError.storeBusy
    }
    func outlines(
        of commits: [Int64], models: Set<String>, changes limit: Int, counting most: Int
    ) async throws -> [Int64: CommitOutline] { throw ReadError.storeBusy }
    func values(of record: UUID, in model: String, asOf point: HistoryPoint) async throws -> PreviousValues? {
        throw ReadError.storeBusy
    }
    func undoBarrier() async throws -> Int64 { throw ReadError.storeBusy }
    func undo(_ undo: Undo) async throws(StoreError) -> Receipt { throw .unavailable("it is away") }
}
