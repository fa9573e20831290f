import Aviary
import Foundation
import Testing

@Suite("Examples in the SwiftData documentation")
struct SampleTests {
    @Test("An insert stores the record with its defaults")
    func add() async throws {
        try await withZoo { store in
            let categories = try await store.repository(for: AnimalCategory.self)
            let animals = try await store.repository(for: Animal.self)

            let mammals = AnimalCategory(name: "Mammal")
            try await categories.insert(mammals)
            let receipt = try await animals.insert(Animal(name: "Okapi", category: Reference(mammals)))
            print("On disk as commit \(receipt.commit)")

            let okapi = try #require(try await animals.fetchAll().first)
            #expect(okapi.name == "Okapi" && okapi.diet == .herbivorous && okapi.category == Reference(mammals))
            #expect(receipt.commit == 2)
        }
    }

    @Test("A list shows the animals of a category by name")
    func list() async throws {
        try await withZoo { store in
            let animals = try await store.repository(for: Animal.self)
            let mammals = AnimalCategory(name: "Mammal"), birds = AnimalCategory(name: "Bird")
            try await store.submit([
                .insert(mammals), .insert(birds), .insert(Animal(name: "Okapi", category: Reference(mammals))),
                .insert(Animal(name: "Kea", category: Reference(birds))),
                .insert(Animal(name: "Dog", category: Reference(mammals))), .insert(Animal(name: "Dodo")),
            ])

            let name = "Mammal"
            var list = FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)])
            list.related = [RelatedCondition(\.category, matching: #Predicate { $0.name == name })]
            for animal in try await animals.fetch(list) { print(animal.name) }

            #expect(try await animals.fetch(list).map(\.name) == ["Dog", "Okapi"])
            list.sortBy = [SortDescriptor(\.name, order: .reverse)]
            #expect(try await animals.fetch(list).map(\.name) == ["Okapi", "Dog"])
        }
    }

    @Test("An update stores only the properties that the closure changes")
    func edit() async throws {
        try await withZoo { store in
            let animals = try await store.repository(for: Animal.self)
            let okapi = Animal(name: "Okapi")
            try await animals.insert(okapi)

            try await animals.update(okapi.id) { $0.diet = .omnivorous }

            try await animals.update(okapi.id) { $0.name = "Forest giraffe" }
            let stored = try #require(try await animals.find(okapi.id))
            #expect(stored.name == "Forest giraffe" && stored.diet == .omnivorous)
        }
    }

    @Test("Saving twice stores the record once")
    func save() async throws {
        try await withZoo { store in
            let animals = try await store.repository(for: Animal.self)

            var editor = AnimalEditor(adding: animals)
            editor.animal.name = "Okapi"
            await editor.save()

            #expect(editor.isSaved && editor.errorMessage == nil && editor.title == "Add Animal")
            await editor.save()
            #expect(try await animals.fetchAll().map(\.name) == ["Okapi"])

            let okapi = try #require(try await animals.fetchAll().first)
            var again = AnimalEditor(editing: okapi, in: animals)
            again.animal.diet = .carnivorous
            await again.save()
            #expect(again.title == "Edit Animal")
            #expect(try await animals.find(okapi.id)?.diet == .carnivorous)
        }
    }

    @Test("A rejected save reports the error and keeps the values")
    func refused() async throws {
        try await withZoo { store in
            let animals = try await store.repository(for: Animal.self)
            var editor = AnimalEditor(adding: animals)
            editor.animal.diet = .carnivorous
            await editor.save()
            #expect(!editor.isSaved && editor.errorMessage?.contains("name") == true)
            #expect(editor.animal.diet == .carnivorous)
            editor.animal.name = "Okapi"
            await editor.save()
            #expect(editor.isSaved)
        }
    }

    @Test("A discarded editor stores nothing")
    func discard() async throws {
        try await withZoo { store in
            let animals = try await store.repository(for: Animal.self)
            let okapi = Animal(name: "Okapi")
            try await animals.insert(okapi)

            var editor = AnimalEditor(editing: okapi, in: animals)
            editor.animal.name = "Zebra giraffe"
            // Cancel: do nothing. The store has received nothing.

            #expect(!editor.isSaved)
            #expect(try await animals.fetchAll().map(\.name) == ["Okapi"])
        }
    }

    @Test("Several records are deleted together")
    func delete() async throws {
        try await withZoo { store in
            let animals = try await store.repository(for: Animal.self)
            let okapi = Animal(name: "Okapi"), tapir = Animal(name: "Tapir"), kea = Animal(name: "Kea")
            try await store.submit([.insert(okapi), .insert(tapir), .insert(kea)])

            try await animals.delete(ids: [okapi.id, tapir.id])

            #expect(try await animals.fetchAll().map(\.name) == ["Kea"])
        }
    }

    @Test("A delete by predicate removes exactly the matching records")
    func deleteWhere() async throws {
        try await withZoo { store in
            let animals = try await store.repository(for: Animal.self)
            let mammals = AnimalCategory(name: "Mammal")
            try await store.submit([
                .insert(mammals), .insert(Animal(name: "Okapi", category: Reference(mammals))),
                .insert(Animal(name: "Kea")),
            ])

            let count = try await animals.delete(where: #Predicate { $0.category == nil })

            #expect(count == 1)
            #expect(try await animals.fetchAll().map(\.name) == ["Okapi"])
        }
    }

    @Test("A cascading delete reports the number of affected records first")
    func deleteRule() async throws {
        try await withZoo { store in
            let categories = try await store.repository(for: AnimalCategory.self)
            let mammals = AnimalCategory(name: "Mammal")
            let okapi = Animal(name: "Okapi", category: Reference(mammals)), kea = Animal(name: "Kea")
            try await store.submit([.insert(mammals), .insert(okapi), .insert(kea)])
            var told = 0

            do {
                try await store.submit(ChangeSet(author: "Ada", changes: [.delete(mammals)], cascadeLimit: 0))
            } catch let error as StoreError where error.code == .needsConfirmation {
                told = error.deletePlan?.cascades["Animal"] ?? 0
                print("\(told) animals would go along.")
            }

            #expect(told == 1)
            #expect(try await categories.fetchCount() == 1)
            try await categories.delete(id: mammals.id)
            #expect(try await store.repository(for: Animal.self).fetchAll().map(\.name) == ["Kea"])
        }
    }
}
