import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Snapshot: schema migration")
struct SnapshotMigrationTests {
    private static let keeper = ModelSchema(
        name: "Keeper", properties: [.made("name", .string), .made("boss", .toOne(model: "Keeper"), optional: true)])
    private let temporary = TemporaryDirectory()

    /// Creates a snapshot with a program that has these models and the given changes.
    private func snapshot(of schema: Schema, _ changes: Change...) async throws -> String {
        let fixture = try StoreFixture(schema)
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: changes))
        let path = try #require(try await repository(fixture).create(at: .standard, level: 1).path)
        let kept = temporary.path + "-\(UUID().uuidString).jsonl.gz"
        try FileManager.default.copyItem(atPath: path, toPath: kept)
        return kept
    }

    private func repository(_ fixture: StoreFixture) -> SQLSnapshotRepository {
        let store = fixture.store
        return SQLSnapshotRepository(
            data: fixture.directory.path, app: "Zoo", schema: fixture.schema, sortIndexes: [], runningStore: { store })
    }

    private func insertion(_ id: UUID, _ values: [String: FieldValue], of model: String = "Animal") -> Change {
        .insert(model: model, id: id, values: values)
    }

    @Test("A restore migrates a snapshot of an older schema to the schema of the program")
    func older() async throws {
        let id = UUID.version7(), boss = UUID.version7(), keeper = UUID.version7()
        let old = try Schema.made(.made("title", .string), .made("legs", .integer), others: [Self.keeper])
        let path = try await snapshot(
            of: old, insertion(id, ["title": .text("Owl"), "legs": .integer(2)]),
            insertion(keeper, ["name": .text("Ada"), "boss": .text(boss.canonicalText)], of: "Keeper"),
            insertion(boss, ["name": .text("Bo"), "boss": .null], of: "Keeper"))
        let new = try Schema.made(
            .made("name", .string, unique: true, formerly: "title"), .made("legs", .integer),
            .made("diet", .string, default: .text("mice")),
            others: [Self.keeper, ModelSchema(name: "Cage", properties: [.made("size", .integer)])])
        let fixture = try StoreFixture(new)
        _ = try await fixture.store.submit(
            ChangeSet(
                author: "test",
                changes: [
                    insertion(UUID.version7(), ["name": .text("Later"), "legs": .integer(4), "diet": .text("hay")])
                ]))
        let summary = try #require(
            try await repository(fixture).restore(from: path) { plan in
                #expect(
                    plan.models == [
                        .init(name: "Animal", now: 1, then: 1), .init(name: "Keeper", now: 0, then: 2),
                        .init(name: "Cage", now: 0, then: 0),
                    ])
                #expect(plan.steps.contains("rename Animal.title to Animal.name"))
                return true
            })
        #expect(summary.snapshot.records == 3)
        let rows = try contents(of: fixture.directory.path, onlyRecords: true)
        #expect(rows.count == 3)
        #expect(rows.contains { $0.contains("Owl") && $0.contains("mice") && $0.contains(id.canonicalText) })
        #expect(try await fixture.totalsMatch())
        #expect(try integrity(of: fixture.directory.path) == "ok")
        _ = try await fixture.store.submit(
            ChangeSet(
                author: "test",
                changes: [
                    insertion(UUID.version7(), ["name": .text("After"), "legs": .integer(4), "diet": .text("hay")])
                ]))
        #expect(try await repository(fixture).prove(path).snapshot.records == 3)
    }

    @Test("A snapshot that violates the program's schema is rejected with the property, and nothing changes")
    func repeated() async throws {
        let path = try await snapshot(
            of: try .made(.made("name", .string)), insertion(.version7(), ["name": .text("Owl")]),
            insertion(.version7(), ["name": .text("Owl")]))
        let fixture = try StoreFixture(try .made(.made("name", .string, unique: true)))
        let before = try contents(of: fixture.directory.path)
        let error = await #expect(throws: SnapshotError.self) { try await repository(fixture).restore(from: path) }
        guard case .cannotMigrate(let reasons)? = error?.reason else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(reasons.contains { $0.contains("Animal.name is to be unique") })
        #expect(error?.description.contains("Owl") == false)
        #expect(try contents(of: fixture.directory.path) == before)
    }

    @Test(
        "A snapshot of a newer schema is rejected",
        arguments: [
            [PropertySchema.made("name", .string), .made("wings", .integer)], [.made("name", .string, optional: true)],
            [.made("name", .data)],
        ])
    func newer(properties: [PropertySchema]) async throws {
        let new = try Schema([ModelSchema(name: "Animal", properties: properties)])
        let path = try await snapshot(
            of: new,
            insertion(
                .version7(),
                ["name": properties[0].type == .data ? .blob([1]) : .text("a")].merging(
                    properties.count > 1 ? ["wings": .integer(1)] : [:]
                ) { $1 }))
        let fixture = try StoreFixture(try .made(.made("name", .string)))
        let before = try contents(of: fixture.directory.path)
        let error = await #expect(throws: SnapshotError.self) { try await repository(fixture).restore(from: path) }
        guard case .otherSchema? = error?.reason else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(try contents(of: fixture.directory.path) == before)
    }

    @Test("A snapshot with a model that the program lacks is rejected")
    func droppedModel() async throws {
        let path = try await snapshot(
            of: try .made(.made("name", .string), others: [Self.keeper]), insertion(.version7(), ["name": .text("Owl")])
        )
        let fixture = try StoreFixture(try .made(.made("name", .string)))
        await #expect(throws: SnapshotError.self) { try await repository(fixture).restore(from: path) }
    }

    @Test("The first line encodes and decodes every schema without loss")
    func schemas() throws {
        for schema in [try Schema.snapshots(), try Schema.lists(), try Schema.rules(), try Schema(Schema.builtIn)] {
            var json = JSONWriter()
            json.schema(schema)
            var reader = JSONReader(json.bytes, in: json.bytes.indices)
            let read = try SnapshotManifest.schema(try reader.value(), like: schema)
            let lines = schema.snapshotModels.flatMap { model in
                schema.propertyLines.filter { $0.hasPrefix(model.name + ".") }
            }
            #expect(read.propertyLines.sorted() == lines.sorted())
            #expect(read.links.map(\.name) == schema.snapshotLinks.map(\.name))
            #expect(
                read.foreignKeys.count
                    == schema.foreignKeys.filter { key in schema.snapshotModels.contains { $0.name == key.target } }
                    .count)
        }
    }
}
