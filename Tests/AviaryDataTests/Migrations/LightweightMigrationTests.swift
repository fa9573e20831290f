import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Lightweight migration")
struct LightweightMigrationTests {
    private static let keeper = ModelSchema(name: "Keeper", properties: [.made("name", .string)])

    @Test("A renamed property keeps its values, its index and its uniqueness")
    func renamed() async throws {
        let old = try MigratedStore(from: .made(.made("title", .string, unique: true), .made("legs", .integer)))
        let (okapi, _) = try await (
            old.insert(["title": .text("Okapi"), "legs": .integer(4)]),
            old.insert(["title": .text("Kea"), "legs": .integer(2)])
        )
        let new = try Schema.made(.made("name", .string, unique: true, formerly: "title"), .made("legs", .integer))
        let plan = try old.plan(new)
        #expect(plan.kind == .exclusive)
        #expect(plan.steps == ["rename Animal.title to Animal.name"])

        let store = try await old.open(new)
        #expect(try old.values(new) == [[.text("Okapi"), .integer(4)], [.text("Kea"), .integer(2)]])
        #expect(try old.indexes().filter { $0.contains("Animal") } == ["aviary_unique.Animal.name"])
        await #expect(throws: StoreError.notUnique(model: "Animal", property: "name")) {
            try await store.submit(
                ChangeSet(
                    .insert(model: "Animal", id: .version7(), values: ["name": .text("Kea"), "legs": .integer(1)])))
        }
        _ = try await store.submit(
            ChangeSet(.update(model: "Animal", id: okapi, version: 1, values: ["name": .text("Giraffe")])))
        #expect(try old.plan(new).kind == .none)
    }

    @Test("A property with an unknown original name is added")
    func nothingToRename() async throws {
        let old = try MigratedStore(from: .made(.made("name", .string)))
        let new = try Schema.made(.made("name", .string), .made("nick", .string, optional: true, formerly: "title"))
        #expect(try old.plan(new).kind == .additive)
    }

    @Test("Properties can be renamed, made optional and widened at once without losing values")
    func several() async throws {
        let old = try MigratedStore(
            from: .made(.made("title", .string), .made("grams", .integer), .made("tame", .boolean)))
        _ = try await old.insert(["title": .text("it's"), "grams": .integer(-7), "tame": .integer(1)])
        let new = try Schema.made(
            .made("name", .string, optional: true, formerly: "title"), .made("weight", .double, formerly: "grams"),
            .made("tame", .integer), .made("keeper", .toOne(model: "Keeper"), optional: true), others: [Self.keeper]
        )
        #expect(try old.plan(new).steps.contains("let Animal.weight, which was integer, be double"))
        _ = try await old.open(new)
        #expect(try old.values(new) == [[.text("it's"), .real(-7), .integer(1), .null]])
        #expect(try old.types(of: "weight") == [TestEngine.isPostgreSQL ? "double precision" : "real"])
    }

    @Test("An integer that a double cannot hold prevents the migration, and nothing changes")
    func tooLargeForReal() async throws {
        let old = try MigratedStore(from: .made(.made("grams", .integer)))
        _ = try await old.insert(["grams": .integer(1 << 53 + 1)])
        let new = try Schema.made(.made("grams", .double))
        #expect(try old.plan(new).refusals.first?.contains("one value is too large") == true)
        await #expect(throws: StoreOpenError.self) { try await old.open(new) }
        #expect(try old.values(old.schema) == [[.integer(1 << 53 + 1)]])
    }

    @Test(
        "A choice, UUID or calendar date becomes a string in place",
        arguments: [PropertyType.choice(["a", "b"]), .uuid, .calendarDate])
    func toText(_ type: PropertyType) async throws {
        let text =
            ["choice(a,b)": "b", "uuid": UUID.version7().canonicalText, "calendarDate": "2026-11-21"][type.name] ?? ""
        let old = try MigratedStore(from: .made(.made("note", type)))
        _ = try await old.insert(["note": .text(text)])
        let new = try Schema.made(.made("note", .string))
        #expect(try old.plan(new).kind == .exclusive)
        _ = try await old.open(new)
        #expect(try old.values(new) == [[.text(text)]])
    }

    @Test("Compound indexes can be added and removed, but a unique index is rejected for shared values")
    func indexes() async throws {
        let properties = [PropertySchema.made("name", .string), .made("year", .integer, optional: true)]
        func schema(unique: [[String]] = [], indexes: [[String]] = []) throws -> Schema {
            try Schema([
                ModelSchema(name: "Animal", properties: properties, uniqueConstraints: unique, indexes: indexes)
            ])
        }
        let old = try MigratedStore(from: schema())
        for _ in 0..<2 { _ = try await old.insert(["name": .text("Kea"), "year": .integer(1)]) }
        let indexed = try schema(indexes: [["name", "year"]])
        #expect(try old.plan(indexed).kind == .additive)
        #expect(try old.plan(indexed).steps == ["add an index that finds Animal by name and year"])
        #expect(try old.plan(schema(unique: [["name", "year"]])).kind == .refused)
        await (try await old.open(indexed)).close()
        #expect(try old.indexes().filter { $0.contains("Animal") } == ["aviary_index.Animal.name.year"])

        // Two records without a year have no value in common.
        let apart = try MigratedStore(from: schema())
        for _ in 0..<2 { _ = try await apart.insert(["name": .text("Kea"), "year": .null]) }
        let unique = try schema(unique: [["name", "year"]])
        #expect(try apart.plan(unique).kind == .exclusive)
        await (try await apart.open(unique)).close()
        #expect(try apart.plan(unique).kind == .none)
        await (try await apart.open(schema())).close()
        #expect(try apart.indexes().filter { $0.contains("Animal") } == [])
    }

    @Test("A migration drops exactly the models and properties that its instructions name")
    func dropped() async throws {
        let old = try MigratedStore(from: .made(.made("name", .string), .made("legs", .integer), others: [Self.keeper]))
        _ = try await old.insert(["name": .text("Okapi"), "legs": .integer(4)])
        let new = try Schema.made(.made("name", .string))
        #expect(try old.plan(new).kind == .refused)
        #expect(try old.plan(new, MigrationInstructions(dropping: ["Animal.legs"])).refusals.count == 1)
        let instructions = MigrationInstructions(dropping: ["Animal.legs", "Keeper"])
        #expect(
            try old.plan(new, instructions).steps == [
                "drop the model Keeper with all its records", "drop Animal.legs with its values",
            ])
        _ = try await old.open(new, instructions)
        #expect(try old.values(new) == [[.text("Okapi")]])
        #expect(try old.tables().filter { !$0.hasPrefix("aviary_") && !$0.hasPrefix("sqlite_") } == ["Animal"])
    }

    @Test("A commit from before a rewrite of values cannot be undone, but a later commit can")
    func undo() async throws {
        let old = try MigratedStore(from: .made(.made("title", .string)))
        let okapi = try await old.insert(["title": .text("Okapi")])
        let new = try Schema.made(.made("name", .string, formerly: "title"))
        let store = try await old.open(new)
        await #expect(throws: StoreError.undoRefused(commit: 1, [.beforeMigration])) {
            try await store.undo(Undo(id: .version7(), commit: 1, author: "ada"))
        }
        let readers = try ReaderPool.patient(try old.directory, new)
        let history = SQLHistoryRepository(readers: readers, writer: store)
        #expect(try await history.undoBarrier() == 1)
        _ = try await store.submit(
            ChangeSet(.update(model: "Animal", id: okapi, version: 1, values: ["name": .text("Kea")])))
        _ = try await store.undo(Undo(id: .version7(), commit: 2, author: "ada"))
        #expect(try old.values(new) == [[.text("Okapi")]])
    }
}
