import AviaryDomain
import Foundation

/// A history in which one person made every commit.
struct HistoryOfOne: HistoryRepository {
    let author: String
    /// What was there before, by property name; nil where that is not kept any more.
    var before: [String: FieldValue]?
    /// Whether it knows anything at all.
    var isKept = true

    private var last: CommitSummary {
        CommitSummary(
            number: 9, changeSet: UUID(), author: author, time: Date(timeIntervalSince1970: 0), changes: 1, undoes: nil)
    }

    func values(of record: UUID, in model: String, asOf point: HistoryPoint) async throws -> EarlierValues? {
        before.map { EarlierValues(values: $0, secrets: [], commit: nil, last: last) }
    }

    func changes(of record: UUID, in model: String, before number: Int64?, limit: Int) async throws -> [RecordChange] {
        isKept ? [RecordChange(number: 1, commit: 9, model: model, record: record, kind: .update, fields: [:])] : []
    }

    func commit(_ number: Int64) async throws -> CommitSummary? { isKept ? last : nil }
    func commits(_ query: HistoryQuery) async throws -> [CommitSummary] { [] }
    func changes(of commit: Int64, models: Set<String>?, after number: Int64?, limit: Int) async throws
        -> [RecordChange]
    { [] }
    func tally(of commit: Int64, limit: Int?) async throws -> [ChangeTally] { [] }
    func outlines(
        of commits: [Int64], models: Set<String>, changes limit: Int, counting most: Int
    ) async throws -> [Int64: CommitOutline] { [:] }
    func undo(_ undo: Undo) async throws(StoreError) -> Receipt { throw .unavailable("a history that is only read") }
}
