@testable import AviaryData
import AviaryDomain
import Foundation
import Synchronization
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

    @Test("A restore where there is no store yet begins one, private, a commit further than the snapshot")
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
        #expect(try FileManager.default.attributesOfItem(atPath: directory + "/store.sqlite")[.posixPermissions] as? Int == 0o600)
        // The thread that gave the store its name may hold the directory that it was built in for a moment.
        try await until { try FileManager.default.contentsOfDirectory(atPath: directory + "/snapshots").isEmpty }
        let reopened = try StoreFixture.snapshots(in: temporary)
        #expect(try await reopened.totalsMatch())
        #expect(try reopened.readers.restoreEpoch() != fixture.readers.restoreEpoch())
        #expect(try await reopened.insert(Specimen()).commit == restored.commit + 1)
        #expect(try integrity(of: directory) == "ok")
    }

    @Test("A log that is left of a store that is gone is not replayed into the restored one")
    func leftLog() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        let before = try contents(of: fixture.directory.path, onlyRecords: true)
        try await fixture.insert(Specimen(label: "later"))
        let temporary = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: temporary.path, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: fixture.directory.storePath + "-wal", toPath: temporary.path + "/store.sqlite-wal")
        _ = try await fixture.snapshots(in: temporary).restore(from: path)
        #expect(try contents(of: temporary.path, onlyRecords: true) == before)
        #expect(try integrity(of: temporary.path) == "ok")
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

    @Test("What is acknowledged while a restore goes on is in the snapshot of what was replaced, or in the store")
    func nothingBetween() async throws {
        let fixture = try StoreFixture.snapshots()
        let path = try await fixture.backup()
        // Enough for the snapshot of it to take a while.
        for _ in 0..<10 { _ = try await fixture.store.submit(ChangeSet(author: "test", changes: (0..<1_000).map { _ in .insert(Site(code: UUID().uuidString)) })) }
        let written = Tally()
        let writer = Task {
            var acknowledged: [String] = []
            while !Task.isCancelled {
                let site = Site(code: UUID().uuidString)
                _ = try await fixture.insert(site)
                acknowledged.append(site.code)
                written.add()
            }
            return acknowledged
        }
        try await until { written.value >= 10 }
        let restored = try await fixture.snapshots.restore(from: path)
        let before = written.value
        // One may have been acknowledged before the restore, and be counted behind it.
        try await until { written.value >= before + 2 }
        writer.cancel()
        let acknowledged = try await writer.value
        let kept = try SnapshotText(try #require(restored.replaced?.path)).lines.joined()
        let stored = Set(try fixture.readers.read { try $0.rows("SELECT code FROM \"Site\"") { $0.text(0) ?? "" } })
        let lost = acknowledged.filter { !stored.contains($0) && !kept.contains($0) }
        #expect(lost == [], "of \(acknowledged.count)")
        #expect(!stored.isEmpty, "writes went on behind it")
    }

    @Test("What arrives while writes are held is stored when they are released")
    func held() async throws {
        let fixture = try StoreFixture.snapshots()
        let holder = UUID()
        try await fixture.store.holdWrites(for: holder)
        let site = Site(code: "A1")
        let waiting = Task { try await fixture.insert(site) }
        try await until { await fixture.store.heldJobs == 1 }
        #expect(try await fixture.count(Site.self) == 0)
        await fixture.store.releaseWrites(for: holder)
        #expect(try await waiting.value.commit == 1)
        #expect(try await fixture.count(Site.self) == 1)
    }

    @Test("Of two who want to replace the store the second is refused, and lets go of nothing that the first holds")
    func heldByAnother() async throws {
        let fixture = try StoreFixture.snapshots(), first = UUID(), second = UUID()
        try await fixture.store.holdWrites(for: first)
        await #expect(throws: StoreError.unavailable("another restore is under way. Try again when it has ended.")) {
            try await fixture.store.holdWrites(for: second)
        }
        await fixture.store.releaseWrites(for: second)
        let waiting = Task { try await fixture.insert(Site(code: "A1")) }
        try await until { await fixture.store.heldJobs == 1 }
        #expect(try await fixture.count(Site.self) == 0)
        await fixture.store.releaseWrites(for: first)
        #expect(try await waiting.value.commit == 1)
    }

    @Test("Whoever does not hold writes replaces nothing: what came meanwhile would be in no snapshot")
    func replacedWithoutHold() async throws {
        let fixture = try StoreFixture.snapshots(), other = try StoreFixture.snapshots()
        try await fixture.insertSample()
        await other.store.close()
        let count = try await fixture.count(Site.self)
        await #expect(throws: StoreError.self) {
            try await fixture.store.replaceContents(withStoreAt: other.directory.storePath, holder: UUID())
        }
        #expect(try await fixture.count(Site.self) == count)
    }

    @Test("Writes go on soon after whoever held them was killed, and its hold is not begun again")
    func heldByNobody() async throws {
        #expect(Store.longestHold == .seconds(10))
        let fixture = try StoreFixture(.snapshots(), longestHold: .milliseconds(100)), holder = UUID()
        // As the last sign of life.
        try await fixture.store.holdWrites(for: holder)
        #expect(try await fixture.insert(Site(code: "A1")).commit == 1)
        await #expect(throws: StoreError.self) { try await fixture.store.holdWrites(for: holder) }
    }

    @Test("When whoever held writes is not heard of any more, that is told with how long they were held; and not when they are released")
    func toldOfLapse() async throws {
        let temporary = TemporaryDirectory(), told = Mutex<[Duration]>([])
        let store = try Store(
            directory: DataDirectory(path: temporary.path), schema: .snapshots(), sortIndexes: [],
            onLapsedHold: { duration in told.withLock { $0.append(duration) } }, longestHold: .seconds(2)
        )
        let released = UUID()
        try await store.holdWrites(for: released)
        await store.releaseWrites(for: released)
        let killed = UUID()
        try await store.holdWrites(for: killed)
        try await Task.sleep(for: .milliseconds(50))
        try await store.holdWrites(for: killed)
        try await until { told.withLock { !$0.isEmpty } }
        #expect(told.withLock { $0.count } == 1)
        #expect(told.withLock { $0.first.map { $0 >= .milliseconds(2050) } } == true, "from its beginning")
        await store.close()
    }

    @Test("Damage of the live store that only the replacement meets says what to do, as damage that is found before does")
    func damagedUnderRestore() async throws {
        let first = try StoreFixture.snapshots()
        try await first.insertSample()
        let page = try first.readers.read { try $0.firstRow("SELECT rootpage FROM sqlite_schema WHERE name = 'aviary_commit'") { $0.integer(0) } }
        await first.store.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: first.directory.storePath))
        let start = (Int(try #require(page)) - 1) * 4096
        bytes.replaceSubrange(start..<start + 4096, with: Data(repeating: 0xA5, count: 4096))
        let temporary = TemporaryDirectory()
        try bytes.write(to: URL(fileURLWithPath: try DataDirectory(path: temporary.path).storePath))
        let built = temporary.path + "/built.sqlite"
        try StoreBuilder(path: built, schema: .snapshots(), sortIndexes: [], engine: StoreEngines.standard).finish(commit: 1)
        let fixture = try StoreFixture.snapshots(in: temporary)
        let error = await #expect(throws: StoreError.self) { try await fixture.replaceContents(withStoreAt: built) }
        #expect(error == .unavailable("\(StoreOpenError.damagedUnderRestore(path: fixture.directory.storePath))"))
        #expect(error?.description.contains("move the file") == true)
    }

    @Test("What waits while writes are held is refused when the store is closed")
    func heldAndClosed() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.store.holdWrites(for: UUID())
        let waiting = Task { try await fixture.insert(Site(code: "A1")) }
        try await until { await fixture.store.heldJobs == 1 }
        await fixture.store.close()
        // Stored at the last moment, or refused: but answered.
        _ = await waiting.result
    }

    @Test("A finished file of other models is refused, and the store goes on")
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
