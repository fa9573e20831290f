import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Snapshot: secrets")
struct SecretSnapshotTests {
    @Test("A snapshot contains no secrets by default and states so in its manifest")
    func omitted() async throws {
        let (fixture, _, _) = try await suppliers()
        let text = try SnapshotText(try #require(try await snapshots(fixture).create(at: .standard, level: 1).path))
            .lines
        #expect(!text.contains { $0.contains("opensesame") || $0.contains("pin-4711") })
        #expect(text.first?.contains(#""secrets":false"#) == true)
        #expect(text.contains { $0.contains("Hay & Co") })
    }

    @Test("A snapshot contains secrets on request, and a restore brings the secrets back")
    func included() async throws {
        let (fixture, hay, _) = try await suppliers()
        let path = try #require(
            try await snapshots(fixture).create(
                at: .standard, level: 1, includingSecrets: true, includingHistory: false
            ).path)
        #expect(try SnapshotText(path).lines.first?.contains(#""secrets":true"#) == true)
        try await fixture.submit(.delete(model: "Supplier", id: hay.id.uuid))
        _ = try await snapshots(fixture).restore(from: path)
        #expect(try await fixture.find(hay)?.values == [.text("Hay & Co"), .text("opensesame-1"), .text("pin-4711")])
    }

    @Test("A restore without secrets keeps the secrets of existing records only")
    func restored() async throws {
        let (fixture, hay, straw) = try await suppliers()
        let path = try #require(try await snapshots(fixture).create(at: .standard, level: 1).path)
        try await fixture.submit(.delete(model: "Supplier", id: hay.id.uuid))
        let stored = try #require(try await fixture.find(straw))
        try await fixture.submit(
            .update(
                model: "Supplier", id: straw.id.uuid, version: stored.version,
                values: ["name": .text("Strawberry"), "accessKey": .text("opensesame-3")]))
        _ = try await snapshots(fixture).restore(from: path)
        #expect(try await fixture.find(hay)?.values == [.text("Hay & Co"), .null, .text("")])
        #expect(try await fixture.find(straw)?.values == [.text("Straw"), .text("opensesame-3"), .text("")])
    }

    @Test("The before-restore snapshot contains secrets, and only its owner can read the file")
    func replaced() async throws {
        let (fixture, hay, straw) = try await suppliers()
        let path = try #require(try await snapshots(fixture).create(at: .standard, level: 1).path)
        let barley = Supplier("Barley", accessKey: "opensesame-9", pin: "pin-9")
        try await fixture.insert(barley)
        try await fixture.submit(.delete(model: "Supplier", id: hay.id.uuid))
        let before = [try await fixture.find(barley)?.values, try await fixture.find(straw)?.values]
        let replaced = try #require(try await snapshots(fixture).restore(from: path).replaced?.path)
        #expect(try await fixture.find(barley) == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: replaced)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        _ = try await snapshots(fixture).restore(from: replaced)
        #expect(try await [fixture.find(barley)?.values, fixture.find(straw)?.values] == before)
        #expect(try await fixture.find(hay) == nil)
    }

    @Test("A restore keeps secrets that were written during the restore")
    func concurrentWrites() async throws {
        let (fixture, hay, straw) = try await suppliers()
        let path = try #require(try await snapshots(fixture).create(at: .standard, level: 1).path)
        let repository = SQLSnapshotRepository(
            data: fixture.directory.path, app: "Zoo", schema: fixture.schema, sortIndexes: [],
            // The closure is called when the snapshot is read, and before its records replace those of the store.
            runningStore: {
                for (supplier, key) in [
                    (hay, FieldValue.null), (straw, .text("opensesame-1")), (hay, .text("opensesame-2")),
                ] {
                    let version = try #require(try await fixture.find(supplier)).version
                    try await fixture.submit(
                        .update(
                            model: "Supplier", id: supplier.id.uuid, version: version, values: ["accessKey": key]))
                }
                return fixture.store
            }
        )
        _ = try await repository.restore(from: path)
        #expect(try await fixture.find(hay)?.values == [.text("Hay & Co"), .text("opensesame-2"), .text("pin-4711")])
        #expect(try await fixture.find(straw)?.values == [.text("Straw"), .text("opensesame-1"), .text("")])
    }

    @Test("A snapshot without secrets can be verified and restored into an empty directory")
    func intoEmpty() async throws {
        let (fixture, hay, _) = try await suppliers()
        let path = try #require(try await snapshots(fixture).create(at: .standard, level: 1).path)
        #expect(try await snapshots(fixture).verify(path).records == 2)
        let other = TemporaryDirectory()
        let repository = SQLSnapshotRepository(data: other.path, app: "Zoo", schema: fixture.schema, sortIndexes: [])
        _ = try await repository.restore(from: path)
        let reopened = try StoreFixture(Schema([Supplier.schema]), in: other)
        #expect(try await reopened.find(hay)?.values == [.text("Hay & Co"), .null, .text("")])
    }

    @Test("A snapshot that lacks a value that is not secret is rejected")
    func otherValue() async throws {
        let (fixture, _, _) = try await suppliers()
        let path = try #require(try await snapshots(fixture).create(at: .standard, level: 1).path)
        var text = try SnapshotText(path)
        let line = try #require(
            text.lines.firstIndex { $0.contains(#""name":"Hay & Co""#) && $0.contains(#""values""#) })
        text.replace(#""name":"Hay & Co""#, with: "", inLine: line + 1)
        try text.close()
        let mended = fixture.directory.path + "/other.jsonl.gz"
        try text.write(to: mended)
        await #expect(throws: SnapshotError.self) { try await snapshots(fixture).restore(from: mended) }
    }

    @Test("A restore accepts records that violate a rule added later")
    func olderThanRules() async throws {
        let (fixture, hay, _) = try await suppliers()
        let path = try #require(try await snapshots(fixture).create(at: .standard, level: 1).path)
        let stricter = ModelSchema(
            name: "Supplier",
            properties: Supplier.schema.properties.map { $0.name == "name" ? $0.adding([.length(...3)]) : $0 })
        let other = TemporaryDirectory()
        let repository = SQLSnapshotRepository(
            data: other.path, app: "Zoo", schema: try Schema([stricter]), sortIndexes: [])
        _ = try await repository.restore(from: path)
        let reopened = try StoreFixture(Schema([stricter]), in: other)
        #expect(try await reopened.find(hay) != nil)
        #expect(
            await reopened.refusal(Supplier("Long name").insertion)
                == .invalid(model: "Supplier", [FieldProblem(\Supplier.name, "Enter at most 3 characters.")]))
    }

    private func snapshots(_ fixture: StoreFixture) -> SQLSnapshotRepository {
        let store = fixture.store
        return SQLSnapshotRepository(
            data: fixture.directory.path, app: "Zoo", schema: fixture.schema, sortIndexes: [], runningStore: { store })
    }

    private func suppliers() async throws -> (StoreFixture, Supplier, Supplier) {
        let fixture = try StoreFixture(Schema([Supplier.schema]))
        let hay = Supplier("Hay & Co", accessKey: "opensesame-1", pin: "pin-4711"),
            straw = Supplier("Straw", accessKey: "opensesame-2")
        try await fixture.insert(hay, straw)
        return (fixture, hay, straw)
    }
}
