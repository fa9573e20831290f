import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Safety copy before a migration", .onlySQLite("a file that the store copies before a migration"))
struct SafetyCopyTests {
    private let old: Schema
    private let renamed: Schema

    init() throws {
        old = try .made(.made("title", .string))
        renamed = try .made(.made("name", .string, formerly: "title"))
    }

    @Test("The safety copy opens with the older program and contains every record")
    func recovery() async throws {
        let store = try MigratedStore(from: old)
        _ = try await store.insert(["title": .text("Okapi")])
        await (try await store.open(renamed)).close()
        let copy = try #require(try store.copies().first)
        #expect(copy.hasPrefix("before-migration-") && copy.hasSuffix(".sqlite"))

        let path = try store.directory.snapshotsPath + "/" + copy
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        for name in ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm"] {
            unlink(store.temporary.path + "/" + name)
        }
        try FileManager.default.copyItem(atPath: path, toPath: store.directory.storePath)
        let back = try await store.open(old)
        #expect(try store.values(old) == [[.text("Okapi")]])
        _ = try await back.submit(ChangeSet(.insert(model: "Animal", id: .version7(), values: ["title": .text("Kea")])))
    }

    @Test("An additive migration makes no copy, and the instructions can turn off the copy")
    func none() async throws {
        let store = try MigratedStore(from: old)
        await (try await store.open(.made(.made("title", .string), .made("legs", .integer, optional: true)))).close()
        #expect(try store.copies() == [])
        let other = try MigratedStore(from: old)
        await (try await other.open(renamed, MigrationInstructions(copiesStore: false))).close()
        #expect(try other.copies() == [])
    }

    @Test("The store keeps the last three copies")
    func retention() async throws {
        let store = try MigratedStore(from: old)
        for round in 0..<5 {
            let (from, to) = round % 2 == 0 ? ("title", "name") : ("name", "title")
            await (try await store.open(.made(.made(to, .string, formerly: from)))).close()
        }
        #expect(try store.copies().count == 3)
    }

    @Test("A migration keeps its own copy even if existing copies have later dates")
    func clock() async throws {
        let store = try MigratedStore(from: old)
        let snapshots = try store.directory.snapshotsPath
        try FileManager.default.createDirectory(atPath: snapshots, withIntermediateDirectories: true)
        let ahead = (1...3).map { "before-migration-2099010\($0)T000000Z.sqlite" }
        for name in ahead {
            let path = snapshots + "/" + name
            #expect(FileManager.default.createFile(atPath: path, contents: Data()))
            try FileManager.default.setAttributes(
                [.modificationDate: Date().addingTimeInterval(9_000_000)], ofItemAtPath: path)
        }
        await (try await store.open(renamed)).close()
        let copies = try store.copies()
        #expect(copies.count == 3 && copies.contains { !ahead.contains($0) })
    }

    @Test("A failed migration leaves no copy and keeps the existing copies")
    func failed() async throws {
        enum Failing: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [ZooV1.self, ZooV2.self] }
            static var stages: [MigrationStage] {
                [
                    .custom(
                        fromVersion: ZooV1.self, toVersion: ZooV2.self, converting: ZooPlan.stages[0].conversions,
                        didMigrate: { _ in throw HeavyAnimal() })
                ]
            }
        }
        let store = try MigratedStore(from: Schema(ZooV1.models.map { $0.schema }))
        let snapshots = try store.directory.snapshotsPath
        try FileManager.default.createDirectory(atPath: snapshots, withIntermediateDirectories: true)
        let earlier = (1...3).map { "before-migration-2026010\($0)T000000Z.sqlite" }
        for name in earlier {
            #expect(FileManager.default.createFile(atPath: snapshots + "/" + name, contents: Data()))
        }
        let schema = try Schema(ZooV2.models.map { $0.schema })
        let instructions = MigrationInstructions(plan: try MigrationPlan(Failing.self, to: schema))
        for _ in 0..<3 {
            await #expect(throws: HeavyAnimal.self) { try await store.open(schema, instructions) }
        }
        #expect(try store.copies() == earlier)
    }

    @Test("A migration fails if the copy cannot be made, and nothing changes")
    func failing() async throws {
        let store = try MigratedStore(from: old)
        _ = try await store.insert(["title": .text("Okapi")])
        // A file exists in place of the directory.
        #expect(FileManager.default.createFile(atPath: try store.directory.snapshotsPath, contents: nil))
        await #expect(throws: FileError.self) { try await store.open(renamed) }
        #expect(try store.values(old) == [[.text("Okapi")]])
        #expect(try store.plan(old).kind == .none)
    }
}
