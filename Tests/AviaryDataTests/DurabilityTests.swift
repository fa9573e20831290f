import AviaryData
import AviaryDomain
import Foundation
import Testing

@Suite("Durability")
struct DurabilityTests {
    @Test("An acknowledged change set is visible to another connection")
    func visibleToOthers() async throws {
        let fixture = try StoreFixture.lists()
        let animal = Animal(name: "Okapi")
        try await fixture.insert(animal)
        let record = try #require(try await fixture.find(animal))
        #expect(record.title(in: Animal.schema) == "Okapi")
        #expect(record.version == 1)
    }
}
