@testable import AviaryData
import AviaryDomain
import Foundation
import Testing

@Suite("Snapshot: restoring")
struct SnapshotRestoreTests {
    @Test("A restore into the open store brings the old state back, with a commit number above both")
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

    @Test("Readers see the new epoch and the new records")
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

    @Test("A form that was saved before the restore is recognised after it, and a discarded draft stays so")
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

    @Test("The copy of what was replaced brings it back")
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

    @Test("A restore without a running store opens it, and lets go of it")
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

    @Test("A directory in use by a process that cannot be reached is left alone")
    func inUse() async throws {
        let fixture = try StoreFixture.snapshots()
        let path = try await fixture.backup()
        let repository = SQLSnapshotRepository(data: fixture.directory.path, app: "Museum", schema: fixture.schema, sortIndexes: [])
        let error = await #expect(throws: DataDirectoryError.self) { try await repository.restore(from: path) }
        #expect(error?.reason == "is in use by process \(getpid()) (\(ProcessInfo.processInfo.processName)).")
    }

    @Test("Change sets that are under way during a restore are stored before it or after it, never lost half")
    func concurrentWrites() async throws {
        let fixture = try StoreFixture.snapshots()
        let path = try await fixture.backup()
        let writers = Task {
            var last = Receipt(changeSet: UUID(), commit: 0, isRepeat: false)
            while !Task.isCancelled {
                let site = Site(code: UUID().uuidString)
                last = try await fixture.insert(site, Specimen(site: site), Specimen(site: site))
            }
            return last.commit
        }
        var commits: [Int64] = []
        for _ in 0..<5 { commits.append(try await fixture.snapshots.restore(from: path).commit) }
        writers.cancel()
        let last = try await writers.value
        #expect(commits == commits.sorted() && Set(commits).count == 5)
        #expect(last > 0)
        #expect(try await fixture.count(Specimen.self) == 2 * fixture.count(Site.self))
        #expect(try await fixture.totalsMatch())
        #expect(try integrity(of: fixture.directory.path) == "ok")
    }

    @Test("A finished file of other models is refused, and the store goes on")
    func otherModels() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let other = try StoreFixture.lists()
        await other.store.close()
        await #expect(throws: StoreError.self) {
            try await fixture.store.replaceContents(withStoreAt: other.directory.storePath)
        }
        await #expect(throws: StoreError.self) { try await fixture.store.replaceContents(withStoreAt: "/no/where") }
        #expect(try await fixture.insert(Specimen()).commit == 2)
    }

    @Test("Verifying changes nothing, in no file of the directory")
    func dryRun() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        await fixture.store.close()
        func files() throws -> [String: Data] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: fixture.directory.path)
            return Dictionary(uniqueKeysWithValues: names.map { name in
                (name, FileManager.default.contents(atPath: fixture.directory.path + "/" + name) ?? Data())
            })
        }
        let before = try files()
        #expect(before.count >= 4)
        #expect(try await fixture.snapshots.verify(path).records == 4)
        #expect(try files() == before)
    }
}
