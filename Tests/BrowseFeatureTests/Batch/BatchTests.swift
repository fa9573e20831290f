import AviaryDesign
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryDomain
@testable import BrowseFeature

@Suite("Batch operations in steps")
struct BatchTests {
    private func list(_ records: RecordsInMemory, _ principal: Principal = .ada) throws -> ListViewModel {
        try ListViewModel(
            configuration: categories, query: ListQuery(sort: ListOrder(property: "name", direction: .ascending)),
            repository: records,
            principal: principal
        )
    }

    private func run(
        _ list: ListViewModel, from start: BatchProgress = BatchProgress(until: .version7())
    ) async throws -> BatchProgress {
        var progress = start
        for _ in 0..<100 {
            let part = try await list.nextPart(progress)
            guard !part.isEmpty else { return progress }
            progress = try await list.step(
                .delete, on: part, from: progress, records: NoRecords(), schema: zooSchema(), within: Patience.bound,
                isGood: { true }
            )
            .progress
        }
        Issue.record("It does not end.")
        return progress
    }

    @Test("A batch delete removes all records in commits of up to 500")
    func all() async throws {
        let records = RecordsInMemory(categorySchema, (0..<1203).map { category("\($0)") })
        let progress = try await run(list(records))
        #expect(progress.done == 1203)
        #expect(await records.records.isEmpty)
        #expect(await records.deletions.count == 3)
    }

    @Test("A record that cannot be deleted is counted and does not stop the batch")
    func refused() async throws {
        let all = (0..<700).map { category("\($0)") }
        let records = RecordsInMemory(categorySchema, all)
        let denied: Set = [all[0].id, all[333].id, all[699].id]
        await records.deny(denied)
        let progress = try await run(list(records))
        #expect(progress.done == 697)
        #expect(progress.refused == 3)
        #expect(Set(await records.records.map(\.id)) == denied)
    }

    @Test("An unavailable store pauses the batch, which can then resume")
    func unavailable() async throws {
        let records = RecordsInMemory(categorySchema, (0..<10).map { category("\($0)") }, refusal: .unavailable("away"))
        let list = try list(records)
        let start = BatchProgress(until: .version7())
        let part = try await list.nextPart(start)
        let step = try await list.step(
            .delete, on: part, from: start, records: NoRecords(), schema: zooSchema(), within: Patience.bound,
            isGood: { true })
        #expect(step.progress == start)
        #expect(step.rest == part)
        #expect(step.stoppedBecause?.contains("can’t save changes") == true)
        #expect(await records.records.count == 10)
    }

    @Test("A disabled account makes no further changes after the current commit")
    func ended() async throws {
        let records = RecordsInMemory(categorySchema, (0..<1203).map { category("\($0)") })
        let list = try list(records)
        let start = BatchProgress(until: .version7())
        let part = try await list.nextPart(start)
        let asked = Mutex(0)
        let step = try await list.step(
            .delete, on: part, from: start, records: NoRecords(), schema: zooSchema(), within: Patience.bound,
            isGood: {
                asked.withLock { count in
                    count += 1
                    return count < 2
                }
            })
        #expect(step.stoppedBecause == AccountEnded().description || step.rest.isEmpty)
        #expect(await records.deletions.count == 1)
        let again = try await list.step(
            .delete, on: try await list.nextPart(step.progress), from: step.progress, records: NoRecords(),
            schema: zooSchema(), within: Patience.bound, isGood: { false })
        #expect(again.stoppedBecause == AccountEnded().description)
        #expect(await records.deletions.count == 1)
    }

    @Test("The progress survives a round trip through its fields")
    func address() throws {
        var progress = BatchProgress()
        #expect(BatchProgress(progress.fields) == progress)
        progress.after = .version7()
        progress.done = 12_500
        progress.refused = 3
        progress.size = 62
        #expect(BatchProgress(progress.fields) == progress)
    }

    @Test(
        "An invalid address is nil or gives safe values",
        arguments: [
            "", "until=x", "until=00000000-0000-7000-8000-000000000000&after=x",
        ])
    func odd(text: String) throws {
        #expect(BatchProgress(try FormEncoding.decode(text.utf8)) == nil)
        let numbers = BatchProgress(
            try FormEncoding.decode(
                "until=00000000-0000-7000-8000-000000000000&done=-5&refused=99999999999999999999".utf8))
        #expect(numbers?.done == 0)
        #expect(numbers?.refused == 0)
    }

    @Test("The pages of a delete name the records and count those that were skipped")
    func words() throws {
        let list = try list(RecordsInMemory(categorySchema))
        var progress = BatchProgress(until: .version7())
        progress.done = 120
        func page(_ part: BatchPart) -> (title: String, html: String) {
            let view = BatchProgressView(list: list, operation: .delete, progress: progress, part: part)
            var html = HTML()
            view.render(into: &html, csrf: "token")
            return (view.title, String(decoding: html.bytes, as: UTF8.self))
        }
        let running = page(BatchPart([.version7()]))
        #expect(running.title == "Deleting animal categories…")
        #expect(running.html.contains(">Deleted 120 animal categories so far.</p>"))
        progress.refused = 1
        #expect(page(BatchPart([])).title == "Animal categories deleted")
        #expect(
            page(BatchPart([])).html.contains(
                ">Deleted 120 animal categories. 1 can’t be deleted and was skipped.</p>"))
        progress.refused = 2
        #expect(page(BatchPart([])).html.contains(" 2 can’t be deleted and were skipped.</p>"))
    }

    @Test("A role that cannot delete cannot run a batch delete")
    func forbidden() async throws {
        let list = try list(
            RecordsInMemory(categorySchema, [category("a")]), .with(.allow([.view], onModelNamed: "AnimalCategory")))
        #expect(list.operation("delete") == nil)
        await #expect(throws: AccessError.forbidden) {
            try await list.step(
                .delete, on: BatchPart([.version7()]), from: BatchProgress(), records: NoRecords(), schema: zooSchema(),
                within: Patience.bound, isGood: { true })
        }
    }

    @Test(
        "The typed name of the records is compared without case and extra spaces",
        arguments: [("animal categories", true), ("Animal  Categories ", true), ("animal", false), ("", false)])
    func name(text: String, isRight: Bool) throws {
        #expect(try list(RecordsInMemory(categorySchema)).isName(text) == isRight)
    }
}

/// A repository for operations that read nothing.
struct NoRecords: ModelRecords {
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
    func receipt(of changeSet: UUID) async throws -> Receipt? { nil }
    func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt { throw .unavailable("unused") }
}
