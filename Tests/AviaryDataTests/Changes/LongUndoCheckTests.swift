import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Checks of references by an undo in steps")
struct LongUndoCheckTests {
    private static let referrerCount = LongUndo.relatedTogether * 5 / 2

    @Test("The records that refer to one record are checked in several steps")
    func manyReferrers() async throws {
        let (fixture, keeper) = try await keeperOfMany()
        let commit = try await fixture.insert(keeper.model, keeper.birds)
        async let receipt = fixture.undo(commit)
        var parts = 0
        while let change = try await fixture.step(after: commit) {
            if change.phase == .checking, change.place.row > 0 { parts += 1 }
        }
        _ = try await receipt
        await fixture.store.finishLongChange()
        #expect(parts == 2)
        #expect(try await fixture.count(Keeper.self) == 0)
        #expect(try await fixture.count(Bird.self) == 0)
        try await fixture.expectConsistency()
    }

    @Test("The records that prevent an undo are counted over all of its steps")
    func remainingReferrers() async throws {
        let (fixture, keeper) = try await keeperOfMany()
        // The rows of these records come first and last among those that refer to the keeper.
        let first = Bird(), last = Bird(keeper: keeper.model)
        let version = try await fixture.insert(first).commit
        let commit = try await fixture.insert(keeper.model, keeper.birds)
        var kept = first
        kept.keeper = Reference(keeper.model)
        try await fixture.submit(kept.update(from: version), last.insertion)
        await fixture.store.limitSteps(to: .max)
        #expect(
            await fixture.undoRefusal(of: commit) == [.referenced(model: "Keeper", by: "Bird", count: 2)])
        await fixture.store.finishLongChange()
        #expect(try await fixture.count(Bird.self) == Self.referrerCount + 2)
        try await fixture.expectConsistency()
    }

    @Test("A new record that refers to one that was checked already waits and is then rejected")
    func newReference() async throws {
        let fixture = try StoreFixture(.rules(), stepLimits: .smallest)
        await fixture.store.limitSteps(to: 0)
        // Its row is checked first, because its entry in the history is the newest.
        let zone = Zone()
        let birds = (0..<150).map { _ in Bird() }
        let commit = try await fixture.store.submit(
            ChangeSet(author: "test", changes: birds.map(\.insertion) + [zone.insertion])
        ).commit
        async let receipt = fixture.undo(commit)
        while let change = try await fixture.step(after: commit) {
            if change.phase == .checking, change.done > 0 { break }
        }
        async let refusal = fixture.refusal(Cage(in: zone).insertion)
        // Another save is served meanwhile.
        try await fixture.insert(Zone())
        #expect(await fixture.store.longChanges.change?.phase == .checking)
        await fixture.store.limitSteps(to: .max)
        _ = try await receipt
        #expect(await refusal?.code == .missingReference)
        await fixture.store.finishLongChange()
        #expect(try await fixture.count(Cage.self) == 0)
        try await fixture.expectConsistency()
    }

    /// Returns a store that takes no steps yet, and a keeper with many birds that are not stored.
    private func keeperOfMany() async throws -> (StoreFixture, (model: Keeper, birds: [Bird])) {
        let fixture = try StoreFixture(.rules(), stepLimits: .smallest)
        await fixture.store.limitSteps(to: 0)
        let keeper = Keeper()
        return (fixture, (keeper, (0..<Self.referrerCount).map { _ in Bird(keeper: keeper) }))
    }
}

extension StoreFixture {
    /// Inserts a keeper with the birds in one commit, and returns its number.
    fileprivate func insert(_ keeper: Keeper, _ birds: [Bird]) async throws -> Int64 {
        try await store.submit(
            ChangeSet(author: "test", changes: [keeper.insertion] + birds.map(\.insertion))
        ).commit
    }

    /// Lets the store take one step.
    ///
    /// - Returns: The long change after the step; nil when it is committed.
    fileprivate func step(after commit: Int64) async throws -> LongChange? {
        await store.limitSteps(to: 1)
        await store.waitUntilStepsAreUsed(after: commit)
        guard await !store.hasCommittedLongChange(after: commit) else { return nil }
        let change: LongChange = try #require(await store.longChanges.change)
        return change
    }

    /// Expects that totals, history and derived data agree with the records.
    fileprivate func expectConsistency() async throws {
        let check = DataCheck(data: directory.path, schema: schema, history: HistoryPolicy())
        let problems = try await check.run().problems.map { "\($0)" }
        #expect(problems == [])
        #expect(try await totalsMatch())
        #expect(try replayMatches())
    }
}
