import AviaryDomain
import Testing

@testable import AviaryData

@Suite("What the engine keeps for itself")
struct DefenceTests {
    @Test("No statement changes the table of the schema, also where one says that it may")
    func schemaTable() async throws {
        let fixture = try StoreFixture.lists()
        try await fixture.store.configure { connection in
            try connection.run("PRAGMA writable_schema=ON")
            #expect(throws: EngineError.self) { try connection.run("UPDATE sqlite_schema SET sql = sql") }
        }
    }

    @Test("A repair of indexes may change it, and nobody after it")
    func afterRepair() async throws {
        let fixture = try StoreFixture.lists()
        try await fixture.insert(Animal(name: "Kea"))
        try await fixture.store.configure { connection in
            try connection.transaction { try connection.rebuildIndexes(ofTable: "Animal") }
            try connection.run("PRAGMA writable_schema=ON")
            #expect(throws: EngineError.self) { try connection.run("UPDATE sqlite_schema SET sql = sql") }
        }
    }
}
