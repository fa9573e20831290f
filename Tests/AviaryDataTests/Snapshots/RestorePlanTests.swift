@testable import AviaryData
import AviaryDomain
import Foundation
import Testing

@Suite("Snapshot: what a restore would change")
struct RestorePlanTests {
    @Test("Records of each model, now and then; who declines has changed nothing, and nothing is left behind")
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
        // The thread that built it may hold it for a moment.
        func left() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: fixture.directory.snapshotsPath).count }
        for _ in 0..<200 where try left() > 1 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(try left() == 1)
    }

    @Test("Without a store there is nothing now")
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
