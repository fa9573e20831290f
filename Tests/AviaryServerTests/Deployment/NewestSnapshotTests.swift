import AviaryDomain
import Foundation
import Testing

@testable import AviaryServer

@Suite("When the last backup was taken")
struct NewestSnapshotTests {
    @Test("Its name tells, not when the file was written: one that was copied here is no younger for it")
    func copied() throws {
        let directory = try TestDirectory()
        let data = directory.path("data")
        #expect(DependencyContainer.newestSnapshot(in: data) == nil)
        try FileManager.default.createDirectory(atPath: data + "/snapshots", withIntermediateDirectories: true)
        for name in ["Zoo-20200102T030405Z.jsonl.gz", "Zoo-20210102T030405Z-scheduled.jsonl.gz"] {
            try Data([1]).write(to: URL(filePath: data + "/snapshots/" + name))
        }
        #expect(DependencyContainer.newestSnapshot(in: data)?.rfc3339 == "2021-01-02T03:04:05.000Z")
    }
}
