import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("A statement changes nothing that SQLite keeps for itself")
struct DefenceTests {
    @Test("The writer's connection refuses changes of the schema's table, also where they are asked for first")
    func schemaTable() throws {
        let temporary = TemporaryDirectory()
        let writer = try SQLiteEngine().openWriter(try DataDirectory(path: temporary.path))
        defer { writer.close() }
        try writer.run("CREATE TABLE Kept (id INTEGER PRIMARY KEY)")
        try writer.run("PRAGMA writable_schema=ON")
        #expect(throws: (any Error).self) { try writer.run("DELETE FROM sqlite_schema") }
        #expect(try writer.tableNames().contains("Kept"))
    }
}
