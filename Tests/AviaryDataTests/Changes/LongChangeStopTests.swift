import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("The progress of long changes, and how they are stopped")
struct LongChangeStopTests {
    /// A number of records whose delete takes several steps to request.
    private static let count = 700

    private let fixture: StoreFixture
    private let categories: [Category]

    init() async throws {
        fixture = try StoreFixture(.lists(), sortIndexes: SortIndex.lists, stepLimits: .smallest)
        categories = (0..<Self.count).map { Category(name: "Category \($0)") }
        try await fixture.store.submit(ChangeSet(author: "test", changes: categories.map(\.insertion)))
    }

    private var deletion: ChangeSet { ChangeSet(author: "ada", changes: categories.map(\.deletion)) }

    private func expectEverything() async throws {
        #expect(try await fixture.count(Category.self) == Self.count)
        #expect(try await fixture.totalsMatch())
        #expect(try fixture.replayMatches())
        #expect(try !fixture.readers.read { try $0.tableNames() }.contains(PendingRowTable.name))
    }

    @Test("A delete of very many records notes them in steps, between which others save")
    func listed() async throws {
        let store = fixture.store
        await store.limitSteps(to: 1)
        async let receipt = store.submit(deletion)
        await store.waitUntilStepsAreUsed()
        let status = try #require(await store.longChangeStatus)
        #expect(status.step == .preparing && status.total > 0 && status.total < Self.count)
        try await fixture.insert(Category(name: "Another"))
        await store.limitSteps(to: .max)
        _ = try await receipt
        await store.finishLongChange()
        #expect(try await fixture.count(Category.self) == 1)
        #expect(try await fixture.totalsMatch())
        #expect(try fixture.replayMatches())
    }

    @Test("A delete whose records were not all noted when the store ended leaves nothing behind")
    func interrupted() async throws {
        await fixture.store.limitSteps(to: 2)
        let (store, deletion) = (fixture.store, deletion)
        async let refusal = refusal(of: deletion)
        await store.waitUntilStepsAreUsed()
        try #require(await store.longChangeStatus?.total ?? 0 < Self.count)
        await store.close()
        // It cannot know whether the next store finds the delete complete.
        #expect(await refusal == .unanswered)
        let fixture = try StoreFixture(
            .lists(), sortIndexes: SortIndex.lists, in: fixture.temporary, stepLimits: .smallest)
        await fixture.store.finishLongChange()
        #expect(try await fixture.count(Category.self) == Self.count)
        #expect(try fixture.replayMatches())
        // The requester repeats it.
        try await fixture.store.submit(deletion)
        await fixture.store.finishLongChange()
        #expect(try await fixture.count(Category.self) == 0)
        #expect(try await fixture.totalsMatch())
        await fixture.store.close()
    }

    @Test("A delete that is stopped before its commit leaves nothing behind, and can be requested again")
    func stopped() async throws {
        let (store, deletion) = (fixture.store, deletion)
        await store.limitSteps(to: 5)
        async let refusal = refusal(of: deletion)
        await store.waitUntilStepsAreUsed()
        let status = try #require(await store.longChangeStatus)
        #expect(status.author == "ada" && status.changeSet == deletion.id && status.canBeStopped)
        await store.stopLongChange(deletion.id)
        await store.limitSteps(to: 1)
        #expect(await refusal == .stopped)
        await store.finishLongChange()
        try await expectEverything()
        _ = try await store.submit(deletion)
        await store.finishLongChange()
        #expect(try await fixture.count(Category.self) == 0)
    }

    @Test("A delete whose change set is discarded is not committed, even if the store ends before its next step")
    func discarded() async throws {
        let (store, deletion) = (fixture.store, deletion)
        await store.limitSteps(to: 1)
        async let refusal = refusal(of: deletion)
        while await store.longChangeStatus?.step != .checking {
            await store.waitUntilStepsAreUsed()
            await store.limitSteps(to: 1)
        }
        try await store.discard(draft: deletion.id)
        await store.close()
        // The next store would continue a delete whose records are all noted.
        #expect(await refusal == .unanswered)
        let fixture = try StoreFixture(
            .lists(), sortIndexes: SortIndex.lists, in: fixture.temporary, stepLimits: .smallest)
        await fixture.store.finishLongChange()
        #expect(try await fixture.count(Category.self) == Self.count)
        #expect(try await fixture.totalsMatch())
        #expect(try fixture.replayMatches())
        // The requester repeats it, or its request arrives late.
        await #expect(throws: StoreError.alreadyDiscarded) { try await fixture.store.submit(deletion) }
        await fixture.store.close()
    }

    @Test("An undo that is stopped before its commit leaves nothing behind")
    func stoppedUndo() async throws {
        let store = fixture.store
        let commit = try await store.submit(deletion).commit
        await store.finishLongChange()
        let undo = Undo(commit: commit, author: "ada")
        await store.limitSteps(to: 3)
        async let refusal = refusal { try await store.undo(undo) }
        await store.waitUntilStepsAreUsed(after: commit)
        #expect(await store.longChangeStatus?.undoes == commit)
        await store.stopLongChange(undo.id)
        await store.limitSteps(to: 1)
        #expect(await refusal == .stopped)
        await store.finishLongChange()
        #expect(try await fixture.count(Category.self) == 0)
        #expect(try await fixture.totalsMatch())
        #expect(try fixture.replayMatches())
    }

    @Test("A delete that is committed is completed, although somebody stops it")
    func tooLate() async throws {
        let (store, deletion) = (fixture.store, deletion)
        await store.limitSteps(to: 0)
        async let receipt = store.submit(deletion)
        while await !store.hasCommittedLongChange(after: 1) { await store.limitSteps(to: 1) }
        _ = try await receipt
        #expect(await store.longChangeStatus?.canBeStopped == false)
        await store.stopLongChange(deletion.id)
        await store.finishLongChange()
        #expect(try await fixture.count(Category.self) == 0)
        #expect(try await fixture.totalsMatch())
        #expect(try fixture.replayMatches())
    }

    @Test("A delete that waits for another is stopped before it begins")
    func waiting() async throws {
        let store = fixture.store
        let first = ChangeSet(author: "ada", changes: categories.prefix(400).map(\.deletion))
        let second = ChangeSet(author: "bob", changes: categories.dropFirst(400).map(\.deletion))
        await store.limitSteps(to: 1)
        async let receipt = store.submit(first)
        await store.waitUntilStepsAreUsed()
        async let refusal = refusal(of: second)
        while await store.longChangeStatus?.waiting != 1 { await Task.yield() }
        await store.stopLongChange(second.id)
        #expect(await refusal == .stopped)
        await store.limitSteps(to: .max)
        _ = try await receipt
        await store.finishLongChange()
        #expect(try await fixture.count(Category.self) == Self.count - 400)
    }

    private func refusal(of changeSet: ChangeSet) async -> StoreError? {
        let store = fixture.store
        return await refusal { try await store.submit(changeSet) }
    }

    private func refusal(_ body: () async throws -> Receipt) async -> StoreError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? StoreError
        }
    }
}
