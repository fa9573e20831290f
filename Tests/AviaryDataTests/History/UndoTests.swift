import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Undo")
struct UndoTests {
    @Test("Undoing an insert deletes the record with a new commit, which the history links to the first")
    func insert() async throws {
        let fixture = try StoreFixture.lists()
        let animal = Animal(name: "Okapi")
        let first = try await fixture.insert(animal)
        let undo = try await fixture.undo(first.commit)
        #expect(try await fixture.find(animal) == nil)
        #expect(try await fixture.history.commits(HistoryQuery()).map(\.undoes) == [first.commit, nil])
        #expect(undo.commit == first.commit + 1)
        #expect(try await fixture.totalsMatch())
        #expect(try fixture.replayMatches())
    }

    @Test("The history lists undone commits except those whose undo was undone")
    func undoneCommits() async throws {
        let fixture = try StoreFixture.lists()
        var commits: [Int64] = []
        for name in ["a", "b", "c"] { commits.append(try await fixture.insert(Animal(name: name)).commit) }
        try await fixture.undo(commits[0])
        let undo = try await fixture.undo(commits[1])
        #expect(try await fixture.history.undoneCommits(of: commits) == [commits[0], commits[1]])
        let redo = try await fixture.undo(undo.commit)
        #expect(try await fixture.history.undoneCommits(of: commits) == [commits[0]])
        try await fixture.undo(redo.commit)
        #expect(try await fixture.history.undoneCommits(of: commits) == [commits[0], commits[1]])
        #expect(try await fixture.history.undoneCommits(of: [commits[2]]).isEmpty)
    }

    @Test("Undoing an update keeps later changes of other fields")
    func update() async throws {
        let fixture = try StoreFixture.lists()
        var animal = Animal(name: "Okapi", note: "shy")
        var version = try await fixture.insert(animal).commit
        animal.name = "Okapia"
        version = try await fixture.submit(animal.update(from: version)).commit
        let renamed = version
        animal.note = "bold"
        try await fixture.submit(animal.update(from: version))
        let undo = try await fixture.undo(renamed)
        animal.name = "Okapi"
        let record = try #require(try await fixture.find(animal))
        #expect(record.values == Animal.schema.storedProperties.map { animal.fieldValues[$0.name] })
        #expect(record.version == undo.commit)
    }

    @Test("Undoing a cascade restores 10,000 records with the same ids in one commit")
    func cascade() async throws {
        let fixture = try StoreFixture.rules()
        let zone = Zone(), keeper = Keeper()
        let cages = (0..<100).map { _ in Cage(in: zone) }
        let birds = cages.flatMap { cage in (0..<99).map { _ in Bird(in: cage, keeper: keeper) } }
        let changes = [zone.insertion, keeper.insertion] + cages.map(\.insertion) + birds.map(\.insertion)
        _ = try await fixture.store.submit(ChangeSet(author: "ada", changes: changes))
        let before = try fixture.contents()
        let deletion = try await fixture.submit(zone.deletion)
        #expect(try await fixture.count(Bird.self) == 0)
        let undo = try await fixture.undo(deletion.commit)
        #expect(undo.commit == deletion.commit + 1)
        #expect(try fixture.contents() == before)
        // A large undo writes its entries after its commit.
        await fixture.store.finishLongChange()
        #expect(try await fixture.changes(of: undo).count == 10_001)
        #expect(try await fixture.totalsMatch())
        #expect(try fixture.hasAllReferences())
    }

    @Test("Undoing a delete restores the references that its delete rule cleared")
    func nullified() async throws {
        let fixture = try StoreFixture.rules()
        let keeper = Keeper(), bird = Bird(keeper: keeper)
        try await fixture.insert(keeper, bird)
        let deletion = try await fixture.submit(keeper.deletion)
        #expect(try await fixture.find(bird)?.values.last == .null)
        try await fixture.undo(deletion.commit)
        #expect(try await fixture.find(bird)?.values.last == .text(keeper.id.uuid.canonicalText))
    }

