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

    @Test("An action changes all records in commits of up to 500")
    func all() async throws {
        let list = try list(RecordsInMemory(categorySchema, (0..<1203).map { category("\($0)") }))
        let store = CountingStore()
        var progress = BatchProgress()
        while case let part = try await list.nextPart(progress), !part.isEmpty {
            progress = try await list.step(
                .count, on: part, from: progress, records: store, within: Patience.bound, isGood: { true }
            ).progress
        }
        #expect(progress.done == 1203 && progress.parts == 3)
        #expect(await store.times.count == 1203)
        #expect(await store.submits == 3)
    }

    @Test("An unavailable store pauses the batch, which can then resume")
    func unavailable() async throws {
        let list = try list(RecordsInMemory(categorySchema, (0..<10).map { category("\($0)") }))
        let start = BatchProgress(), part = try await list.nextPart(start), store = CountingStore(failingAt: [1])
        let step = try await list.step(
            .count, on: part, from: start, records: store, within: Patience.bound, isGood: { true })
        #expect(step.progress == start)
        #expect(step.rest == part)
        #expect(step.stoppedBecause?.contains("can’t save changes") == true)
        #expect(await store.times.isEmpty)
    }

    @Test("A disabled account makes no further changes after the current commit")
    func ended() async throws {
        let list = try list(RecordsInMemory(categorySchema, (0..<1203).map { category("\($0)") }))
        let start = BatchProgress(), part = try await list.nextPart(start), store = CountingStore()
        let asked = Mutex(0)
        let step = try await list.step(
            .count, on: part, from: start, records: store, within: Patience.bound,
            isGood: {
                asked.withLock { count in
                    count += 1
                    return count < 2
                }
            })
        #expect(step.stoppedBecause == AccountEndedError().description || step.rest.isEmpty)
        #expect(await store.submits == 1)
        let again = try await list.step(
            .count, on: try await list.nextPart(step.progress), from: step.progress, records: store,
            within: Patience.bound, isGood: { false })
        #expect(again.stoppedBecause == AccountEndedError().description)
        #expect(await store.submits == 1)
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

    @Test("The pages of an action count the records and those that were skipped")
    func words() throws {
        let list = try list(RecordsInMemory(categorySchema))
        var progress = BatchProgress(until: .version7())
        progress.done = 120
        func page(_ part: BatchPart) -> (title: String, html: String) {
            let view = BatchProgressView(list: list, action: .count, progress: progress, part: part)
            var html = HTML()
            view.render(into: &html, csrf: "token")
            return (view.title, String(decoding: html.bytes, as: UTF8.self))
        }
        let running = page(BatchPart([.version7()]))
        #expect(running.title == "Count: running")
        #expect(running.html.contains(">Processed 120 animal categories so far.</p>"))
        progress.refused = 1
        #expect(page(BatchPart([])).title == "Count: done")
        #expect(
            page(BatchPart([])).html.contains(
                ">Processed 120 animal categories. 1 can’t be changed and was skipped.</p>"))
        progress.refused = 2
        #expect(page(BatchPart([])).html.contains(" 2 can’t be changed and were skipped.</p>"))
    }

    @Test("A role that cannot edit cannot run an action that edits")
    func forbidden() async throws {
        let list = try list(
            RecordsInMemory(categorySchema, [category("a")]), .with(.allow([.view], onModelNamed: "AnimalCategory")))
        let store = CountingStore()
        await #expect(throws: AccessError.forbidden) {
            try await list.step(
                .count, on: BatchPart([.version7()]), from: BatchProgress(), records: store, within: Patience.bound,
                isGood: { true })
        }
        #expect(await store.submits == 0)
    }
}
