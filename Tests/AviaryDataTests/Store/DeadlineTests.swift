import AviaryDomain
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryData

@Suite("Deadlines and limits of the write queue")
struct DeadlineTests {
    /// The results of the requests.
    private final class Results: Sendable {
        private let results = Mutex<[UUID: [Result<Receipt?, StoreError>]]>([:])
        var count: Int { results.withLock { $0.values.reduce(0) { $0 + $1.count } } }

        func of(_ changeSet: ChangeSet) -> [Result<Receipt?, StoreError>] {
            results.withLock { $0[changeSet.id] ?? [] }
        }

        func request(_ changeSet: ChangeSet, before deadline: MonotonicTime?) -> QueuedWrite {
            QueuedWrite(.submit(changeSet), before: deadline) { result in
                self.results.withLock { $0[changeSet.id, default: []].append(result) }
            }
        }
    }

    private func sample(_ name: String) -> ChangeSet { ChangeSet(Category(name: name).insertion) }

    @Test("A request that is past its deadline expires, and the others of its burst are stored")
    func late() async throws {
        let fixture = try StoreFixture.lists()
        let results = Results()
        let soon = MonotonicTime.now.advanced(by: .milliseconds(30)),
            later = MonotonicTime.now.advanced(by: Patience.bound)
        let (late, timely, patient) = (sample("late"), sample("timely"), sample("patient"))
        // The store is busy until the first deadline has passed.
        let busy = await fixture.store.pausing(untilWaiting: 3) { _ in while !soon.isPast { usleep(1000) } }
        fixture.store.enqueue([
            results.request(late, before: soon), results.request(timely, before: later),
            results.request(patient, before: nil),
        ])
        try await busy.value
        try await eventually("all three are answered") { results.count == 3 }
        #expect(results.of(late).map(\.error) == [.expired])
        #expect(results.of(timely).allSatisfy { $0.isSuccess } && results.of(patient).allSatisfy { $0.isSuccess })
        #expect(try await fixture.count(Category.self) == 2)
        // No trace of the request is left, so it can be retried.
        let again = try await fixture.store.submit(late)
        #expect(!again.isRepeat)
        #expect(fixture.store.backlog.jobCount == 0)
    }

    @Test(
        "A request that is past its deadline is not repeated after a lost transaction", .onlySQLite("a hook of updates")
    )
    func lateInReplay() async throws {
        let fixture = try StoreFixture.lists()
        let category = Category(name: "Birds"), animal = Animal(name: "Kea", category: category)
        try await fixture.insert(category, animal)
        let results = Results()
        let deadline = MonotonicTime.now.advanced(by: .milliseconds(100))
        let (first, last) = (sample("first"), sample("last"))
        // The delete in the middle rolls back the whole transaction, after the deadline of the first request.
        let delete = ChangeSet(animal.deletion)
        let busy = await fixture.store.pausing(untilWaiting: 3) { connection in
            interruptDeletes(of: connection, after: deadline)
        }
        fixture.store.enqueue([
            results.request(first, before: deadline), results.request(delete, before: nil),
            results.request(last, before: nil),
        ])
        try await busy.value
        try await eventually("all three are answered") { results.count == 3 }
        #expect(results.of(first).map(\.error) == [.expired])
        #expect(results.of(delete).allSatisfy { !$0.isSuccess })
        #expect(results.of(last).allSatisfy { $0.isSuccess })
        #expect(try await fixture.count(Category.self) == 2)
        #expect(try await fixture.totalsMatch())
    }

    @Test("A burst is answered in order, and requests above the queue limit are rejected as busy")
    func burst() async throws {
        let fixture = try StoreFixture.lists()
        let results = Results()
        let changeSets = (0..<5000).map { sample("\($0)") }
        fixture.store.enqueue(changeSets.map { results.request($0, before: nil) })
        try await eventually("all are answered") { results.count == changeSets.count }
        let outcomes = changeSets.flatMap { results.of($0) }
        let receipts = outcomes.compactMap { try? $0.get()?.commit }  // The next expectations check the others.
        #expect(receipts == Array(1...Int64(receipts.count)))
        #expect(receipts.count == 4096)
        #expect(outcomes.allSatisfy { $0.isSuccess || $0.error == .busy(retryAfter: 2) })
        #expect(fixture.store.backlog.jobCount == 0)
    }

    @Test("The queue rejects a large job above its limit in bytes and accepts a small job")
    func bytes() throws {
        let backlog = WriteQueueLimit()
        let tables = ModelTables(try .lists(), StoreEngines.standard.dialect)
        let text = String(repeating: "x", count: 1_000_000)
        let changes = (0..<100).map {
            Change.insert(model: "Category", id: .version7(), values: ["name": .text("\($0)\(text)")])
        }
        let large = Job.Work(.submit(ChangeSet(author: "test", changes: changes)), tables: tables)
        let small = Job.Work(.discard(draft: .version7()), tables: tables)
        #expect(large.bytes > 100_000_000)
        #expect(backlog.enter(large) && backlog.enter(large))
        #expect(!backlog.enter(large))
        #expect(backlog.enter(small))
        #expect(backlog.jobCount == 3)
        for work in [large, large, small] { backlog.leave(work) }
        #expect(backlog.enter(large))
    }

    @Test("A deadline of any value causes no overflow")
    func anyDeadline() {
        for nanoseconds in [0, 1, UInt64(Int64.max) - 1, UInt64(Int64.max), UInt64.max - 1, .max] {
            let deadline = MonotonicTime(nanoseconds: nanoseconds)
            #expect(deadline.remaining >= .zero)
            #expect(deadline.advanced(by: .seconds(86_400)).nanoseconds <= UInt64(Int64.max))
        }
    }
}
