import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Predicates about long lists")
struct LongListTests {
    @Test("A list of thousands of values is asked at once")
    func members() async throws {
        let fixture = try await StoreFixture.creatures((0..<50).map { Creature(name: "\($0 * 1000)") })
        let names = (0..<100_000).map { "\($0)" }
        let found = try await fixture.repository(Creature.self).fetchCount(
            FetchDescriptor(predicate: #Predicate { names.contains($0.name) }))
        #expect(found == 50)
    }

    @Test("A list that is too long for one question is refused, and its error says how many fit")
    func refused() async throws {
        let fixture = try await StoreFixture.creatures([])
        let names = (0..<100_001).map { "\($0)" }
        let error = await #expect(throws: QueryError.self) {
            try await fixture.repository(Creature.self).fetch(
                FetchDescriptor(predicate: #Predicate { names.contains($0.name) }))
        }
        #expect(error?.description.contains("at most 100000") == true)
    }

    @Test("Two hundred tests beside each other are asked at once, and each counts")
    func tests() async throws {
        let fixture = try await StoreFixture.creatures((0..<200).map { Creature(name: "<\($0)>") })
        let parts = (0..<200).map { "<\($0)>" }
        let creatures = fixture.repository(Creature.self)
        let any = #Predicate<Creature> { c in parts.contains { c.name.contains($0) } }
        let none = #Predicate<Creature> { c in parts.allSatisfy { $0 != c.name } }
        #expect(try await creatures.fetchCount(FetchDescriptor(predicate: any)) == 200)
        #expect(try await creatures.fetchCount(FetchDescriptor(predicate: none)) == 0)
    }
}
