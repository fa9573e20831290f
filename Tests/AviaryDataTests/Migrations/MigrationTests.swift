import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Schema changes")
struct MigrationTests {
    private static let keeper = ModelSchema(name: "Keeper", properties: [.made("name", .string)])

    /// A program that wrote a store, and another one that opens it.
    private struct Deploy {
        let temporary = TemporaryDirectory()
        let old: Schema

        init(from old: Schema, records: [[String: FieldValue]] = [["name": .text("Okapi")]]) async throws {
            self.old = old
            let store = try open(old)
            for values in records {
                _ = try await store.submit(ChangeSet(.insert(model: "Animal", id: .version7(), values: values)))
            }
            await store.close()
        }

        var directory: DataDirectory { get throws { try DataDirectory(path: temporary.path) } }

        func open(_ schema: Schema, sortIndexes: [SortIndex] = []) throws -> Store {
            try Store(directory: directory, schema: schema, sortIndexes: sortIndexes)
        }

        func plan(_ schema: Schema, sortIndexes: [SortIndex] = []) throws -> DerivedMigration {
            try #require(try DerivedMigration.planned(for: schema, sortIndexes: sortIndexes, in: directory))
        }

        func readers(_ schema: Schema) throws -> ReaderPool { try ReaderPool.patient(directory, schema) }

        /// Returns the values of the animals, in the order of the schema.
        func animals(_ schema: Schema) async throws -> [[FieldValue]] {
            let table = try #require(ModelTables(schema, StoreEngines.standard.dialect)["Animal"])
            return try readers(schema).read { connection in
                try connection.rows("SELECT \(table.selection) FROM \(table.name) ORDER BY id") {
                    try table.record($0).values
                }
            }
        }

