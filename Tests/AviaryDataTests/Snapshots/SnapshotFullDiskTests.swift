@testable import AviaryData
import AviaryDomain
import Foundation
import Testing

@Suite("Snapshot: wherever the room on the disk ends, the old state stays and nothing is left", .serialized)
struct SnapshotFullDiskTests {
    /// A file system of its own that is full when it is told so.
    private final class SmallDisk {
        static let isPossible = (try? SmallDisk()) != nil  // an error is a no

        let temporary = TemporaryDirectory()
        private var ballast: String { temporary.path + "/ballast" }

        init() throws {
            try FileManager.default.createDirectory(atPath: temporary.path, withIntermediateDirectories: true)
            guard mount("tmpfs", temporary.path, "tmpfs", 0, "size=12m") == 0 else { throw CancellationError() }
        }

        deinit { umount2(temporary.path, Int32(MNT_DETACH)) }

        /// In bytes.
        func leave(_ room: Int) throws {
            unlink(ballast)
            var figures = statvfs()
            guard statvfs(temporary.path, &figures) == 0 else { throw CancellationError() }
            try Data(count: max(0, Int(figures.f_bavail * figures.f_bsize) - room)).write(to: URL(fileURLWithPath: ballast))
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

    private static let rooms = Array(stride(from: 0, through: 3_500_000, by: 125_000))

    @Test("Of a backup", .enabled(if: SmallDisk.isPossible, "Mounting a file system needs root."), arguments: [true, false])
    func backup(givesWay: Bool) async throws {
        let disk = try SmallDisk()
        let fixture = try await fill(disk)
        unlink(try await fixture.backup())
        let before = try (files(fixture), contents(of: fixture.directory.path))
        let repository = SQLSnapshotRepository(
            data: fixture.directory.path, app: "Museum", schema: fixture.schema, sortIndexes: [], givingWay: givesWay
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

    @Test("Of a restore", .enabled(if: SmallDisk.isPossible, "Mounting a file system needs root."))
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
            for name in try files(fixture) where name.hasSuffix("-before-restore.jsonl.gz") { unlink(fixture.directory.snapshotsPath + "/" + name) }
        }
        #expect(failures > 0)
        let now = try contents(of: fixture.directory.path, onlyRecords: true)
        #expect(now.count == old.count - 1 && !now.contains { $0.contains("Later") })
    }
}
