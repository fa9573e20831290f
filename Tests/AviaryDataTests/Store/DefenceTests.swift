import AviaryDomain
import Testing

@testable import AviaryData

@Suite("Protection of the schema table", .onlySQLite("a table of the schema that statements can change"))
struct DefenceTests {
    @Test("No statement changes the schema table, even with writable_schema on")
    func schemaTable() async throws {
        let fixture = try StoreFixture.lists()
        try await fixture.store.configure { connection in
            try connection.run("PRAGMA writable_schema=ON")
            #expect(throws: EngineError.self) { try connection.run("UPDATE sqlite_schema SET sql = sql") }
        }
    }

    @Test("The schema table is protected again after a rebuild of indexes")
    func afterRepair() async throws {
        let fixture = try StoreFixture.lists()
        try await fixture.insert(Animal(name: "Kea"))
        try await fixture.store.configure { connection in
            try connection.transaction { try connection.file?.rebuildIndexes(ofTable: "Animal") }
            try connection.run("PRAGMA writable_schema=ON")
            #expect(throws: EngineError.self) { try connection.run("UPDATE sqlite_schema SET sql = sql") }
        }
    }
}