    @Test("Successive commits can be undone and redone")
    func severalSteps() async throws {
        let fixture = try StoreFixture.lists()
        var animal = Animal(name: "a")
        let inserted = try await fixture.insert(animal).commit
        var version = inserted
        for name in ["b", "c"] {
            animal.name = name
            version = try await fixture.submit(animal.update(from: version)).commit
        }
        func name() async throws -> String? { try await fixture.find(animal)?.title(in: Animal.schema) }
        let third = try await fixture.undo(version)
        #expect(try await name() == "b")
        try await fixture.undo(version - 1)
        #expect(try await name() == "a")
        let redone = try await fixture.undo(third.commit + 1)
        #expect(try await name() == "b")
        #expect(
            await fixture.undoRefusal(of: third.commit + 1) == [
                .changedSince(model: "Animal", id: animal.id.uuid, property: "name", commit: redone.commit)
            ])
        try await fixture.undo(redone.commit)
        try await fixture.undo(inserted)
        #expect(try await fixture.find(animal) == nil)
    }

    @Test("Undo moves unique values back between records")
    func movedValues() async throws {
        let fixture = try StoreFixture.lists()
        var x = Category(name: "a"), y = Category(name: "b")
        let version = try await fixture.insert(x, y).commit
        let before = try fixture.contents()
        x.name = "c"
        y.name = "a"
        let moved = try await fixture.submit(x.update(from: version), y.update(from: version)).commit
        let shifted = try fixture.contents()
        try await fixture.undo(moved)
        #expect(try fixture.contents() == before)
        try await fixture.undo(moved + 1)
        #expect(try fixture.contents() == shifted)
        // The names are exchanged in a cycle, through a name that is unused in the end.
        let now = try await fixture.find(x)?.version ?? 0
        let circle = try await fixture.submit(
            Category(id: x.id, name: "t").update(from: now), Category(id: y.id, name: "c").update(from: now)
        ).commit
        let last = try await fixture.submit(Category(id: x.id, name: "a").update(from: circle)).commit
        try await fixture.undo(last)
        try await fixture.undo(circle)
        #expect(try fixture.contents() == shifted)
    }

    @Test("Undo deletes a new record first to restore its unique value to another record")
    func takenName() async throws {
        let fixture = try StoreFixture.lists()
        var x = Category(name: "a")
        let version = try await fixture.insert(x).commit
        let before = try fixture.contents()
        x.name = "b"
        let commit = try await fixture.submit(x.update(from: version), Category(name: "a").insertion).commit
        try await fixture.undo(commit)
        #expect(try fixture.contents() == before)
    }

    @Test("Undo reverts several changes of a record in one commit")
    func severalChanges() async throws {
        let fixture = try StoreFixture.lists()
        let bird = Category(name: "Bird"), kea = Animal(name: "Kea", category: bird)
        try await fixture.insert(bird, kea)
        let before = try fixture.contents()
        let fish = Category(name: "Fish")
        let commit = try await fixture.submit(
            fish.insertion, Animal(id: kea.id, name: "Kea", category: fish).update(from: 1), bird.deletion,
            Category(id: bird.id, name: "Bird again").insertion, kea.deletion
        ).commit
        try await fixture.undo(commit)
        #expect(try fixture.contents() == before)
        #expect(try await fixture.totalsMatch())
        #expect(try fixture.replayMatches())
    }

    @Test("Random change sets can be undone one by one to the beginning", arguments: [11, 12, 13] as [UInt64])
    func toTheBeginning(seed: UInt64) async throws {
        let fixture = try StoreFixture.rules()
        var random = RandomHistory(seed: seed)
        var states: [(commit: Int64, before: [String: [UUID: [FieldValue]]])] = []
        for changeSet in (0..<25).flatMap({ _ in random.nextChangeSets() }) {
            let before = try fixture.contents()
            if case .success(let receipt) = await Result(catching: { try await fixture.store.submit(changeSet) }),
                try await !fixture.changes(of: receipt).isEmpty
            {
                states.append((receipt.commit, before))
            }
        }
        #expect(states.count > 20)
        for state in states.reversed() {
            try await fixture.undo(state.commit)
            #expect(try fixture.contents() == state.before)
        }
        #expect(try await fixture.totalsMatch())
        #expect(try fixture.replayMatches())
    }

    @Test("A repeated undo returns the first receipt and is not applied again")
    func repeated() async throws {
        let fixture = try StoreFixture.lists()
        let receipt = try await fixture.insert(Animal(name: "Okapi"))
        let id = UUID.version7()
        let first = try await fixture.undo(receipt.commit, id: id)
        let second = try await fixture.undo(receipt.commit, id: id)
        #expect(second == Receipt(changeSet: id, commit: first.commit, isRepeat: true))
        await #expect(throws: StoreError.alreadySaved(commit: first.commit)) {
            try await fixture.undo(first.commit, id: id)
        }
    }
}

extension Result where Failure == any Error {
    init(catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
