import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Steps of a change set")
struct ChangeStepTests {
    private static func delete() -> Change { .delete(model: "Site", id: UUID()) }
    private static func insert() -> Change { .insert(model: "Site", id: UUID(), values: ["code": .text("a")]) }

    /// Returns the number of records that each delete of the steps requests; 0 for another step.
    private func deletes(_ changes: [Change]) throws -> [Int] {
        let tables = ModelTables(try StoreFixture.snapshots().schema, StoreEngines.standard.dialect)
        return try PreparedChange.steps(of: changes, tables: tables).map { step in
            if case .delete(let roots) = step { roots.count } else { 0 }
        }
    }

    @Test("Deletes are one step, however many there are")
    func together() throws {
        #expect(try deletes((0..<1000).map { _ in Self.delete() }) == [1000])
        #expect(try deletes([Self.insert(), Self.delete(), Self.delete()]) == [0, 2])
    }

    @Test("A delete behind another change is repeated, because a record may be inserted in between")
    func repeated() throws {
        #expect(try deletes([Self.delete(), Self.delete(), Self.insert(), Self.delete()]) == [3, 0, 1])
    }

    @Test("The size of a change set is the number of its deletes, too")
    func size() throws {
        let tables = ModelTables(try StoreFixture.snapshots().schema, StoreEngines.standard.dialect)
        let changeSet = ChangeSet(author: "test", changes: (0..<1000).map { _ in Self.delete() })
        #expect(PreparedChangeSet(changeSet, tables: tables).size == 1000)
    }
}
