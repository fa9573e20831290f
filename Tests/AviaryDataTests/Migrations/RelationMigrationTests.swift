import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Migration of relations")
struct RelationMigrationTests {
    private let without: Schema
    private let with: Schema

    init() throws {
        func stored(_ schema: ModelSchema) -> ModelSchema {
            ModelSchema(name: schema.name, properties: schema.storedProperties)
        }
        without = try Schema([stored(Book.schema), stored(Author.schema), Chapter.schema])
        with = try Schema([Book.schema, Author.schema, Chapter.schema])
    }

    @Test("Adding a relation is additive, and a relation without links can be dropped")
    func added() async throws {
        let store = try MigratedStore(from: without)
        let plan = try store.plan(with)
        #expect(plan.kind == .additive && plan.steps == ["add the relation Book.authors"])
        #expect(throws: StoreOpenError.self) { try ReaderPool.patient(store.directory, with) }
        await (try await store.open(with)).close()
        #expect(try store.plan(with).kind == .none)
        #expect(try store.tables().contains("aviary_link.Book.authors"))
        #expect(try store.plan(without).steps == ["drop the relation Book.authors, which has no links"])
        await (try await store.open(without)).close()
        #expect(try !store.tables().contains("aviary_link.Book.authors"))
    }

    @Test("Dropping a relation with links is rejected unless the instructions name the relation")
    func links() async throws {
        let store = try MigratedStore(from: with)
        let book = try await store.insert(["name": .text("Emma")], into: "Book")
        let author = try await store.insert(["name": .text("Jane")], into: "Author")
        try await store.submit(.link(model: "Book", property: "authors", id: book, target: author))
        #expect(try store.plan(without).refusals.first?.contains("its 1 link would be lost") == true)
        await #expect(throws: StoreOpenError.self) { try await store.open(without) }

        let instructions = MigrationInstructions(dropping: ["Book.authors"])
        #expect(try store.plan(without, instructions).steps == ["drop the relation Book.authors with its 1 link"])
        await (try await store.open(without, instructions)).close()
        #expect(try store.copies().count == TestEngine.safetyCopies)
        #expect(try store.values(without, of: "Author") == [[.text("Jane")]])
    }
}
