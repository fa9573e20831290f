import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Migration of text indexes")
struct SearchMigrationTests {
    private func schema(name: Bool, note: Bool = false) throws -> Schema {
        try .made(.made("name", .string, fullText: name), .made("note", .string, fullText: note))
    }

    @Test("Adding a text index is additive")
    func added() async throws {
        let store = try MigratedStore(from: schema(name: false))
        let plan = try store.plan(schema(name: true))
        #expect(plan.kind == .additive && plan.steps == ["index the words of Animal.name"])
        await (try await store.open(schema(name: true))).close()
        #expect(try store.tables().contains("aviary_search.Animal"))
        #expect(try store.plan(schema(name: true)).kind == .none && store.copies() == [])
        #expect(try store.plan(schema(name: true, note: true)).steps == ["index the words of Animal.note"])
    }

    @Test(
        "A text index of the former version, which finds no short parts, is built again",
        .onlySQLite("text indexes of former versions"))
    func former() async throws {
        let searched = try schema(name: true), store = try MigratedStore(from: searched)
        _ = try await store.insert(["name": .text("Okapi"), "note": .text("shy")])
        await (try await store.open(searched)).close()
        let connection = try StoreEngines.standard.openWriter(try store.directory)
        for statement in [
            #"DROP TABLE "aviary_search.Animal.parts""#, #"DROP TABLE "aviary_search.Animal.words""#,
            #"UPDATE "aviary_search.Animal" SET name = 'okapi'"#,
            #"CREATE VIRTUAL TABLE "aviary_search.Animal.words" USING fts5("name", content="aviary_search.Animal", "#
                + #"content_rowid=number, tokenize='trigram case_sensitive 1')"#,
            #"INSERT INTO "aviary_search.Animal.words" ("aviary_search.Animal.words") VALUES ('rebuild')"#,
        ] { try connection.run(statement) }
        connection.close()
        let plan = try store.plan(searched)
        #expect(plan.kind == .additive && plan.steps == ["index the words of Animal.name"])
        await (try await store.open(searched)).close()
        #expect(try store.plan(searched).kind == .none && store.copies() == [])
        let ids = SearchTable.ids(
            of: .part("pi", column: "name"), in: "Animal", StoreEngines.standard.dialect)
        let found = try store.read { connection in
            try connection.rows(ids.text, ids.values) { $0.uuid(0) }
        }
        #expect(found.count == 1)
    }

    @Test("A text index without the marks of this version is built again, as after an older program has run")
    func returned() async throws {
        let searched = try schema(name: true), store = try MigratedStore(from: searched)
        _ = try await store.insert(["name": .text("Okapi"), "note": .text("shy")])
        await (try await store.open(searched)).close()
        let connection = try StoreEngines.standard.openWriter(try store.directory)
        let trigger = try #require(try connection.triggers()["aviary_search.Animal.insert"])
        try connection.run(connection.dialect.dropTrigger(connection.dialect.name("aviary_search.Animal.insert")))
        let older = trigger.replacing("/* form 2 */ ", with: "")
        // A trigger of the other engine is a function and its use, one a line.
        for statement in TestEngine.isPostgreSQL ? older.components(separatedBy: "\n") : [older] {
            try connection.run(statement)
        }
        try connection.run(#"UPDATE "aviary_search.Animal" SET name = 'okapi'"#)
        connection.close()
        #expect(trigger.contains("/* form 2 */"))
        await (try await store.open(searched)).close()
        let texts = try store.read { try $0.rows(#"SELECT name FROM "aviary_search.Animal""#) { $0.text(0) } }
        #expect(texts == [TestEngine.indexed("okapi")])
    }

    @Test("Dropping a text index is exclusive and makes no safety copy")
    func dropped() async throws {
        let store = try MigratedStore(from: schema(name: true, note: true))
        _ = try await store.insert(["name": .text("Okapi"), "note": .text("shy")])
        let one = try store.plan(schema(name: true))
        #expect(one.kind == .exclusive && one.steps == ["drop the index over the words of Animal.note"])
        let both = try store.plan(schema(name: false))
        #expect(both.kind == .exclusive && both.steps.count == 2)
        await (try await store.open(schema(name: false))).close()
        #expect(try !store.tables().contains("aviary_search.Animal") && store.copies() == [])
        #expect(try store.values(schema(name: false)) == [[.text("Okapi"), .text("shy")]])
    }

    @Test("Renaming a property keeps its text index")
    func renamed() async throws {
        let store = try MigratedStore(from: schema(name: true))
        _ = try await store.insert(["name": .text("Okapi"), "note": .text("shy")])
        let new = try Schema([
            ModelSchema(
                name: "Animal",
                properties: [
                    PropertySchema.made("title", .string, fullText: true, formerly: "name"), .made("note", .string),
                ])
        ])
        #expect(try store.plan(new).steps == ["rename Animal.name to Animal.title"])
        await (try await store.open(new)).close()
        #expect(try store.plan(new).kind == .none)
    }
}
