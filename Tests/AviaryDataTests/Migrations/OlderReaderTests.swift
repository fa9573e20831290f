import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Older programs beside a newer store")
struct OlderReaderTests {
    private let old = Result {
        try Schema.made(.made("name", .string), .made("diet", .choice(["plants"]), default: .text("plants")))
    }
    private let new = Result {
        try Schema.made(
            .made("legs", .integer, default: .integer(4)), .made("name", .string),
            .made("diet", .choice(["plants"]), default: .text("plants")),
            others: [ModelSchema(name: "Keeper", properties: [])]
        )
    }

    private func animals(_ schema: Schema, _ readers: ReaderPool) throws -> [Record] {
        let table = try #require(ModelTables(schema, StoreEngines.standard.dialect)["Animal"])
        return try readers.read { connection in
            try connection.rows("SELECT \(table.selection) FROM \(table.name) ORDER BY id") { try table.record($0) }
        }
    }

    @Test("Readers of the older schema continue and can open after an additive migration")
    func reading() async throws {
        let temporary = TemporaryDirectory(), directory = try DataDirectory(path: temporary.path)
        let first = try Store(directory: directory, schema: old.get(), sortIndexes: [])
        let id = UUID.version7()
        _ = try await first.submit(ChangeSet(.insert(model: "Animal", id: id, values: ["name": .text("Okapi")])))
        let readers = try ReaderPool.patient(directory, old.get())
        let expected: [FieldValue] = [.text("Okapi"), .text("plants")]
        #expect(try animals(old.get(), readers).map(\.values) == [expected])
        await first.close()

        let second = try Store(directory: directory, schema: new.get(), sortIndexes: [])
        defer { withExtendedLifetime(second) {} }
        // The same connection is used, with the statement that it prepared before.
        #expect(try animals(old.get(), readers).map(\.values) == [expected])
        let later = try ReaderPool.patient(directory, old.get())
        #expect(try animals(old.get(), later).map(\.values) == [expected])
        let newer = try ReaderPool.patient(directory, new.get())
        #expect(try animals(new.get(), newer).map(\.values) == [[.integer(4)] + expected])
    }

    @Test("A reader rejects a file with unknown values or missing properties")
    func unreadable() async throws {
        let temporary = TemporaryDirectory(), directory = try DataDirectory(path: temporary.path)
        let store = try Store(directory: directory, schema: new.get(), sortIndexes: [])
        defer { withExtendedLifetime(store) {} }
        for schema in [
            try Schema.made(.made("name", .string), .made("diet", .choice(["meat"]))),
            try Schema.made(.made("name", .integer)), try Schema.made(.made("age", .integer, optional: true)),
            try Schema([ModelSchema(name: "Unicorn", properties: [])]),
        ] {
            #expect(throws: StoreOpenError.self) { try ReaderPool.patient(directory, schema) }
        }
        // The program knows more choices than the file, and accepts null although there is none.
        let wider = try Schema.made(.made("name", .string, optional: true), .made("diet", .choice(["meat", "plants"])))
        _ = try ReaderPool.patient(directory, wider)
    }

