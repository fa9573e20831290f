import AviaryDomain

@testable import AviaryData

extension StoreFixture {
    /// A store with these.
    static func creatures(_ creatures: [Creature]) async throws -> StoreFixture {
        let fixture = try StoreFixture(Schema([Creature.schema]))
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: creatures.map(\.insertion)))
        return fixture
    }

    func repository<M: Model>(_ model: M.Type) -> Repository<M> {
        Repository(records(model), author: "test")
    }
}
