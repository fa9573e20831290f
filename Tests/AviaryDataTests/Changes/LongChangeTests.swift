import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Long changes")
struct LongChangeTests {
    @Test("A delete in steps deletes the same records as at once, in one commit")
    func delete() async throws {
        let park = try await Park(cages: 3, birdsInEach: 40)
        let receipt = try await park.fixture.submit(park.zone.deletion)
        await park.fixture.store.finishLongChange()
        #expect(try park.fixture.contents() == park.contentsWithoutZone)
        #expect(try await park.fixture.history.commits(HistoryQuery()).first?.number == receipt.commit)
        try await park.expectConsistency()
    }

    @Test("A delete in steps deletes a record once that its change set names twice")
    func namedTwice() async throws {
        let park = try await Park(cages: 1, birdsInEach: 2)
        let changes = [park.zone.deletion, park.zone.deletion]
        let receipt = try await park.fixture.store.submit(ChangeSet(author: "test", changes: changes))
        await park.fixture.store.finishLongChange()
        #expect(try park.fixture.contents() == park.contentsWithoutZone)
        let commit = try #require(try await park.fixture.history.commits(HistoryQuery()).first)
        #expect(commit.number == receipt.commit)
        try await park.expectConsistency()
    }

    @Test("Readers see everything before the commit of a delete in steps and nothing of it afterwards")
    func atomicDelete() async throws {
        let park = try await Park(cages: 3, birdsInEach: 40)
        let store = park.fixture.store
        await store.limitSteps(to: 0)
        let before = try park.fixture.contents()
        async let receipt = park.fixture.submit(park.zone.deletion)
        var states: [[String: [UUID: [FieldValue]]]] = []
        while await !store.hasEndedLongChange(after: 1) {
            let contents = try park.fixture.contents()
            if contents != states.last { states.append(contents) }
            #expect(try await park.fixture.totalsMatch())
            await store.limitSteps(to: 1)
        }
        _ = try await receipt
        #expect(states == [before, park.contentsWithoutZone])
    }

    @Test("Readers see nothing of an undo in steps before its commit and everything afterwards")
    func atomicUndo() async throws {
        let park = try await Park(cages: 3, birdsInEach: 40)
        let store = park.fixture.store
        let before = try park.fixture.contents()
        let commit = try await park.fixture.submit(park.zone.deletion).commit
        await store.finishLongChange()
        await store.limitSteps(to: 0)
        async let receipt = park.fixture.undo(commit)
        var states: [[String: [UUID: [FieldValue]]]] = []
        while await !store.hasEndedLongChange(after: commit) {
            let contents = try park.fixture.contents()
            if contents != states.last { states.append(contents) }
            #expect(try await park.fixture.totalsMatch())
            await store.limitSteps(to: 1)
        }
        _ = try await receipt
        #expect(states == [park.contentsWithoutZone, before])
        try await park.expectConsistency()
    }

    @Test("The undo of an undo in steps deletes the records again")
    func undoneUndo() async throws {
        let park = try await Park(cages: 2, birdsInEach: 30)
        let commit = try await park.fixture.submit(park.zone.deletion).commit
        let undo = try await park.fixture.undo(commit)
        _ = try await park.fixture.undo(undo.commit)
        await park.fixture.store.finishLongChange()
        #expect(try park.fixture.contents() == park.contentsWithoutZone)
        try await park.expectConsistency()
    }

    @Test("Records that lose a reference show it as null at once, and an undo restores it")
    func nullified() async throws {
        let park = try await Park(cages: 2, birdsInEach: 30)
        let store = park.fixture.store
        let before = try park.fixture.contents()
        await store.limitSteps(to: 0)
        async let receipt = park.fixture.submit(park.keeper.deletion)
        while await !store.hasCommittedLongChange(after: 1) { await store.limitSteps(to: 1) }
        let commit = try await receipt.commit
        let keeper = try #require(Bird.schema.storedIndex(of: "keeper"))
        let birds = try park.fixture.contents()["Bird"] ?? [:]
        #expect(birds.count == 60)
        #expect(birds.values.allSatisfy { $0[keeper].isNull })
        await store.finishLongChange()
        try await park.fixture.undo(commit)
        await store.finishLongChange()
        #expect(try park.fixture.contents() == before)
        try await park.expectConsistency()
    }

