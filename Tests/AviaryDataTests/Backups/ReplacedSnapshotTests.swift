import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Snapshot: the before-restore snapshot of the replaced store")
struct ReplacedSnapshotTests {
    @Test("The before-restore snapshot restores the replaced records")
    func safetyCopy() async throws {
        let fixture = try StoreFixture.snapshots()
        let empty = try await fixture.backup()
        try await fixture.insertSample()
        let before = try contents(of: fixture.directory.path, onlyRecords: true)
        let replaced = try #require(try await fixture.snapshots.restore(from: empty).replaced?.path)
        #expect(replaced.hasSuffix("-before-restore.jsonl.gz"))
        #expect(try contents(of: fixture.directory.path, onlyRecords: true).isEmpty)
        _ = try await fixture.snapshots.restore(from: replaced)
        #expect(try contents(of: fixture.directory.path, onlyRecords: true) == before)
    }

    @Test("A restore removes old before-restore snapshots but keeps recent snapshots and its own source")
    func older() async throws {
        let fixture = try StoreFixture.snapshots()
        let first = try await fixture.backup(), folder = SnapshotFolder(fixture.directory.path)
        for day in 10..<18 {
            try keep(first, as: name(day), in: folder, age: day == 17 ? 3600 : Double(20 - day) * 86_400)
        }
        let restored = try await fixture.snapshots.restore(from: folder.path(of: name(10)))
        let left = folder.files().filter { $0.origin == .beforeRestore }.map(\.name)
        let kept = try #require(restored.replaced?.path.map { URL(filePath: $0).lastPathComponent })
        #expect(Set(left) == Set([kept, name(10)] + (14...17).map(name)))
        #expect(restored.removed == (11...13).reversed().map(name))
        #expect(restored.notRemoved == [])
        #expect(folder.file(URL(filePath: first).lastPathComponent) != nil)
    }

    @Test("A restore never removes a snapshot that a person named")
    func named() async throws {
        let fixture = try StoreFixture.snapshots()
        let first = try await fixture.backup(), folder = SnapshotFolder(fixture.directory.path)
        let names = ["zoo-before-restore.jsonl.gz", "Zoo-20260110T000000Z-mine-before-restore.jsonl.gz"]
        for name in names { try keep(first, as: name, in: folder, age: 100 * 86_400) }
        #expect(try await restorer(fixture, keeping: 1).restore(from: first).removed == [])
        #expect(names.allSatisfy { folder.file($0) != nil })
    }

    @Test("A restore keeps its source snapshot even if the source was given as a link", arguments: [true, false])
    func linked(isSymbolic: Bool) async throws {
        let fixture = try StoreFixture.snapshots()
        let first = try await fixture.backup(), folder = SnapshotFolder(fixture.directory.path)
        for day in 10...11 { try keep(first, as: name(day), in: folder, age: Double(20 - day) * 86_400) }
        let target = folder.path(of: name(10)), link = fixture.temporary.path + "/last.jsonl.gz"
        if isSymbolic {
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        } else {
            try FileManager.default.linkItem(atPath: target, toPath: link)
        }
        #expect(try await restorer(fixture, keeping: 1).restore(from: link).removed == [name(11)])
        #expect(folder.file(name(10)) != nil)
    }

    @Test("A source of the same name in another folder does not protect a before-restore snapshot")
    func otherFile() async throws {
        let fixture = try StoreFixture.snapshots()
        let first = try await fixture.backup(), folder = SnapshotFolder(fixture.directory.path)
        try keep(first, as: name(10), in: folder, age: 10 * 86_400)
        let other = fixture.temporary.path + "/" + name(10)
        try FileManager.default.copyItem(atPath: first, toPath: other)
        #expect(try await restorer(fixture, keeping: 1).restore(from: other).removed == [name(10)])
    }

    @Test("A restore succeeds and reports an old snapshot that cannot be removed")
    func notRemovable() async throws {
        let fixture = try StoreFixture.snapshots()
        let first = try await fixture.backup(), folder = SnapshotFolder(fixture.directory.path)
        try keep(first, as: name(10), in: folder, age: 10 * 86_400)
        // Even the superuser cannot remove a directory as a file.
        try FileManager.default.createDirectory(atPath: folder.path(of: name(11)), withIntermediateDirectories: false)
        try age(folder.path(of: name(11)), by: 9 * 86_400)
        let restored = try await restorer(fixture, keeping: 1).restore(from: first)
        #expect(restored.removed == [name(10)])
        #expect(restored.notRemoved.count == 1)
        #expect(restored.notRemoved.first?.hasPrefix(folder.path(of: name(11)) + ": cannot be written") == true)
    }

    private func name(_ day: Int) -> String { "Zoo-202601\(day)T000000Z-before-restore.jsonl.gz" }

    private func restorer(_ fixture: StoreFixture, keeping count: Int) -> SQLSnapshotRepository {
        let store = fixture.store
        return SQLSnapshotRepository(
            data: fixture.directory.path, app: "Museum", schema: fixture.schema,
            sortIndexes: StoreFixture.snapshotIndexes,
            keepingReplaced: count, runningStore: { store }
        )
    }

    /// Adds a copy of the snapshot that looks as if a restore kept it that long ago.
    private func keep(_ snapshot: String, as name: String, in folder: SnapshotFolder, age seconds: Double) throws {
        try FileManager.default.copyItem(atPath: snapshot, toPath: folder.path(of: name))
        try age(folder.path(of: name), by: seconds)
    }

    private func age(_ path: String, by seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: path)
    }
}
