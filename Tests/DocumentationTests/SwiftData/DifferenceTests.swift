import Aviary
import Foundation
import Testing

@Suite("Differences from SwiftData")
struct DifferenceTests {
    @Test("A duplicate unique value is rejected, and the first record is unchanged")
    func unique() async throws {
        try await withZoo { store in
            let categories = try await store.repository(for: AnimalCategory.self)
            let first = AnimalCategory(name: "Mammal")
            try await categories.insert(first)
            var refusal: StoreError?

            do {
                try await categories.insert(AnimalCategory(name: "Mammal"))
            } catch let error as StoreError {
                refusal = error  // Another AnimalCategory already has this name.
            }

            #expect(refusal?.code == .notUnique && refusal?.properties == ["name"])
            #expect(refusal?.description == "Another AnimalCategory already has this name.")
            #expect(try await categories.fetchAll().map(\.id) == [first.id])
        }
    }

    @Test("Enums can be filtered and sorted by, and Boolean values can be sorted by")
    func enums() async throws {
        try await withZoo { store in
            let animals = try await store.repository(for: Animal.self)
            let feedings = try await store.repository(for: Feeding.self)
            let lynx = Animal(name: "Lynx", diet: .carnivorous), okapi = Animal(name: "Okapi")
            try await store.submit([
                .insert(lynx), .insert(okapi), .insert(Feeding(animal: Reference(lynx), isDone: true)),
                .insert(Feeding(animal: Reference(okapi))),
            ])

            let diet = Animal.Diet.carnivorous
            let hunters = try await animals.fetch(FetchDescriptor(predicate: #Predicate { $0.diet == diet }))
            let byDiet = try await animals.fetch(
                FetchDescriptor(sortBy: [SortDescriptor(\.diet), SortDescriptor(\.name)]))
            let openFirst = try await feedings.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.isDone)]))

            #expect(hunters.map(\.name) == ["Lynx"])
            #expect(byDiet.map(\.name) == ["Okapi", "Lynx"])
            #expect(openFirst.map(\.isDone) == [false, true])
        }
    }

    @Test("A change set is stored completely or not at all")
    func together() async throws {
        try await withZoo { store in
            let categories = try await store.repository(for: AnimalCategory.self)
            try await categories.insert(AnimalCategory(name: "Bird"))
            let birds = AnimalCategory(name: "Bird")
            var isStored = true

            do {
                try await store.submit([
                    .insert(birds), .insert(Animal(name: "Kea", category: Reference(birds))),
                ])
            } catch {
                isStored = false
            }

            #expect(!isStored)
            #expect(try await store.repository(for: Animal.self).fetchCount() == 0)
        }
    }

    @Test("A fetch can prefetch related records and filter by them")
    func relations() async throws {
        try await withZoo { store in
            let animals = try await store.repository(for: Animal.self)
            let mammals = AnimalCategory(name: "Mammal")
            try await store.submit([
                .insert(mammals), .insert(Animal(name: "Okapi", category: Reference(mammals))),
                .insert(Animal(name: "Kea")),
            ])

            var descriptor = FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)])
            descriptor.relationshipKeyPathsForPrefetching = [\.category]
            descriptor.related = [RelatedCondition(\.category, matching: #Predicate { $0.name == "Mammal" })]
            let found = try await animals.fetchResults(descriptor)
            for animal in found {
                print(animal.name, try found[\.category, of: animal]?.name ?? "")
            }

            #expect(found.map(\.name) == ["Okapi"])
            #expect(try found.map { try found[\.category, of: $0]?.name } == ["Mammal"])
        }
    }
}