    @Test("A long change continues after the store was closed at any of its steps", arguments: [false, true])
    func interrupted(isUndo: Bool) async throws {
        var steps = 0, isDone = false
        while !isDone {
            let park = try await Park(cages: 2, birdsInEach: 15)
            let before = try park.fixture.contents()
            var expected = park.contentsWithoutZone
            if isUndo {
                let commit = try await park.fixture.submit(park.zone.deletion).commit
                await park.fixture.store.finishLongChange()
                expected = before
                await park.fixture.store.limitSteps(to: steps)
                let fixture = park.fixture
                Task { try await fixture.undo(commit) }
            } else {
                await park.fixture.store.limitSteps(to: steps)
                let fixture = park.fixture, zone = park.zone
                Task { try await fixture.submit(zone.deletion) }
            }
            await park.fixture.store.waitUntilStepsAreUsed(after: isUndo ? 2 : 1)
            let wasBegun = await park.fixture.store.longChanges.change != nil
            isDone = await park.fixture.store.hasEndedLongChange(after: isUndo ? 2 : 1)
            await park.fixture.store.close()
            if wasBegun || isDone {
                let fixture = try StoreFixture(
                    .rules(), in: park.fixture.temporary, stepLimits: .smallest)
                await fixture.store.finishLongChange()
                #expect(try fixture.contents() == expected, "after \(steps) steps")
                #expect(try await fixture.totalsMatch(), "after \(steps) steps")
                #expect(try fixture.replayMatches(), "after \(steps) steps")
                await fixture.store.close()
            }
            steps += isDone ? 0 : 1
        }
        #expect(steps > 4)
    }

    @Test("A delete in steps that a rule denies leaves nothing behind")
    func denied() async throws {
        let park = try await Park(cages: 2, birdsInEach: 30)
        try await park.fixture.insert(Permit(for: park.birds[7]))
        let before = try park.fixture.contents()
        let refusal = await park.fixture.refusal(park.zone.deletion)
        #expect(refusal?.code == .deleteDenied)
        await park.fixture.store.finishLongChange()
        #expect(try park.fixture.contents() == before)
        try await park.expectConsistency()
    }

    @Test("A delete in steps above its limit asks with the counts of all models")
    func confirmation() async throws {
        let park = try await Park(cages: 2, birdsInEach: 30)
        let refusal = await park.fixture.refusal(park.zone.deletion, cascadeLimit: 61)
        #expect(refusal?.deletePlan?.cascades == ["Cage": 2, "Bird": 60])
        #expect(refusal?.deletePlan?.requested == 1)
        await park.fixture.store.finishLongChange()
        try await park.expectConsistency()
    }

    @Test("A repetition of a request in steps gets the same commit")
    func repeated() async throws {
        let park = try await Park(cages: 2, birdsInEach: 30)
        let id = UUID.version7()
        await park.fixture.store.limitSteps(to: 2)
        async let first = park.fixture.submit(park.zone.deletion, id: id)
        await park.fixture.store.waitUntilStepsAreUsed()
        async let second = park.fixture.submit(park.zone.deletion, id: id)
        await park.fixture.store.limitSteps(to: .max)
        let commits = try await [first.commit, second.commit, park.fixture.submit(park.zone.deletion, id: id).commit]
        #expect(Set(commits).count == 1)
    }

    @Test("A change of a record that is about to be deleted waits and then finds it gone")
    func changeOfNoted() async throws {
        let park = try await Park(cages: 2, birdsInEach: 30)
        var cage = park.cages[0]
        cage.zone = Reference(park.otherZone)
        #expect(try await refusal(of: cage.update(from: 1), duringDeleteOfZoneIn: park)?.code == .notFound)
    }

    @Test("A new record that refers to one that is about to be deleted waits and is then rejected")
    func newReference() async throws {
        let park = try await Park(cages: 2, birdsInEach: 30)
        let bird = Bird(in: park.cages[0])
        #expect(try await refusal(of: bird.insertion, duringDeleteOfZoneIn: park)?.code == .missingReference)
    }

    /// Submits a change when the zone is about to be deleted, and returns its refusal.
    private func refusal(of change: Change, duringDeleteOfZoneIn park: Park) async throws -> StoreError? {
        let store = park.fixture.store
        await store.limitSteps(to: 3)
        async let receipt = park.fixture.submit(park.zone.deletion)
        await store.waitUntilStepsAreUsed()
        async let refusal = park.fixture.refusal(change)
        // Another save is served meanwhile.
        try await park.fixture.insert(Zone())
        await store.limitSteps(to: .max)
        _ = try await receipt
        let found = await refusal
        await store.finishLongChange()
        try await park.expectConsistency()
        return found
    }

