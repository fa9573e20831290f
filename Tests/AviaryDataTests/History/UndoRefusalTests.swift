import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Undo obstacles")
struct UndoRefusalTests {
    @Test("An undo is rejected if the field changed since, even back to the same value")
    func changedSince() async throws {
        let fixture = try StoreFixture.lists()
        var animal = Animal(name: "a")
        var version = try await fixture.insert(animal).commit
        for name in ["b", "c", "b"] {
            animal.name = name
            version = try await fixture.submit(animal.update(from: version)).commit
        }
        #expect(
            await fixture.undoRefusal(of: 2) == [
                .changedSince(model: "Animal", id: animal.id.uuid, property: "name", commit: 3)
            ])
        #expect(try await fixture.find(animal)?.title(in: Animal.schema) == "b")
    }

    @Test("An undo is rejected if the record changed while its history was off")
    func changedUnseen() async throws {
        let temporary = TemporaryDirectory()
        var animal = Animal(name: "a")
        let first = try StoreFixture(.lists(), in: temporary)
        let inserted = try await first.insert(animal).commit
        animal.name = "b"
        let renamed = try await first.submit(animal.update(from: inserted)).commit
        await first.store.close()
        let blind = try StoreFixture(.lists(), history: HistoryPolicy().excluding("Animal"), in: temporary)
        animal.name = "c"
        try await blind.submit(animal.update(from: renamed))
        await blind.store.close()
        let last = try StoreFixture(.lists(), in: temporary)
        #expect(
            await last.undoRefusal(of: renamed) == [
                .changedSince(model: "Animal", id: animal.id.uuid, property: "name", commit: nil)
            ])
    }

    @Test("An undo is rejected if the record was deleted or inserted again since")
    func goneOrBack() async throws {
        let fixture = try StoreFixture.lists()
        var animal = Animal(name: "a")
        let inserted = try await fixture.insert(animal).commit
        animal.name = "b"
        let renamed = try await fixture.submit(animal.update(from: inserted)).commit
        let deleted = try await fixture.submit(animal.deletion).commit
        let gone = [UndoObstacle.deletedSince(model: "Animal", id: animal.id.uuid)]
        #expect(await fixture.undoRefusal(of: inserted) == gone)
        #expect(await fixture.undoRefusal(of: renamed) == gone)
        try await fixture.insert(animal)
        #expect(await fixture.undoRefusal(of: deleted) == [.insertedSince(model: "Animal", id: animal.id.uuid)])
    }

    @Test("Undoing an insert is rejected if the record was edited or is referenced")
    func insertInUse() async throws {
        let fixture = try StoreFixture.lists()
        let bird = Category(name: "Bird"), kea = Animal(name: "Kea", category: bird)
        let category = try await fixture.insert(bird).commit
        let animal = try await fixture.insert(kea).commit
        #expect(await fixture.undoRefusal(of: category) == [.referenced(model: "Category", by: "Animal", count: 1)])
        let edited = try await fixture.submit(Animal(id: kea.id, name: "Kea!", category: bird).update(from: animal))
            .commit
        #expect(
            await fixture.undoRefusal(of: animal) == [
                .changedSince(model: "Animal", id: kea.id.uuid, property: "name", commit: edited)
            ])
        #expect(try await fixture.count(Animal.self) == 1)
    }

    @Test("An undo is rejected if a unique value is taken or a referenced record is missing")
    func valueTaken() async throws {
        let fixture = try StoreFixture.lists()
        let bird = Category(name: "Bird"), kea = Animal(name: "Kea", category: bird)
        try await fixture.insert(bird)
        try await fixture.insert(kea)
        let animalDeleted = try await fixture.submit(kea.deletion).commit
        let categoryDeleted = try await fixture.submit(bird.deletion).commit
        let other = Category(name: "Bird")
        try await fixture.insert(other)
        #expect(
            await fixture.undoRefusal(of: categoryDeleted) == [
                .valueTaken(model: "Category", id: bird.id.uuid, property: "name", by: other.id.uuid)
            ])
        #expect(
            await fixture.undoRefusal(of: animalDeleted) == [
                .missingReference(model: "Animal", id: kea.id.uuid, property: "category")
            ])
    }

    @Test("An undo is rejected if a newer commit added a reference to a record that the undo would delete")
    func newerReference() async throws {
        let fixture = try StoreFixture.lists()
        var animal = Animal(name: "a")
        let version = try await fixture.insert(animal).commit
        let bird = Category(name: "Bird")
        animal.name = "b"
        let first = try await fixture.submit(bird.insertion, animal.update(from: version)).commit
        animal.category = Reference(bird)
        try await fixture.submit(animal.update(from: first))
        #expect(await fixture.undoRefusal(of: first) == [.referenced(model: "Category", by: "Animal", count: 1)])
        #expect(try await fixture.find(animal) != nil)
        #expect(try await fixture.count(Category.self) == 1)
    }

    @Test("Undoing an insert is rejected if the record was edited while its history was off")
    func editedUnseen() async throws {
        let temporary = TemporaryDirectory()
        var animal = Animal(name: "a")
        let first = try StoreFixture(.lists(), in: temporary)
        let inserted = try await first.insert(animal).commit
        await first.store.close()
        let blind = try StoreFixture(.lists(), history: HistoryPolicy().excluding("Animal"), in: temporary)
        animal.name = "b"
        try await blind.submit(animal.update(from: inserted))
        await blind.store.close()
        let last = try StoreFixture(.lists(), in: temporary)
        #expect(
            await last.undoRefusal(of: inserted) == [
                .changedSince(model: "Animal", id: animal.id.uuid, property: "name", commit: nil)
            ])
        #expect(try await last.count(Animal.self) == 1)
    }

    @Test("An undo is rejected if the history has only some of the changes")
    func partlyRecorded() async throws {
        let fixture = try StoreFixture(.lists(), history: HistoryPolicy().excluding("Animal"))
        let bird = Category(name: "Bird")
        try await fixture.insert(bird)
        try await fixture.insert(Animal(name: "Kea", category: bird))
        let deletion = try await fixture.submit(bird.deletion)
        #expect(await fixture.undoRefusal(of: deletion.commit) == [.partlyRecorded])
        #expect(try await fixture.count(Category.self) == 0)
    }

    @Test("An undo is rejected if a record that the commit inserted and deleted exists again")
    func passingRecord() async throws {
        let fixture = try StoreFixture.lists()
        var bird = Category(name: "a")
        let passing = Category(name: "x")
        let version = try await fixture.insert(bird).commit
        bird.name = "b"
        let commit = try await fixture.submit(bird.update(from: version), passing.insertion, passing.deletion).commit
        try await fixture.insert(Category(id: passing.id, name: "a"))
        let obstacles = await fixture.undoRefusal(of: commit)
        #expect(obstacles?.contains(.insertedSince(model: "Category", id: passing.id.uuid)) == true)
    }

    @Test("A rejected undo lists every obstacle and changes nothing")
    func all() async throws {
        let fixture = try StoreFixture.lists()
        let categories = ["Bird", "Fish", "Frog"].map { Category(name: $0) }
        _ = try await fixture.store.submit(ChangeSet(author: "ada", changes: categories.map(\.insertion)))
        let deleted = try await fixture.store.submit(ChangeSet(author: "ada", changes: categories.map(\.deletion)))
        let others = [Category(name: "Bird"), Category(name: "Frog")]
        try await fixture.insert(others[0], others[1])
        let obstacles = await fixture.undoRefusal(of: deleted.commit)
        #expect(
            obstacles.map(Set.init) == [
                .valueTaken(model: "Category", id: categories[0].id.uuid, property: "name", by: others[0].id.uuid),
                .valueTaken(model: "Category", id: categories[2].id.uuid, property: "name", by: others[1].id.uuid),
            ])
        #expect(try await fixture.count(Category.self) == 2)
    }

    @Test("An undo is rejected if the commit is unknown or has no changes")
    func unknown() async throws {
        let fixture = try StoreFixture.lists()
        try await fixture.submit(Animal(name: "gone").deletion)
        #expect(await fixture.undoRefusal(of: 1) == [.notInHistory])
        #expect(await fixture.undoRefusal(of: 99) == [.notInHistory])
    }

    @Test("A commit from before a restore cannot be undone, and its receipt is kept")
    func afterRestore() async throws {
        let fixture = try StoreFixture.lists()
        let changeSet = ChangeSet(Animal(name: "Okapi").insertion)
        let first = try await fixture.store.submit(changeSet)
        let path = fixture.temporary.path + "/new.sqlite"
        let builder = try StoreBuilder(
            path: path, schema: fixture.schema, sortIndexes: SortIndex.lists, engine: StoreEngines.standard)
        try builder.finish(commit: 1)
        _ = try await fixture.replaceContents(withStoreAt: path)
        #expect(await fixture.undoRefusal(of: first.commit) == [.notInHistory])
        #expect(try await fixture.store.submit(changeSet).isRepeat)
        let next = try await fixture.insert(Animal(name: "Kea"))
        #expect(try await fixture.history.commits(HistoryQuery()).map(\.number) == [next.commit])
        try await fixture.undo(next.commit)
        #expect(try await fixture.count(Animal.self) == 0)
    }
}