    @Test("An insert without a newer property stores its default, and an update keeps the value")
    func writing() async throws {
        let temporary = TemporaryDirectory()
        let fixture = try StoreFixture(new.get(), in: temporary)
        let id = UUID.version7()
        let first = try await fixture.submit(.insert(model: "Animal", id: id, values: ["name": .text("Okapi")]))
        try await fixture.submit(
            .update(model: "Animal", id: id, version: first.commit, values: ["name": .text("Kea")]))
        #expect(
            try animals(new.get(), fixture.readers).map(\.values) == [[.integer(4), .text("Kea"), .text("plants")]])
    }

    @Test("A change set repeated after a migration returns the first receipt")
    func repeatAcrossDeploy() async throws {
        let temporary = TemporaryDirectory(), directory = try DataDirectory(path: temporary.path)
        let changeSet = ChangeSet(
            .insert(model: "Animal", id: .version7(), values: ["name": .text("Okapi"), "diet": .text("plants")]))
        let first = try Store(directory: directory, schema: old.get(), sortIndexes: [])
        let receipt = try await first.submit(changeSet)
        await first.close()
        let second = try Store(directory: directory, schema: new.get(), sortIndexes: [])
        let again = try await second.submit(changeSet)
        #expect(again.commit == receipt.commit && again.isRepeat && !receipt.isRepeat)
        #expect(await second.statistics.lastCommit == receipt.commit)
    }

    @Test("Commits from before an additive migration can be undone, and restored records get the new default")
    func undo() async throws {
        let temporary = TemporaryDirectory(), directory = try DataDirectory(path: temporary.path)
        let (deleted, renamed, inserted) = (UUID.version7(), UUID.version7(), UUID.version7())
        let first = try Store(directory: directory, schema: old.get(), sortIndexes: [])
        for id in [deleted, renamed] {
            _ = try await first.submit(ChangeSet(.insert(model: "Animal", id: id, values: ["name": .text("Okapi")])))
        }
        let delete = try await first.submit(ChangeSet(.delete(model: "Animal", id: deleted)))
        let rename = try await first.submit(
            ChangeSet(.update(model: "Animal", id: renamed, version: 2, values: ["name": .text("Kea")])))
        let insert = try await first.submit(
            ChangeSet(.insert(model: "Animal", id: inserted, values: ["name": .text("Emu")])))
        await first.close()

        let fixture = try StoreFixture(new.get(), in: temporary)
        for commit in [insert.commit, rename.commit, delete.commit] { try await fixture.undo(commit) }
        let records = try animals(new.get(), fixture.readers)
        #expect(Set(records.map(\.id)) == [deleted, renamed])
        #expect(records.allSatisfy { $0.values == [.integer(4), .text("Okapi"), .text("plants")] })
        // The undo can be undone too.
        try await fixture.undo(8)
        #expect(try animals(new.get(), fixture.readers).map(\.id) == [renamed])
        #expect(try await fixture.totalsMatch())
    }

    @Test("A replacement store of an older schema is migrated, and a store of a newer schema is rejected")
    func replacement() async throws {
        let temporary = TemporaryDirectory(), engine = StoreEngines.standard
        let fixture = try StoreFixture(new.get(), in: temporary)
        func build(_ name: String, _ schema: Schema, _ values: [FieldValue]) throws -> String {
            let path = temporary.path + "/" + name
            let builder = try StoreBuilder(path: path, schema: schema, sortIndexes: [], engine: engine)
            let table = try #require(builder.tables["Animal"])
            try builder.insert(
                SnapshotRecord(table: table, id: UUID.version7().canonicalText, version: 1, values: values), line: 1)
            try builder.finish(commit: 1)
            return path
        }
        let older = try build("older", old.get(), [.text("Okapi"), .text("plants")])
        _ = try await fixture.replaceContents(withStoreAt: older)
        #expect(
            try animals(new.get(), fixture.readers).map(\.values) == [[.integer(4), .text("Okapi"), .text("plants")]])

        let grown = try Schema.made(
            .made("legs", .integer, default: .integer(4)), .made("name", .string), .made("diet", .choice(["plants"])),
            .made("tame", .boolean), others: [ModelSchema(name: "Keeper", properties: [])]
        )
        let newer = try build("newer", grown, [.integer(2), .text("Kea"), .text("plants"), .integer(1)])
        await #expect(throws: StoreError.self) { try await fixture.replaceContents(withStoreAt: newer) }
        #expect(
            try animals(new.get(), fixture.readers).map(\.values) == [[.integer(4), .text("Okapi"), .text("plants")]])
        try await fixture.submit(.insert(model: "Animal", id: .version7(), values: ["name": .text("Emu")]))
        #expect(try await fixture.totalsMatch())
    }
}
