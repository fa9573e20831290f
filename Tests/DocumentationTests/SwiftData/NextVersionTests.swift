import Aviary
import AviaryTesting
import Foundation
import Testing

/// The program of the first version of the models.
private struct OldZoo: AviaryApp {
    var admin: some Admin {
        ModelAdmin(ZooSchemaV1.Animal.self)
        ModelAdmin(ZooSchemaV1.AnimalCategory.self)
    }
}

@Suite("Migration and sample data in the SwiftData documentation")
struct NextVersionTests {
    @Test("The plan renames categories of the same name, and every animal keeps its category")
    func migrates() async throws {
        try await withDataDirectory { data in
            let first = ZooSchemaV1.AnimalCategory(name: "Mammal"), second = ZooSchemaV1.AnimalCategory(name: "Mammal")
            let okapi = ZooSchemaV1.Animal(name: "Okapi", category: Reference(first))
            let tapir = ZooSchemaV1.Animal(name: "Tapir", diet: .omnivorous, category: Reference(second))
            try await OldZoo.withStore(data: data, as: "Ada", createsStore: true) { store in
                _ = try await store.submit([.insert(first), .insert(second), .insert(okapi), .insert(tapir)])
            }

            try await Zoo.withStore(data: data, as: "Ada") { store in
                let categories = try await store.repository(for: AnimalCategory.self).fetchAll()
                #expect(Set(categories.map(\.name)) == ["Mammal", "Mammal 2"])
                #expect(Set(categories.map(\.id.uuid)) == [first.id.uuid, second.id.uuid])
                let animals = try await store.repository(for: Animal.self)
                    .fetch(FetchDescriptor(sortBy: [SortDescriptor(\.name)]))
                #expect(animals.map(\.name) == ["Okapi", "Tapir"])
                #expect(animals.map(\.diet) == [.herbivorous, .omnivorous])
                #expect(animals.map { $0.category?.id.uuid } == [first.id.uuid, second.id.uuid])
                #expect(try await store.repository(for: Feeding.self).fetchCount() == 0)
            }
        }
    }

    @Test("A test looks at a list of the sample data, as a preview does")
    func preview() async throws {
        try await TestApplication.serve(Zoo.self, withSampleData: true) { application in
            let browser = try await application.signedIn(as: "ada")
            let list = try await browser.get("/admin/animals")
            #expect(list.rows.map(\.title) == ["Kea", "Okapi"])
        }
    }
}
