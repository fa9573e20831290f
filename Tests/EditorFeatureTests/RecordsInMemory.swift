import AviaryDomain
import Foundation

/// Takes what an editor saves, or answers with the refusal that a test laid ready.
actor RecordsInMemory: RecordRepository {
    nonisolated let schema: ModelSchema = animalSchema
    private(set) var submissions: [RecordSubmission] = []
    private let refusal: StoreError?

    init(refusal: StoreError? = nil) {
        self.refusal = refusal
    }

    func save(_ submission: RecordSubmission) async throws(StoreError) -> Receipt {
        submissions.append(submission)
        if let refusal { throw refusal }
        return Receipt(changeSet: submission.draft, commit: 1, isRepeat: false)
    }

    func fetchAll() async throws -> [Record] { [] }
    func page(_ request: PageRequest) async throws -> Page { Page(records: [], previous: nil, next: nil, total: 0) }
    func find(_ id: UUID) async throws -> Record? { nil }
    func first(where property: String, equals value: FieldValue) async throws -> Record? { nil }
    func choices(limit: Int) async throws -> [RecordChoice] { [] }
    func count() async throws -> Int { 0 }
    func deletePlan(for ids: [UUID]) async throws -> DeletePlan { DeletePlan(requested: 0, cascades: [:], nullifies: [:]) }

    func delete(ids: [UUID], as deletion: Deletion) async throws(StoreError) -> Receipt {
        throw .unavailable("an editor deletes nothing")
    }
}