    @Test("A new record cannot refer to a deleted one whose row still exists")
    func referenceToMasked() async throws {
        let park = try await Park(cages: 2, birdsInEach: 30)
        let store = park.fixture.store
        await store.limitSteps(to: 0)
        async let receipt = park.fixture.submit(park.zone.deletion)
        while await !store.hasCommittedLongChange(after: 1) { await store.limitSteps(to: 1) }
        _ = try await receipt
        #expect(await park.fixture.refusal(Bird(in: park.cages[0]).insertion)?.code == .missingReference)
        #expect(await park.fixture.refusal(park.cages[0].update(from: 1))?.code == .notFound)
        await store.finishLongChange()
        try await park.expectConsistency()
    }

    @Test("A change of a record that has just lost a reference is stored after the loss")
    func changeOfNullified() async throws {
        let park = try await Park(cages: 2, birdsInEach: 30)
        let store = park.fixture.store
        await store.limitSteps(to: 0)
        async let receipt = park.fixture.submit(park.keeper.deletion)
        while await !store.hasCommittedLongChange(after: 1) { await store.limitSteps(to: 1) }
        _ = try await receipt
        var bird = park.birds[0]
        let other = Keeper()
        try await park.fixture.insert(other)
        bird.keeper = Reference(other)
        let version = try #require(try await park.fixture.find(bird)).version
        async let update = park.fixture.submit(bird.update(from: version))
        await store.limitSteps(to: .max)
        _ = try await update
        await store.finishLongChange()
        let keeper = try #require(Bird.schema.storedIndex(of: "keeper"))
        #expect(try await park.fixture.find(bird)?.values[keeper] == .text(other.id.uuid.canonicalText))
        try await park.expectConsistency()
    }

    @Test("A restore ends a long change, and its request is answered")
    func restoredMeanwhile() async throws {
        let park = try await Park(cages: 2, birdsInEach: 30)
        let store = park.fixture.store
        let path = park.fixture.temporary.path + "/new.sqlite"
        try StoreBuilder(path: path, schema: .rules(), sortIndexes: [], engine: StoreEngines.standard).finish(
            commit: 1)
        await store.limitSteps(to: 3)
        async let refusal = park.fixture.refusal(park.zone.deletion)
        await store.waitUntilStepsAreUsed()
        _ = try await park.fixture.replaceContents(withStoreAt: path)
        #expect(await refusal?.code == .unavailable)
        await store.limitSteps(to: .max)
        #expect(try park.fixture.contents()["Zone"]?.count == 0)
        try await park.fixture.insert(Zone())
        #expect(try park.fixture.contents()["Zone"]?.count == 1)
        #expect(try await park.fixture.totalsMatch())
    }

    @Test("A value of a deleted record can be used again before its row is removed")
    func reusedValue() async throws {
        let fixture = try StoreFixture(.lists(), sortIndexes: SortIndex.lists, stepLimits: .smallest)
        let categories = (0..<30).map { Category(name: "Category \($0)") }
        try await fixture.store.submit(ChangeSet(author: "test", changes: categories.map(\.insertion)))
        await fixture.store.limitSteps(to: 0)
        async let receipt = fixture.store.submit(ChangeSet(author: "test", changes: categories.map(\.deletion)))
        while await !fixture.store.hasCommittedLongChange(after: 1) { await fixture.store.limitSteps(to: 1) }
        _ = try await receipt
        async let again = fixture.insert(Category(name: "Category 3"))
        await fixture.store.limitSteps(to: .max)
        _ = try await again
        await fixture.store.finishLongChange()
        #expect(try await fixture.count(Category.self) == 1)
        #expect(try await fixture.totalsMatch())
        #expect(try fixture.replayMatches())
    }

    @Test("An undo of thousands of updates is one commit")
    func manyUpdates() async throws {
        let fixture = try StoreFixture(.lists(), sortIndexes: SortIndex.lists)
        let categories = (0..<2100).map { Category(name: "Category \($0)") }
        let insertion = try await fixture.store.submit(
            ChangeSet(author: "test", changes: categories.map(\.insertion)))
        let renamed = categories.map { Category(id: $0.id, name: "New \($0.name)").update(from: insertion.commit) }
        let update = try await fixture.store.submit(ChangeSet(author: "test", changes: renamed))
        #expect(try await fixture.undo(update.commit).commit == update.commit + 1)
        await fixture.store.finishLongChange()
        #expect(try await fixture.find(categories[7])?.values == [.text("Category 7")])
        #expect(try fixture.replayMatches())
    }

