import AviaryData
import AviaryDomain
import Foundation
import Testing

@testable import ActivityFeature

@Suite("The history calls records by their declared titles")
struct DeclaredTitleTests {
    @Test("A record has its title while it exists, and its last one after it was deleted")
    func title() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        try await fixture.submit(kea.insertion)
        let titled = Animal.schema.titled { record in (try? Animal(record)).map { "The \($0.name)" } }
        let scope = ActivityScope(
            principal: Principal(account: UUID(), name: "ada", role: .admin, epoch: 1),
            records: [fixture.records(titled), fixture.records(Category.schema)])
        func shown() async throws -> String? {
            let changes = try await fixture.history.changes(of: kea.id.uuid, in: "Animal", before: nil, limit: 9)
            return try await ChangeFormatter(changes, in: scope, history: fixture.history).titles.title(
                RecordKey(model: "Animal", id: kea.id.uuid))
        }
        #expect(try await shown() == "The Kea")
        _ = try await fixture.update(kea, ["name": .text("Kiwi")])
        #expect(try await shown() == "The Kiwi")
        try await fixture.submit(.delete(model: "Animal", id: kea.id.uuid))
        #expect(try await shown() == "The Kiwi")
    }
}
