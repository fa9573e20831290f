import AviaryDomain
import Foundation

/// A repository that records what an editor saves, or fails with the error that a test configures.
actor RecordsInMemory: RecordRepository {
    nonisolated let schema: ModelSchema
    private(set) var submissions: [RecordSubmission] = []
    private let refusal: StoreError?
    private let records: [Record]
    /// The number of reads.
    private(set) var reads = 0
    /// The links of every record in every property.
    private(set) var linked: RelatedSummary

    init(
        refusal: StoreError? = nil, schema: ModelSchema = animalSchema, records: [Record] = [],
        linked: RelatedSummary = .none
    ) {
        self.refusal = refusal
        self.schema = schema
        self.records = records
        self.linked = linked
    }

    func set(linked: RelatedSummary) { self.linked = linked }

    func save(_ submission: RecordSubmission) async throws(StoreError) -> Receipt {
        submissions.append(submission)
        if let refusal { throw refusal }
        return Receipt(changeSet: submission.draft, commit: 1, isRepeat: false)
    }

    func fetchAll() async throws -> [Record] { [] }
    func page(_ request: PageRequest) async throws -> Page { Page(records: [], previous: nil, next: nil, total: 0) }
    func find(_ id: UUID) async throws -> Record? {
        reads += 1
        return records.first { $0.id == id }
    }

    /// Returns the records with a requested identifier or value.
    func fetch(_ query: RecordQuery) async throws -> [Record] {
        reads += 1
        let found = records.filter { record in
            switch query.condition {
            case .isMember(.id, let ids): ids.contains(record.id.fieldValue)
            case .equal(.property(let name), .constant(let value)): record.value(name, in: schema) == value
            default: query.condition == nil
            }
        }
        return Array(found.prefix(query.limit ?? .max))
    }

    func identifiers(_ query: RecordQuery) async throws -> [UUID] { [] }
    func ids(where values: [String: FieldValue], limit: Int) async throws -> [UUID] {
        Array(
            records.filter { record in values.allSatisfy { record.value($0.key, in: schema) == $0.value } }.map(\.id)
                .prefix(limit))
    }

    func choices(limit: Int) async throws -> [RecordChoice] { [] }
    func choices(matching text: String, limit: Int) async throws -> ChoiceMatches {
        ChoiceMatches(choices: [], isComplete: true)
    }
    func choices(of ids: [UUID]) async throws -> [RecordChoice] { [] }
    func related(to ids: [UUID], by property: String, limit: Int) async throws -> [UUID: RelatedSummary] {
        Dictionary(ids.map { ($0, linked) }, uniquingKeysWith: { first, _ in first })
    }

    func count() async throws -> Int { 0 }
    func deletePlan(for ids: [UUID]) async throws -> DeletePlan {
        DeletePlan(requested: 0, cascades: [:], nullifies: [:])
    }

    func delete(ids: [UUID], as deletion: Deletion) async throws(StoreError) -> Receipt {
        throw .unavailable("an editor deletes nothing")
    }
}

/// A history in which one person made every commit.
struct HistoryOfOne: HistoryRepository {
    let author: String
    /// The earlier values by property name; nil if they are no longer kept.
    var before: [String: FieldValue]?
    /// Indicates whether the history contains anything.
    var isKept = true

    private var last: CommitSummary {
        CommitSummary(
            number: 9, changeSet: UUID(), author: author, time: Date(timeIntervalSince1970: 0), changes: 1, undoes: nil)
    }

    func values(of record: UUID, in model: String, asOf point: HistoryPoint) async throws -> PreviousValues? {
        before.map { PreviousValues(values: $0, secrets: [], commit: nil, last: last) }
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
    func undoBarrier() async throws -> Int64 { 0 }
    func undo(_ undo: Undo) async throws(StoreError) -> Receipt { throw .unavailable("a history that is only read") }
}