    @Test("An undo in steps is refused when a value is taken meanwhile, and leaves nothing behind")
    func takenValue() async throws {
        let fixture = try StoreFixture(.lists(), sortIndexes: SortIndex.lists, stepLimits: .smallest)
        let categories = (0..<30).map { Category(name: "Category \($0)") }
        try await fixture.store.submit(ChangeSet(author: "test", changes: categories.map(\.insertion)))
        let commit = try await fixture.store.submit(ChangeSet(author: "test", changes: categories.map(\.deletion)))
            .commit
        let other = Category(name: "Category 3")
        try await fixture.insert(other)
        let obstacles = await fixture.undoRefusal(of: commit)
        #expect(
            obstacles == [
                .valueTaken(model: "Category", id: categories[3].id.uuid, property: "name", by: other.id.uuid)
            ])
        await fixture.store.finishLongChange()
        #expect(try await fixture.count(Category.self) == 1)
        #expect(try await fixture.totalsMatch())
        #expect(try fixture.replayMatches())
    }
}

/// A zone with cages and birds, beside another zone and a keeper of all birds.
private struct Park {
    let fixture: StoreFixture
    let zone = Zone()
    let otherZone = Zone()
    let keeper = Keeper()
    let cages: [Cage]
    let birds: [Bird]
    let contentsWithoutZone: [String: [UUID: [FieldValue]]]

    init(cages cageCount: Int, birdsInEach birdCount: Int) async throws {
        fixture = try StoreFixture(.rules(), stepLimits: .smallest)
        let (zone, keeper) = (zone, keeper)
        cages = (0..<cageCount).map { _ in Cage(in: zone) }
        birds = cages.flatMap { cage in (0..<birdCount).map { _ in Bird(in: cage, keeper: keeper) } }
        let changes = [zone.insertion, otherZone.insertion, keeper.insertion] + cages.map(\.insertion)
        try await fixture.store.submit(ChangeSet(author: "test", changes: changes + birds.map(\.insertion)))
        var contents = try fixture.contents()
        contents["Zone"]?[zone.id.uuid] = nil
        for model in ["Cage", "Bird"] { contents[model] = [:] }
        contentsWithoutZone = contents
    }

    /// Expects that totals, history and derived data agree with the records.
    func expectConsistency() async throws {
        let check = DataCheck(data: fixture.directory.path, schema: fixture.schema, history: HistoryPolicy())
        let problems = try await check.run().problems.map { "\($0)" }
        #expect(problems == [])
        #expect(try await fixture.totalsMatch())
        #expect(try fixture.replayMatches())
        #expect(try !fixture.readers.read { try $0.tableNames() }.contains(PendingRowTable.name))
    }
}

extension StepLimits {
    /// Every delete and undo is a long change, and each of its steps is as short as possible.
    static var smallest: StepLimits {
        var limits = StepLimits()
        limits.rowsAtOnce = 0
        limits.changesAtOnce = 0
        limits.duration = .zero
        return limits
    }
}

extension StepLimits {
    /// Every delete is made at once.
    static var none: StepLimits {
        var limits = StepLimits()
        limits.rowsAtOnce = .max
        return limits
    }
}

extension Store {
    /// Permits a number of further steps of long changes.
    func limitSteps(to count: Int) {
        stepAllowance = count
        scheduleLongChange()
    }

    /// Waits until the permitted steps are taken, or there is nothing left to do.
    func waitUntilStepsAreUsed(after commit: Int64 = 1) async {
        while stepAllowance > 0 || longChanges.isScheduled {
            if longChanges.isEmpty, durablePosition.commit > commit { break }
            await Task.yield()
        }
    }

    /// Permits all steps and waits for the end of the last long change.
    func finishLongChange() async {
        limitSteps(to: .max)
        while !longChanges.isEmpty { await Task.yield() }
    }

    func hasCommittedLongChange(after commit: Int64) async -> Bool {
        await Task.yield()
        return durablePosition.commit > commit
    }

    func hasEndedLongChange(after commit: Int64) async -> Bool {
        await Task.yield()
        return durablePosition.commit > commit && longChanges.isEmpty
    }
}
