import AviaryDomain
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryData

@Suite("Snapshot: the moment at which a restore replaces the store")
struct StoreSwitchTests {
    /// Returns a repository that calls the closure once, when the snapshot of the store that is to be replaced has been read.
    private func restorer(_ fixture: StoreFixture, afterReading work: @escaping @Sendable () -> Void)
        -> SQLSnapshotRepository
    {
        let store = fixture.store, isDone = Mutex(false)
        return SQLSnapshotRepository(
            data: fixture.directory.path, app: "Museum", schema: fixture.schema,
            sortIndexes: StoreFixture.snapshotIndexes,
            report: { progress in
                guard progress.step == .writing, progress.done == progress.total else { return }
                let isFirst = isDone.withLock { isDone in
                    defer { isDone = true }
                    return !isDone
                }
                if isFirst { work() }
            }, runningStore: { store })
    }

    /// Waits on a thread that is not of the cooperative pool.
    private static func wait(for work: @escaping @Sendable () async throws -> Void) {
        let end = DispatchSemaphore(value: 0)
        Task {
            do { try await work() } catch { Issue.record(error) }
            end.signal()
        }
        end.wait()
    }

    @Test("A change saved after the before-restore snapshot was read is acknowledged at once and is in that snapshot")
    func savedMeanwhile() async throws {
        let fixture = try StoreFixture.snapshots()
        let empty = try await fixture.backup()
        try await fixture.insertSample()
        let site = Site(code: "meanwhile")
        let restored = try await restorer(fixture) {
            Self.wait {
                try await fixture.insert(site)
                #expect(try await fixture.count(Site.self) == 2)
            }
        }.restore(from: empty)
        #expect(try await fixture.count(Site.self) == 0)
        #expect(restored.unsaved == nil)
        let replaced = try #require(restored.replaced)
        #expect(replaced.counts["Site"] == 2)
        _ = try await fixture.snapshots.restore(from: try #require(replaced.path))
        #expect(try await fixture.find(site) != nil)
    }

    @Test("A draft discarded after the before-restore snapshot was read is discarded in that snapshot")
    func discardedMeanwhile() async throws {
        let fixture = try StoreFixture.snapshots(), draft = UUID.version7()
        let empty = try await fixture.backup()
        try await fixture.insertSample()
        let restored = try await restorer(fixture) {
            Self.wait { _ = try await fixture.store.write(.discard(draft: draft)) }
        }.restore(from: empty)
        let lines = try SnapshotText(try #require(restored.replaced?.path)).lines
        #expect(lines.contains { $0.hasPrefix(#"{"discard":"#) && $0.contains(draft.canonicalText) })
    }

    @Test("The store is read once for the before-restore snapshot if nothing was saved meanwhile")
    func nothingSaved() async throws {
        let fixture = try StoreFixture.snapshots(), store = fixture.store
        let path = try await fixture.backup()
        let steps = Mutex<[SnapshotProgress.Step]>([])
        let restorer = SQLSnapshotRepository(
            data: fixture.directory.path, app: "Museum", schema: fixture.schema,
            sortIndexes: StoreFixture.snapshotIndexes,
            report: { progress in steps.withLock { $0.append(progress.step) } }, runningStore: { store })
        let restored = try await restorer.restore(from: path)
        #expect(restored.replaced != nil)
        let after = steps.withLock { $0 }.drop { $0 != .replacing }
        #expect(after == [.replacing])
    }

    @Test("A read that began before the switch keeps its state, and the next one sees the restored store")
    func readers() async throws {
        let fixture = try StoreFixture.snapshots()
        let empty = try await fixture.backup()
        try await fixture.insertSample()
        let count = #"SELECT count(*) FROM "Specimen""#
        let reader = try StoreEngines.standard.openReader(fixture.directory)
        defer { reader.close() }
        // PostgreSQL waits for a read of the tables before it renames them.
        if !TestEngine.isPostgreSQL { try reader.beginReading() }
        #expect(try reader.firstRow(count) { $0.integer(0) } == 3)
        let version = try #require(fixture.readers.commits.version)
        _ = try await fixture.snapshots.restore(from: empty)
        #expect(try await fixture.count(Specimen.self) == 0)
        #expect(try #require(fixture.readers.commits.version) > version)
        guard !TestEngine.isPostgreSQL else { return }
        #expect(try reader.firstRow(count) { $0.integer(0) } == 3)
        try reader.commit()
        #expect(!reader.isUsable)
    }

    @Test("A reader that is not told of the restore reads from the restored store and sees its commits")
    func pooledReaders() async throws {
        let fixture = try StoreFixture.snapshots(),
            pool = try ReaderPool.patient(fixture.directory, fixture.schema)
        try await fixture.insertSample()
        let path = try await fixture.backup()
        let code = #"SELECT code FROM "Site" ORDER BY code"#
        for round in 0..<3 {
            #expect(try pool.read { try $0.rows(code) { $0.text(0) ?? "" } } == ["A1"])
            try await fixture.insert(Site(code: "B\(round)"))
            #expect(try pool.read { try $0.rows(code) { $0.text(0) ?? "" } } == ["A1", "B\(round)"])
            _ = try await fixture.snapshots.restore(from: path)
        }
        pool.close()
    }

    @Test("After restores, the directory has one store and nothing of the replaced ones")
    func leftNames() async throws {
        let fixture = try StoreFixture.snapshots()
        let path = try await fixture.backup()
        for _ in 0..<3 {
            try await fixture.insert(Site(code: UUID().uuidString))
            _ = try await fixture.snapshots.restore(from: path)
            try await fixture.insert(Site(code: UUID().uuidString))
            try expectOneStore(in: fixture.directory)
        }
        await fixture.store.close()
        let reopened = try StoreFixture.snapshots(in: fixture.temporary)
        #expect(try await reopened.count(Site.self) == 1)
        #expect(try await reopened.insert(Site(code: "later")).commit > 1)
        try expectOneStore(in: fixture.directory)
        #expect(try integrity(of: fixture.directory.path) == "ok")
    }

    private func expectOneStore(in directory: DataDirectory, _ place: SourceLocation = #_sourceLocation) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        let found = Set(names.filter { $0.hasPrefix("store") && $0.contains(".sqlite") || $0.hasPrefix(".") })
        let file = URL(fileURLWithPath: directory.storeFilePath).lastPathComponent
        let wanted: Set<String> =
            TestEngine.isPostgreSQL ? [] : ["store.sqlite", file, file + "-wal", file + "-shm"]
        #expect(found == wanted, sourceLocation: place)
    }

    @Test("The next backup saves the store that a killed restore has replaced")
    func killedAfterSwitch() async throws {
        let fixture = try StoreFixture.snapshots()
        let before = try await replaceAndLeave(fixture)
        _ = try await fixture.backup()
        try await expectSaved(before, in: fixture)
    }

    @Test("The next restore saves the store that a killed restore has replaced")
    func restoredAfterKill() async throws {
        let fixture = try StoreFixture.snapshots()
        let path = try await fixture.backup()
        let before = try await replaceAndLeave(fixture)
        _ = try await fixture.snapshots.restore(from: path)
        try await expectSaved(before, in: fixture)
    }

    @Test("The server saves at its start the store that a killed restore has replaced")
    func startedAfterKill() async throws {
        let fixture = try StoreFixture.snapshots()
        let before = try await replaceAndLeave(fixture)
        #expect(await fixture.snapshots.completeLeftStores() == [])
        try await expectSaved(before, in: fixture)
    }

    @Test(
        "A replaced store that was moved together with its directory is saved",
        .onlySQLite("a directory that contains the store"))
    func moved() async throws {
        let fixture = try StoreFixture.snapshots(), elsewhere = TemporaryDirectory().path
        let before = try await replaceAndLeave(fixture)
        fixture.readers.close()
        await fixture.store.close()
        try FileManager.default.moveItem(atPath: fixture.directory.path, toPath: elsewhere)
        let repository = SQLSnapshotRepository(
            data: elsewhere, app: "Museum", schema: fixture.schema, sortIndexes: StoreFixture.snapshotIndexes)
        #expect(await repository.completeLeftStores() == [])
        try FileManager.default.moveItem(atPath: elsewhere, toPath: fixture.directory.path)
        try await expectSaved(before, in: fixture)
    }

    @Test("A replaced store remains as long as its snapshot cannot be written")
    func unwritable() async throws {
        let fixture = try StoreFixture.snapshots()
        let before = try await replaceAndLeave(fixture)
        let folder = fixture.directory.snapshotsPath
        if FileManager.default.fileExists(atPath: folder) { try FileManager.default.removeItem(atPath: folder) }
        #expect(FileManager.default.createFile(atPath: folder, contents: nil))
        for _ in 0..<2 {
            let reasons = await fixture.snapshots.completeLeftStores()
            #expect(reasons.count == 1 && reasons.first?.contains("/.replaced-") == true, "\(reasons)")
            let backup = fixture.temporary.path + "/backup-\(UUID()).jsonl.gz"
            let summary = try await fixture.snapshots.create(
                at: .file(backup), level: 1, includingSecrets: false, includingHistory: false)
            #expect(summary.unsaved?.count == 1 && summary.unsaved?.first?.contains("/.replaced-") == true)
        }
        try FileManager.default.removeItem(atPath: folder)
        #expect(await fixture.snapshots.completeLeftStores() == [])
        try await expectSaved(before, in: fixture)
    }

    /// Replaces the store as a restore does that is killed before it has saved the replaced store.
    ///
    /// - Returns: The records of the replaced store.
    private func replaceAndLeave(_ fixture: StoreFixture) async throws -> [String] {
        try await fixture.insertSample()
        let before = try contents(of: fixture.directory.path, onlyRecords: true)
        let built = fixture.temporary.path + "/built/store.sqlite"
        try FileManager.default.createDirectory(
            atPath: fixture.temporary.path + "/built", withIntermediateDirectories: true)
        try StoreBuilder(
            path: built, schema: fixture.schema, sortIndexes: StoreFixture.snapshotIndexes,
            engine: StoreEngines.standard
        ).finish(commit: 1)
        _ = try await fixture.replaceContents(withStoreAt: built)
        #expect(try await fixture.count(Site.self) == 0)
        return before
    }

    private func expectSaved(_ before: [String], in fixture: StoreFixture) async throws {
        let files = SnapshotFolder(fixture.directory.path).files().filter { $0.origin == .beforeRestore }
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path)
        #expect(names.filter { $0.hasPrefix(".replaced-") } == [])
        let other = TemporaryDirectory()
        var found: [[String]] = []
        for (number, file) in files.enumerated() {
            let path = other.path + "/\(number)"
            let repository = SQLSnapshotRepository(
                data: path, app: "Museum", schema: fixture.schema, sortIndexes: StoreFixture.snapshotIndexes)
            _ = try await repository.restore(from: fixture.directory.snapshotsPath + "/" + file.name)
            found.append(try contents(of: path, onlyRecords: true))
        }
        #expect(found.contains(before), "\(files.count)")
    }

    @Test("A place of which the store was not replaced is removed without a snapshot")
    func killedBeforeSwitch() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        var place: ReplacedStore? = try ReplacedStore(at: ReplacedStore.path(in: fixture.directory, for: UUID()))
        let kept = try #require(place).storePath
        if !TestEngine.isPostgreSQL {
            // As after the names were made, and before the link was.
            let built = fixture.temporary.path + "/built.sqlite"
            try StoreBuilder(path: built, schema: fixture.schema, sortIndexes: [], engine: StoreEngines.standard)
                .finish(commit: 1)
            try StoreFileChange(of: fixture.directory.storePath, keepingReplacedAt: kept).prepare(built)
        }
        // The restore still has it.
        #expect(await fixture.snapshots.completeLeftStores() == [])
        #expect(FileManager.default.fileExists(atPath: try #require(place).path))
        place = nil
        #expect(await fixture.snapshots.completeLeftStores() == [])
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path)
        #expect(names.filter { $0.hasPrefix(".replaced-") || $0.hasPrefix("store-") } == [])
        #expect(SnapshotFolder(fixture.directory.path).files().isEmpty)
        try await fixture.insert(Site(code: "goes on"))
        #expect(try await fixture.count(Site.self) == 2)
    }

    @Test(
        "A store that a restore made is repaired in place and keeps its name",
        .onlySQLite("a file that can be repaired"))
    func repaired() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        _ = try await fixture.snapshots.restore(from: path)
        try await fixture.insert(Site(code: "later"))
        await fixture.store.close()
        _ = try StoreRepair(
            of: fixture.directory, schema: fixture.schema, sortIndexes: StoreFixture.snapshotIndexes
        ).run(isDry: false, at: Date(timeIntervalSince1970: 1_800_000_000))
        #expect(StoreFileName.link(at: fixture.directory.storePath) == nil)
        #expect(try await fixture.count(Site.self) == 2)
        let reopened = try StoreFixture.snapshots(in: fixture.temporary)
        try await reopened.insert(Site(code: "after"))
        #expect(try await fixture.count(Site.self) == 3)
        #expect(try integrity(of: fixture.directory.path) == "ok")
    }
}
