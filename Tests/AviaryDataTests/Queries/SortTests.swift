import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Sorting of booleans and choices")
struct SortTests {
    @Test(
        "The order of booleans and choices is the same as in Swift",
        arguments: [TestSeed.value])
    func same(seed: UInt64) async throws {
        var menagerie = Menagerie(seed: seed)
        let fixture = try await StoreFixture.creatures(menagerie.creatures(200))
        let creatures = fixture.repository(Creature.self)
        let stored = try await creatures.fetchAll()
        let orders: [[SortDescriptor<Creature>]] = [
            [SortDescriptor(\.isTame)], [SortDescriptor(\.isTagged, order: .reverse), SortDescriptor(\.age)],
            [SortDescriptor(\.diet)], [SortDescriptor(\.secondDiet, order: .reverse)],
            [SortDescriptor(\.secondDiet), SortDescriptor(\.isTame, order: .reverse)],
        ]
        for order in orders {
            let found = try await creatures.fetchIdentifiers(FetchDescriptor(sortBy: order))
            #expect(found == stored.sorted(using: order).map(\.id), "\(order), seed \(seed)")
        }
    }

    @Test("Nil precedes false, false precedes true, and choices follow the order of their declaration")
    func orders() async throws {
        var all: [Creature] = []
        for (index, diet) in [Creature.Diet.omnivorous, .herbivorous, .carnivorous].enumerated() {
            var creature = Creature(name: "\(index)")
            creature.diet = diet
            creature.isTagged = [true, nil, false][index]
            all.append(creature)
        }
        let fixture = try await StoreFixture.creatures(all), creatures = fixture.repository(Creature.self)
        #expect(
            try await creatures.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.diet)])).map(\.diet) == [
                .herbivorous, .carnivorous, .omnivorous,
            ])
        #expect(
            try await creatures.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.isTagged)])).map(\.isTagged) == [
                nil, false, true,
            ])
    }
}
