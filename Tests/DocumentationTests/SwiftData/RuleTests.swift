import Aviary
import Foundation
import Testing

@Suite("Feature rules in an application")
struct RuleTests {
    @Test("A delete removes records from the list immediately, and a rejected delete restores them")
    func reverted() async throws {
        try await withZoo { store in
            let animals = try await store.repository(for: Animal.self)
            let feedings = try await store.repository(for: Feeding.self)
            let okapi = Animal(name: "Okapi"), kea = Animal(name: "Kea"), dodo = Animal(name: "Dodo")
            try await store.submit([.insert(okapi), .insert(kea), .insert(dodo)])
            try await feedings.insert(Feeding(animal: Reference(okapi)))

            var list = AnimalList(animals)
            try await list.load()
            await list.delete([dodo.id])
            await list.delete([okapi.id, kea.id])  // the okapi is fed today: neither goes
            print(list.errorMessage ?? "Deleted.")

            #expect(list.animals.map(\.name) == ["Kea", "Okapi"])
            #expect(list.errorMessage?.contains("1 feeding still refers to this animal.") == true)
            #expect(Set(try await animals.fetchAll().map(\.name)) == ["Kea", "Okapi"])
        }
    }
}