        /// Returns the complete schema of the file, so that no change goes unnoticed.
        func dump() throws -> [String] {
            try readers(old).read { connection in
                let definitions =
                    TestEngine.isPostgreSQL
                    ? try connection.tableNames().map { "\($0) \(try connection.columnNames(ofTable: $0))" }
                        + connection.indexes().map(\.creation)
                    : try connection.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name") {
                        $0.text(0) ?? ""
                    }
                return try definitions.sorted()
                    + connection.rows("SELECT value FROM aviary_meta WHERE key = 'schema'") { $0.text(0) ?? "" }
            }
        }
    }

    @Test("An unchanged schema needs no migration, whatever the order of its properties")
    func same() async throws {
        let old = try Schema.made(.made("name", .string), .made("legs", .integer, optional: true))
        let deploy = try await Deploy(from: old)
        #expect(try deploy.plan(old).kind == .none)
        #expect(try deploy.plan(.made(.made("legs", .integer, optional: true), .made("name", .string))).steps == [])
        let nothing = TemporaryDirectory()
        #expect(try DerivedMigration.planned(for: old, sortIndexes: [], in: DataDirectory(path: nothing.path)) == nil)
        #expect(!DataDirectory.hasStore(at: nothing.path))
    }

    @Test("Optional properties and properties with a default are added to existing records")
    func additive() async throws {
        let deploy = try await Deploy(from: .made(.made("name", .string)))
        let keeper = PropertySchema.made("keeper", .toOne(model: "Keeper"), optional: true)
        let schema = try Schema.made(
            .made("legs", .integer, optional: true), .made("name", .string), .made("habitat", .string),
            .made("tame", .boolean), .made("diet", .choice(["plants", "meat"]), default: .text("plants")), keeper,
            .made("weight", .double, default: .real(-2.5)), .made("motto", .string, default: .text("it's; \"--")),
            .made("eggs", .integer, default: .integer(.min)), .made("tag", .string, optional: true, unique: true),
            others: [Self.keeper]
        )
        let plan = try deploy.plan(schema)
        #expect(plan.kind == .additive)
        #expect(plan.steps.contains("add Animal.habitat, \"\" in the records that are there"))
        #expect(plan.steps.contains("add the model Keeper"))
        let store = try deploy.open(schema)
        #expect(
            try await deploy.animals(schema) == [
                [
                    .null, .text("Okapi"), .text(""), .integer(0), .text("plants"), .null, .real(-2.5),
                    .text("it's; \"--"),
                    .integer(.min), .null,
                ]
            ])
        #expect(try deploy.plan(schema).kind == .none)
        // The new reference has an index and a constraint.
        let dangling = ["name": FieldValue.text("Kea"), "keeper": .text(UUID.version7().canonicalText)]
        await #expect(throws: StoreError.missingReference(model: "Animal", property: "keeper")) {
            try await store.submit(ChangeSet(.insert(model: "Animal", id: .version7(), values: dangling)))
        }
        let indexes = try deploy.readers(schema).read { try $0.indexes().map(\.name) }
        #expect(Set(indexes).isSuperset(of: ["aviary_reference.Animal.keeper", "aviary_unique.Animal.tag"]))
    }

    @Test("Adding a sort index is additive, and a sort index can be dropped")
    func sortIndexes() async throws {
        let schema = try Schema.made(.made("name", .string))
        let deploy = try await Deploy(from: schema)
        let index = SortIndex(model: "Animal", property: "name")
        #expect(try deploy.plan(schema, sortIndexes: [index]).kind == .additive)
        await (try deploy.open(schema, sortIndexes: [index])).close()
        #expect(try deploy.plan(schema, sortIndexes: [index]).kind == .none)
        #expect(try deploy.plan(schema).steps == ["drop the index that sorted Animal by name"])
    }

    @Test("A property can become unique only if no two records share a value")
    func unique() async throws {
        let old = try Schema.made(.made("name", .string)), new = try Schema.made(.made("name", .string, unique: true))
        let doubled = try await Deploy(from: old, records: ["a", "a", "b", "c", "c"].map { ["name": .text($0)] })
        let before = try doubled.dump()
        #expect(try doubled.plan(new).kind == .refused)
        let error = #expect(throws: StoreOpenError.self) { try doubled.open(new) }
        #expect(try #require(error).description.contains("2 values are there more than once"))
        #expect(try doubled.dump() == before)

        let deploy = try await Deploy(from: old, records: ["a", "b"].map { ["name": .text($0)] })
        #expect(try deploy.plan(new).kind == .exclusive)
        let store = try deploy.open(new)
        await #expect(throws: StoreError.notUnique(model: "Animal", property: "name")) {
            try await store.submit(ChangeSet(.insert(model: "Animal", id: .version7(), values: ["name": .text("a")])))
        }
        await store.close()
        // The change is reversible.
        #expect(try deploy.plan(old).kind == .exclusive)
        let again = try deploy.open(old)
        _ = try await again.submit(ChangeSet(.insert(model: "Animal", id: .version7(), values: ["name": .text("a")])))
    }

    @Test("A choice can gain cases, change their order, and lose cases that no record holds")
    func choices() async throws {
        func schema(_ choices: String...) throws -> Schema {
            try .made(.made("name", .string), .made("diet", .choice(choices)))
        }
        let values: [String: FieldValue] = ["name": .text("Okapi"), "diet": .text("a,b")]
        let deploy = try await Deploy(from: schema("a,b", "c\nd"), records: [values])
        #expect(try deploy.plan(schema("a,b", "c\nd")).kind == .none)
        #expect(try deploy.plan(schema("a", "b", "c\nd")).kind == .refused)
        #expect(try deploy.plan(schema("a,b")).kind == .exclusive)
        #expect(try deploy.plan(schema("c\nd", "a,b")).kind == .additive)
        #expect(try deploy.plan(schema("e", "a,b", "c\nd")).kind == .exclusive)
        #expect(
            try deploy.plan(schema("a,b")).steps == [
                "remove c\nd from the choices of Animal.diet if no record holds it"
            ])
        #expect(
            try deploy.plan(schema("c\nd")).refusals == [
                "Animal.diet no longer has the choice a,b, which one record holds. Give the records another value with "
                    + "the program that wrote the file: update Animal --query … --set diet=…; or declare the choice "
                    + "again, or write a migration plan that converts Animal."
            ])
        #expect(throws: StoreOpenError.self) { try deploy.open(schema("c\nd")) }
        await (try deploy.open(schema("a,b", "c\nd", "e"))).close()
        #expect(try deploy.plan(schema("a,b", "c\nd", "e")).kind == .none)
        // A commit from before may have had a removed choice.
        let store = try deploy.open(schema("a,b"))
        await #expect(throws: StoreError.undoRefused(commit: 1, [.beforeMigration])) {
            try await store.undo(Undo(id: .version7(), commit: 1, author: "ada"))
        }
        await store.close()
    }

    @Test("Making a property optional keeps records, references, indexes and totals", .onlySQLite("PRAGMA statements"))
    func optional() async throws {
        let name = PropertySchema.made("name", .string, unique: true)
        let friend = PropertySchema.made("friend", .toOne(model: "Animal"), optional: true)
        let old = try Schema.made(name, .made("legs", .integer), friend), temporary = TemporaryDirectory()
        let directory = try DataDirectory(path: temporary.path)
        let index = SortIndex(model: "Animal", property: "legs")
        let first = try Store(directory: directory, schema: old, sortIndexes: [index])
        let (okapi, kea) = (UUID.version7(), UUID.version7())
        for (id, text, friend) in [(okapi, "Okapi", kea), (kea, "Kea", okapi)] {
            _ = try await first.submit(
                ChangeSet(
                    .insert(
                        model: "Animal", id: id,
                        values: [
                            "name": .text(text), "legs": .integer(4),
                            "friend": id == kea ? .text(friend.canonicalText) : .null,
                        ])))
        }
        await first.close()

        let new = try Schema.made(name, .made("legs", .integer, optional: true), friend, .made("tame", .boolean))
        #expect(try DerivedMigration.planned(for: new, sortIndexes: [index], in: directory)?.kind == .exclusive)
        let store = try Store(directory: directory, schema: new, sortIndexes: [index])
        let readers = try ReaderPool.patient(directory, new)
        let animals = SQLRecordRepository(
            model: try #require(new.model("Animal")), schema: new, readers: readers, writer: store)
        #expect(try await animals.count() == 2)
        #expect(
            try await animals.find(kea)?.values == [.text("Kea"), .integer(4), .text(okapi.canonicalText), .integer(0)])
        #expect(readers.sortIndexes == [index])
        #expect(
            try readers.read { try $0.indexes().map(\.name).sorted() }.filter { $0.contains("Animal") } == [
                "aviary_reference.Animal.friend", "aviary_sort.Animal.legs", "aviary_unique.Animal.name",
            ])
        // The constraints are enforced again.
        #expect(try await store.pragma("foreign_keys") == "1")
        _ = try await store.submit(ChangeSet(.update(model: "Animal", id: kea, version: 2, values: ["legs": .null])))
        #expect(
            try DerivedMigration.planned(for: new, sortIndexes: [index], in: directory)?.kind
                == SchemaDifference.Kind.none)
    }

    @Test("Each change that would lose or lack values is rejected with a reason, and nothing changes")
    func refused() async throws {
        let old = try Schema.made(
            .made("name", .string), .made("legs", .integer, optional: true), .made("nick", .string, optional: true),
            others: [Self.keeper]
        )
        let deploy = try await Deploy(from: old)
        let before = try deploy.dump()
        let new = try Schema.made(
            .made("title", .string), .made("legs", .string, optional: true), .made("nick", .string),
            .made("age", .integer),
            .made("label", .string, required: true)
        )
        let plan = try deploy.plan(new)
        #expect(plan.kind == .refused)
        for part in [
            "The model Keeper is in the file and not in the program",
            "Animal.name is in the file and not in the program",
            "if title or label is its new name", "Animal.legs is integer in the file and string in the program",
            "Animal.nick may be empty in the file", "Animal.age is new", "Animal.label is new",
        ] {
            #expect(plan.refusals.contains { $0.contains(part) }, "\(part)")
        }
        let error = #expect(throws: StoreOpenError.self) { try deploy.open(new) }
        guard case .migrationRefused(plan.refusals) = error else { throw UnexpectedResult() }
        #expect(try deploy.dump() == before)
        #expect(try await deploy.animals(old).count == 1)
        await (try deploy.open(old)).close()
    }

    @Test("A new unique property with a default is rejected if two records would share the value")
    func sharedDefault() async throws {
        let old = try Schema.made(.made("name", .string))
        let new = try Schema.made(.made("name", .string), .made("tag", .string, unique: true, default: .text("x")))
        let one = try await Deploy(from: old)
        #expect(try one.plan(new).kind == .exclusive)
        let two = try await Deploy(from: old, records: [["name": .text("a")], ["name": .text("b")]])
        #expect(try two.plan(new).kind == .refused)
    }

    @Test("The store and the readers reject a file that lacks a column and name the property")
    func droppedByHand() async throws {
        let schema = try Schema.made(.made("name", .string), .made("legs", .integer, optional: true))
        let deploy = try await Deploy(from: schema)
        let file = try StoreEngines.standard.openWriter(deploy.directory)
        try file.run(#"ALTER TABLE "Animal" DROP COLUMN legs"#)
        file.close()
        let expected = StoreOpenError.missingColumn(model: "Animal", property: "legs")
        #expect(throws: expected) { try deploy.open(schema) }
        #expect(throws: expected) { try deploy.readers(schema) }
        #expect(throws: expected) { try deploy.plan(schema) }
    }
}
