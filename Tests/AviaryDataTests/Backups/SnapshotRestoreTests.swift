import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Snapshot: restoring")
struct SnapshotRestoreTests {
    @Test("A restore into the open store brings back the old records with a higher commit number")
    func running() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let before = try contents(of: fixture.directory.path, onlyRecords: true)
        let path = try await fixture.backup()
        let later = Specimen(label: "later")
        try await fixture.insert(later)
        try await fixture.insert(Specimen(label: "last"))
        let restored = try await fixture.snapshots.restore(from: path)
        #expect(restored.commit == 4)
        #expect(restored.snapshot.commit == 1)
        #expect(try contents(of: fixture.directory.path, onlyRecords: true) == before)
        #expect(try await fixture.find(later) == nil)
        #expect(try await fixture.totalsMatch())
        #expect(try integrity(of: fixture.directory.path) == "ok")
        #expect(try await fixture.insert(Specimen()).commit == 5)
        #expect(await fixture.store.statistics.logPages < 100)
    }

    @Test("Readers see the new restore epoch and the restored records")
    func epoch() async throws {
        let fixture = try StoreFixture.snapshots()
        let path = try await fixture.backup()
        try await fixture.insertSample()
        let before = try fixture.readers.restoreEpoch()
        #expect(try await fixture.count(Specimen.self) == 3)
        _ = try await fixture.snapshots.restore(from: path)
        #expect(try fixture.readers.restoreEpoch() != before)
        #expect(try await fixture.count(Specimen.self) == 0)
    }

    @Test("A restore keeps the receipts and discarded drafts of the live store")
    func receipts() async throws {
        let fixture = try StoreFixture.snapshots()
        let path = try await fixture.backup()
        let saved = ChangeSet(Specimen(label: "saved").insertion)
        _ = try await fixture.store.submit(saved)
        let draft = UUID.version7()
        try await fixture.store.discard(draft: draft)
        _ = try await fixture.snapshots.restore(from: path)
        #expect(try await fixture.store.submit(saved) == Receipt(changeSet: saved.id, commit: 1, isRepeat: true))
        #expect(await fixture.refusal(Specimen().insertion, id: draft) == .alreadyDiscarded)
        #expect(try await fixture.count(Specimen.self) == 0)
    }

    @Test("A restore without a running store opens and closes the store")
    func closedStore() async throws {
        let fixture = try StoreFixture.snapshots()
        let path = try await fixture.backup()
        try await fixture.insertSample()
        let epoch = try fixture.readers.restoreEpoch()
        await fixture.store.close()
        let restored = try await fixture.snapshots.restore(from: path)
        #expect(restored.replaced?.records == 4)
        let reopened = try StoreFixture.snapshots(in: fixture.temporary)
        #expect(try await reopened.count(Specimen.self) == 0)
        #expect(try await reopened.insert(Specimen()).commit == restored.commit + 1)
        #expect(try reopened.readers.restoreEpoch() != epoch)
    }

    @Test("A first restore creates a private store whose commit number follows that of the snapshot")
    func first() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        let before = try contents(of: fixture.directory.path, onlyRecords: true)
        let temporary = TemporaryDirectory()
        let restored = try await fixture.snapshots(in: temporary).restore(from: path)
        #expect(restored.replaced == nil)
        #expect(restored.commit == restored.snapshot.commit + 1)
        let directory = temporary.path
        #expect(try contents(of: directory, onlyRecords: true) == before)
        guard !TestEngine.isPostgreSQL else { return }
        #expect(
            try FileManager.default.attributesOfItem(atPath: directory + "/store.sqlite")[.posixPermissions] as? Int
                == 0o600)
        // The thread that moved the store into place may keep its build directory open for a moment.
        try await eventually("the directory that it was built in is removed") {
            try FileManager.default.contentsOfDirectory(atPath: directory + "/snapshots").isEmpty
        }
        let reopened = try StoreFixture.snapshots(in: temporary)
        #expect(try await reopened.totalsMatch())
        #expect(try reopened.readers.restoreEpoch() != fixture.readers.restoreEpoch())
        #expect(try await reopened.insert(Specimen()).commit == restored.commit + 1)
        #expect(try integrity(of: directory) == "ok")
    }

    @Test(
        "The leftover write-ahead log of a removed store is not replayed into the restored store",
        .onlySQLite("a log that can be left behind"))
    func leftLog() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        let before = try contents(of: fixture.directory.path, onlyRecords: true)
        try await fixture.insert(Specimen(label: "later"))
        let temporary = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: temporary.path, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: fixture.directory.storePath + "-wal", toPath: temporary.path + "/store.sqlite-wal")
        _ = try await fixture.snapshots(in: temporary).restore(from: path)
        #expect(try contents(of: temporary.path, onlyRecords: true) == before)
        #expect(try integrity(of: temporary.path) == "ok")
    }

    @Test("A restore fails if an unreachable process uses the directory")
    func inUse() async throws {
        let fixture = try StoreFixture.snapshots()
        let path = try await fixture.backup()
        let repository = SQLSnapshotRepository(
            data: fixture.directory.path, app: "Museum", schema: fixture.schema, sortIndexes: [])
        let error = await #expect(throws: DataDirectoryError.self) { try await repository.restore(from: path) }
        #expect(error?.reason == "is in use by process \(getpid()) (\(ProcessInfo.processInfo.processName)).")
    }

    @Test(
        "Damage of the live store found during the replacement is reported with the advice to move the file",
        .onlySQLite("a file that can be damaged"))
    func damagedUnderRestore() async throws {
        let first = try StoreFixture.snapshots()
        try await first.insertSample()
        let page = try first.readers.read { connection in
            try connection.firstRow("SELECT rootpage FROM sqlite_schema WHERE name = 'aviary_commit'") { $0.integer(0) }
        }
        await first.store.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: first.directory.storePath))
        let start = (Int(try #require(page)) - 1) * 4096
        bytes.replaceSubrange(start..<start + 4096, with: Data(repeating: 0xA5, count: 4096))
        let temporary = TemporaryDirectory()
        try bytes.write(to: URL(fileURLWithPath: try DataDirectory(path: temporary.path).storePath))
        let built = temporary.path + "/built.sqlite"
        try StoreBuilder(path: built, schema: .snapshots(), sortIndexes: [], engine: StoreEngines.standard).finish(
            commit: 1)
        let fixture = try StoreFixture.snapshots(in: temporary)
        let error = await #expect(throws: StoreError.self) { try await fixture.replaceContents(withStoreAt: built) }
        #expect(error == .unavailable("\(StoreOpenError.damagedUnderRestore(path: fixture.directory.storePath))"))
        #expect(error?.description.contains("move the file") == true)
    }

    @Test("The store rejects a replacement file of other models and still accepts commits")
    func otherModels() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let other = try StoreFixture.lists()
        await other.store.close()
        await #expect(throws: StoreError.self) {
            try await fixture.replaceContents(withStoreAt: other.directory.storePath)
        }
        await #expect(throws: StoreError.self) { try await fixture.replaceContents(withStoreAt: "/no/where") }
        #expect(try await fixture.insert(Specimen()).commit == 2)
    }

    @Test("Verification changes no file in the directory")
    func dryRun() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        await fixture.store.close()
        func files() throws -> [String: Data] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: fixture.directory.path)
            return Dictionary(
                uniqueKeysWithValues: names.map { name in
                    (name, FileManager.default.contents(atPath: fixture.directory.path + "/" + name) ?? Data())
                })
        }
        let before = try files()
        #expect(before.count >= (TestEngine.isPostgreSQL ? 3 : 4))
        #expect(try await fixture.snapshots.verify(path).records == 4)
        #expect(try files() == before)
    }
}
