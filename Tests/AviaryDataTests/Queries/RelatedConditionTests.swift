import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Conditions on related records")
struct RelatedConditionTests {
    private let categories = ["Mammal", "Bird", "Fish"].map { AviaryDataTests.Category(name: $0) }
    private var animals: [Animal] {
        (0..<30).map {
            Animal(
                name: "animal \($0)", category: $0 % 4 == 3 ? nil : categories[$0 % 3 == 2 ? 0 : $0 % 2],
                weight: Double($0))
        }
    }

    private func fixture(_ animals: [Animal]) async throws -> StoreFixture {
        let fixture = try StoreFixture.lists()
        _ = try await fixture.store.submit(
            ChangeSet(author: "test", changes: categories.map(\.insertion) + animals.map(\.insertion)))
        return fixture
    }

    @Test("A condition on a reference matches its record, and the negation includes nil")
    func reference() async throws {
        let animals = animals
        let fixture = try await fixture(animals), repository = fixture.repository(Animal.self)
        let isBird = RelatedCondition<Animal>(\.category, matching: #Predicate { $0.name == "Bird" })
        let birds = Set(animals.filter { $0.category?.id == categories[1].id }.map(\.id))
        var descriptor = FetchDescriptor<Animal>(predicate: #Predicate { $0.weight > 5 })
        let heavy = Set(animals.filter { $0.weight > 5 }.map(\.id))
        descriptor.related = [isBird]
        #expect(try await Set(repository.fetchIdentifiers(descriptor)) == birds.intersection(heavy))
        #expect(try await repository.fetchCount(descriptor) == birds.intersection(heavy).count)
        descriptor.related = [!isBird]
        #expect(try await Set(repository.fetchIdentifiers(descriptor)) == heavy.subtracting(birds))
        descriptor.related = [isBird, !isBird]
        #expect(try await repository.fetch(descriptor).isEmpty)
    }

    @Test("A condition on a to-many relation matches if any related record matches")
    func containing() async throws {
        let animals = animals
        let fixture = try await fixture(animals), repository = fixture.repository(AviaryDataTests.Category.self)
        let weight = 26.0
        let hasHeavy = RelatedCondition<AviaryDataTests.Category>(
            \.animals, containing: #Predicate { $0.weight > weight && $0.note == nil })
        let wanted = categories.filter { category in
            animals.contains { $0.category?.id == category.id && $0.weight > weight }
        }
        var descriptor = FetchDescriptor<AviaryDataTests.Category>()
        descriptor.related = [hasHeavy]
        #expect(try await Set(repository.fetchIdentifiers(descriptor)) == Set(wanted.map(\.id)) && !wanted.isEmpty)
        descriptor.related = [!RelatedCondition(\.animals, containing: #Predicate { _ in true })]
        #expect(try await repository.fetch(descriptor).map(\.name) == ["Fish"])
    }

    @Test("An unsupported condition is rejected with the name of the related model")
    func refused() async throws {
        var descriptor = FetchDescriptor<Animal>()
        descriptor.related = [RelatedCondition(\.category, matching: #Predicate { $0.name.count > 3 })]
        let error = #expect(throws: QueryError.self) { try descriptor.query() }
        #expect(error?.model == "Category")
    }
}
