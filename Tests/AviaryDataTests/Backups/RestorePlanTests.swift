import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Snapshot: restore plan")
struct RestorePlanTests {
    @Test("A declined restore plan has the record counts before and after and changes nothing")
    func declined() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        try await fixture.insert(Specimen(label: "later"))
        let before = try contents(of: fixture.directory.path)
        let restored = try await fixture.snapshots.restore(from: path) { plan in
            #expect(plan.models == [.init(name: "Specimen", now: 4, then: 3), .init(name: "Site", now: 1, then: 1)])
            #expect(plan.steps.isEmpty)
            #expect(plan.accounts.isEmpty)
            return false
        }
        #expect(restored == nil)
        #expect(try contents(of: fixture.directory.path) == before)
        #expect(SnapshotFolder(fixture.directory.path).files().count == 1, "no copy of what was not replaced")
        // The thread that built the store may keep the directory open for a moment.
        func left() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: fixture.directory.snapshotsPath).count
        }
        try await eventually("the directory that it was built in is removed") { try left() <= 1 }
        #expect(try left() == 1)
    }

    @Test(
        "A restore over a damaged store fails with advice to move the file", .onlySQLite("a file that can be damaged"))
    func damagedStore() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        try await fixture.store.configure { try $0.file?.truncateLog() }
        let other = TemporaryDirectory()
        let directory = try DataDirectory(path: other.path)
        var store = try Data(contentsOf: URL(fileURLWithPath: fixture.directory.storePath))
        // Everything except the first page, which identifies the file as a store, is overwritten.
        store.replaceSubrange(4096..., with: Data(repeating: 0xA5, count: store.count - 4096))
        try store.write(to: URL(fileURLWithPath: directory.storePath))
        let repository = SQLSnapshotRepository(data: other.path, app: "Museum", schema: fixture.schema, sortIndexes: [])
        let expected = StoreOpenError.damagedBeforeRestore(path: directory.storePath)
        await #expect(throws: expected) { try await repository.restore(from: path) }
        #expect(expected.description.contains("move the file"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.storePath)) == store)
    }

    @Test("A restore over an empty file fails with the same error as a backup", .onlySQLite("a file that can be empty"))
    func emptyFile() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        let other = TemporaryDirectory()
        let directory = try DataDirectory(path: other.path)
        try Data().write(to: URL(fileURLWithPath: directory.storePath))
        let repository = SQLSnapshotRepository(data: other.path, app: "Museum", schema: fixture.schema, sortIndexes: [])
        let expected = StoreOpenError.notAStore(path: directory.storePath)
        await #expect(throws: expected) { try await repository.create(at: .standard, level: 1) }
        await #expect(throws: expected) { try await repository.restore(from: path) }
    }

    @Test("A restore plan has no current counts if there is no store")
    func noStore() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        let other = TemporaryDirectory()
        let repository = SQLSnapshotRepository(data: other.path, app: "Museum", schema: fixture.schema, sortIndexes: [])
        _ = try await repository.restore(from: path) { plan in
            #expect(plan.models.map(\.now) == [nil, nil])
            return false
        }
        #expect(!FileManager.default.fileExists(atPath: other.path + "/store.sqlite"))
    }
}
