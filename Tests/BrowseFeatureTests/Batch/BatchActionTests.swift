import Foundation
import TestSupport
import Testing

@testable import AviaryDomain
@testable import BrowseFeature

@Suite("Custom batch actions are applied exactly once")
struct BatchActionTests {
    private let all = (0..<20).map { category("\($0)") }.sorted { $0.id.canonicalText < $1.id.canonicalText }

    private func list() throws -> ListViewModel {
        try ListViewModel(
            configuration: categories, query: ListQuery(sort: ListOrder(property: "name", direction: .ascending)),
            repository: RecordsInMemory(categorySchema, all), principal: .ada
        )
    }

    /// Submits each form until it succeeds. The store loses as many responses as it is configured to.
    private func run(_ store: CountingStore) async throws -> BatchProgress {
        let list = try list()
        var progress = BatchProgress()
        for _ in 0..<100 {
            let part = try await list.nextPart(progress)
            guard !part.isEmpty else { return progress }
            let step = try await list.step(
                .count, on: part, from: progress, records: store, within: Patience.bound,
                isGood: { true })
            progress = step.progress
        }
        Issue.record("It does not end.")
        return progress
    }

    @Test("Every record is changed except those that the store rejects")
    func refused() async throws {
        let store = CountingStore(refusing: [all[3].id, all[19].id])
        let progress = try await run(store)
        #expect(progress.done == 18)
        #expect(progress.refused == 2)
        #expect(await store.times.values.allSatisfy { $0 == 1 })
        #expect(await store.times.count == 18)
    }

    @Test("A store failure in the middle of a batch changes no record twice")
    func lostInBetween() async throws {
        let store = CountingStore(refusing: [all[19].id], failingAt: [2, 3])
        let progress = try await run(store)
        #expect(progress.done == 19)
        #expect(await store.times.values.allSatisfy { $0 == 1 })
        #expect(await store.times.count == 19)
    }

    @Test("A lost response after a commit changes no record twice", arguments: 1...8)
    func lostAnswer(commit: Int) async throws {
        let store = CountingStore(refusing: [all[7].id], unansweredAt: [commit])
        _ = try await run(store)
        #expect(await store.times.values.allSatisfy { $0 == 1 })
        #expect(await store.times.count == 19)
    }

    @Test("A resubmitted form changes no record twice, even if rejected records are now accepted")
    func repeated() async throws {
        let list = try list(), store = CountingStore(refusing: [all[19].id])
        let progress = BatchProgress(), part = try await list.nextPart(progress)
        let first = try await list.step(
            .count, on: part, from: progress, records: store, within: Patience.bound,
            isGood: { true })
        await store.refuseNone()
        let again = try await list.step(
            .count, on: part, from: progress, records: store, within: Patience.bound,
            isGood: { true })
        // The batch continues after the processed records and does not restart.
        #expect(first.progress.done == 10)
        #expect(again.progress.done == 20)
        #expect(await store.times.values.allSatisfy { $0 == 1 })
    }

    @Test("An error thrown by an action is reported, and each record is tried separately")
    func thrown() async throws {
        let list = try list(), progress = BatchProgress()
        let step = try await list.step(
            .failing, on: try await list.nextPart(progress), from: progress, records: CountingStore(),
            within: Patience.bound,
            isGood: { true })
        #expect(step.cause is BulkAction.Failure)
        #expect(step.progress.refused == 20)
    }

    @Test(
        "A batch part survives a round trip through its text, and invalid text is nil",
        arguments: ["", "x", "AAAA", String(repeating: "A", count: 50_000)])
    func part(text: String) throws {
        let part = BatchPart(all.map(\.id))
        #expect(BatchPart(part.text) == part)
        #expect(BatchPart(text) == nil)
    }
}

extension BulkAction {
    struct Failure: Error {}

    /// An action that changes each record's name.
    static var count: BulkAction {
        BulkAction("Count", permission: .edit) { (ids: [Wing.ID], _: Repository<Wing>) in
            ids.map {
                .update(model: "AnimalCategory", id: $0.uuid, version: 1, values: ["name": .text("counted")])
            }
        }
    }

    fileprivate static var failing: BulkAction {
        BulkAction("Fail", permission: .edit) { (_: [Wing.ID], _: Repository<Wing>) in throw Failure() }
    }
}

/// A store that remembers the submitted change sets and counts the changes of each record.
actor CountingStore: ModelRecords {
    private(set) var times: [UUID: Int] = [:]
    private var receipts: [UUID: Receipt] = [:]
    private var refused: Set<UUID>
    /// The numbers of the submits that never reach the store, starting at 1.
    private let failures: Set<Int>
    /// The numbers of the submits whose response is lost, starting at 1.
    private let lostAnswers: Set<Int>
    private(set) var submits = 0

    init(refusing refused: Set<UUID> = [], failingAt failures: Set<Int> = [], unansweredAt lostAnswers: Set<Int> = []) {
        self.refused = refused
        self.failures = failures
        self.lostAnswers = lostAnswers
    }

    func refuseNone() { refused = [] }

    func receipt(of changeSet: UUID) async throws -> Receipt? { receipts[changeSet] }

    func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt {
        submits += 1
        if failures.contains(submits) { throw .unavailable("away") }
        let ids = changeSet.changes.compactMap { if case .update(_, let id, _, _) = $0 { id } else { nil } }
        if !refused.isDisjoint(with: ids) { throw .invalid(model: "AnimalCategory", []) }
        for id in ids { times[id, default: 0] += 1 }
        let receipt = Receipt(changeSet: changeSet.id, commit: Int64(receipts.count + 1), isRepeat: false)
        receipts[changeSet.id] = receipt
        if lostAnswers.contains(submits) { throw .unanswered }
        return receipt
    }

    struct Unused: Error {}

    func fetch<Value: Sendable>(_ query: RecordQuery, _ make: @escaping @Sendable (Record) throws -> Value) async throws
        -> [Value]
    { throw Unused() }
    func values<Value: Sendable>(
        _ query: RecordQuery, of properties: [PropertySchema],
        _ make: @escaping @Sendable (UUID, [FieldValue]) throws -> Value
    ) async throws -> [Value] { throw Unused() }
    func related(_ query: RecordQuery, by paths: [RelationPath]) async throws -> RelatedRecordLists { throw Unused() }
    func identifiers(_ query: RecordQuery) async throws -> [UUID] { throw Unused() }
    func count(_ query: RecordQuery) async throws -> Int { throw Unused() }
    func find(_ id: UUID) async throws -> Record? { throw Unused() }
}
