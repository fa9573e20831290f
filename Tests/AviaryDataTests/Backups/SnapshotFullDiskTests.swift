import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Snapshot: full disk", .onlySQLite("a file that a full disk concerns"), .serialized)
struct SnapshotFullDiskTests {
    /// A separate file system that the test can fill.
    private final class SmallDisk {
        static let isPossible = (try? SmallDisk()) != nil  // Any error means that mounting is not possible.

        let temporary = TemporaryDirectory()
        private var ballast: String { temporary.path + "/ballast" }

        init() throws {
            try FileManager.default.createDirectory(atPath: temporary.path, withIntermediateDirectories: true)
            guard mount("tmpfs", temporary.path, "tmpfs", 0, "size=12m") == 0 else { throw CancellationError() }
        }

        deinit { umount2(temporary.path, Int32(MNT_DETACH)) }

        /// Fills the file system except for this number of bytes.
        func leave(_ room: Int) throws {
            unlink(ballast)
            var figures = statvfs()
            guard statvfs(temporary.path, &figures) == 0 else { throw CancellationError() }
            try Data(count: max(0, Int(figures.f_bavail * figures.f_bsize) - room)).write(
                to: URL(fileURLWithPath: ballast))
        }

        func clear() { unlink(ballast) }
    }

    private func fill(_ disk: SmallDisk) async throws -> StoreFixture {
        let fixture = try StoreFixture.snapshots(in: disk.temporary)
        let note = String(repeating: "n", count: 500)
        for _ in 0..<4 {
            let specimens = (0..<150).map { Specimen(label: "Feather \($0)", note: note) }
            _ = try await fixture.store.submit(ChangeSet(author: "test", changes: specimens.map(\.insertion)))
        }
        return fixture
    }

    private func files(_ fixture: StoreFixture) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.snapshotsPath))
    }

    private static let rooms = Array(stride(from: 0, through: 3_500_000, by: Explore.isOn ? 125_000 : 500_000))

    @Test(
        "A backup that fills the disk leaves the store unchanged and no files behind",
        .enabled(if: SmallDisk.isPossible, "Mounting a file system needs root."),
        arguments: [true, false])
    func backup(isLowPriority: Bool) async throws {
        let disk = try SmallDisk()
        let fixture = try await fill(disk)
        unlink(try await fixture.backup())
        let before = try (files(fixture), contents(of: fixture.directory.path))
        let repository = SQLSnapshotRepository(
            data: fixture.directory.path, app: "Museum", schema: fixture.schema, sortIndexes: [],
            isLowPriority: isLowPriority
        )
        var outcomes: Set<Bool> = []
        for room in Self.rooms {
            try disk.leave(room)
            do {
                let path = try #require(try await repository.create(at: .standard, level: 1).path)
                disk.clear()
                _ = try await repository.verify(path)
                unlink(path)
                outcomes.insert(true)
            } catch {
                outcomes.insert(false)
            }
            #expect(try files(fixture) == before.0, "\(room)")
            disk.clear()
            #expect(try contents(of: fixture.directory.path) == before.1, "\(room)")
        }
        #expect(outcomes == [true, false])
    }

    @Test(
        "An export that fills the disk reports the full folder and leaves no files behind",
        .enabled(if: SmallDisk.isPossible, "Mounting a file system needs root."))
    func export() async throws {
        let disk = try SmallDisk(), elsewhere = TemporaryDirectory()
        let fixture = try await fill(disk)
        try FileManager.default.createDirectory(atPath: elsewhere.path, withIntermediateDirectories: true)
        try fixture.directory.createSnapshotsDirectory()
        let model = try #require(fixture.schema.model("Specimen")), before = try files(fixture)
        try disk.leave(8192)
        let exports = SQLExportRepository(data: fixture.directory.path, schema: fixture.schema)
        // The store is copied before it is written to standard output, so no output has been written yet.
        let error = await #expect(throws: FileError.self) {
            try await exports.export(model, ExportQuery(), as: .csv, to: .standardOutput) { _ in }
        }
        #expect(error?.path == fixture.directory.snapshotsPath)
        #expect(error?.description.contains("VACUUM") == false)
        #expect(error?.description.contains("give a file with --output") == true)
        let beside = fixture.directory.path + "/a.csv"
        let own = await #expect(throws: FileError.self) {
            try await exports.export(model, ExportQuery(), as: .csv, to: .file(beside)) { _ in }
        }
        #expect(own?.advice.contains("Free some space") == true, "\(String(describing: own))")
        #expect(!FileManager.default.fileExists(atPath: beside))
        let summary = try await exports.export(model, ExportQuery(), as: .csv, to: .file(elsewhere.path + "/a.csv")) {
            _ in
        }
        #expect(summary.records == 600, "a file elsewhere needs no room here")
        await #expect(throws: ListExportError.self) {
            try await SQLListExport(data: fixture.directory.path, readers: fixture.readers).file(
                of: model, ExportQuery(), as: .csv)
        }
        // The thread that wrote the files may keep them open for a moment.
        try await eventually("nothing is left") { try files(fixture) == before }
    }

    @Test(
        "A job that cannot begin on a full disk does not show the result of the previous job",
        .enabled(if: SmallDisk.isPossible, "Mounting a file system needs root."))
    func begun() async throws {
        let disk = try SmallDisk()
        let fixture = try await fill(disk)
        let snapshots = fixture.snapshots
        let library = SQLSnapshotLibrary(
            data: fixture.directory.path, app: "Museum", repository: { _ in snapshots }, record: { _ in },
            words: { "\($0)" }
        )
        try await library.begin(.take, of: nil, by: "ada", isGood: { true })
        try await eventually("the work has ended") { await library.job()?.state != .running }
        #expect(await library.job()?.state == .done)
        try disk.leave(0)
        await #expect(throws: SnapshotLibraryError.self) {
            try await library.begin(.take, of: nil, by: "ada", isGood: { true })
        }
        #expect(await library.job() == nil)
    }

    @Test(
        "A restore that fills the disk leaves the old records and no partial files",
        .enabled(if: SmallDisk.isPossible, "Mounting a file system needs root."))
    func restore() async throws {
        let disk = try SmallDisk(), elsewhere = TemporaryDirectory()
        let fixture = try await fill(disk)
        try FileManager.default.createDirectory(atPath: elsewhere.path, withIntermediateDirectories: true)
        let snapshot = elsewhere.path + "/snapshot.jsonl.gz"
        _ = try await fixture.snapshots.create(at: .file(snapshot), level: 1)
        try await fixture.insert(Specimen(label: "Later"))
        let old = try contents(of: fixture.directory.path, onlyRecords: true)
        var failures = 0
        for room in Self.rooms {
            try disk.leave(room)
            do {
                _ = try await fixture.snapshots.restore(from: snapshot)
                disk.clear()
                break
            } catch {
                failures += 1
            }
            disk.clear()
            #expect(try contents(of: fixture.directory.path, onlyRecords: true) == old, "\(room)")
            #expect(try files(fixture).filter { $0.hasPrefix(".working") || $0.hasSuffix(".partial") } == [], "\(room)")
            for name in try files(fixture) where name.hasSuffix("-before-restore.jsonl.gz") {
                unlink(fixture.directory.snapshotsPath + "/" + name)
            }
        }
        #expect(failures > 0)
        let now = try contents(of: fixture.directory.path, onlyRecords: true)
        #expect(now.count == old.count - 1 && !now.contains { $0.contains("Later") })
    }
}
