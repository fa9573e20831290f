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
