import AviaryDomain
import Foundation
import Testing

@Suite("Backups: what is kept")
struct BackupRetentionTests {
    private static let start = Date(timeIntervalSince1970: 1_800_001_800)  // 2027-01-15, 08:30 UTC

    private func file(_ hours: Double, _ suffix: String = "-scheduled", isProven: Bool = true) -> SnapshotFile {
        let time = Self.start.addingTimeInterval(-hours * 3600)
        let summary = SnapshotSummary(path: nil, app: "Zoo", createdAt: "", commit: 1, records: 0, counts: [:], sha256: "")
        return SnapshotFile(
            name: "Zoo-\(hours)\(suffix).jsonl.gz", size: 1, writtenAt: time,
            proof: isProven ? SnapshotProof(provenAt: time, snapshot: summary) : nil)
    }

    private func removed(_ retention: BackupRetention, _ files: [SnapshotFile]) -> [String] {
        retention.removable(files.shuffled()).map(\.name).sorted()
    }

    @Test("The newest of each hour, day and month, of as many of them as are wanted")
    func periods() {
        let files = [file(0), file(0.25), file(1), file(2), file(24), file(25), file(24 * 40)]
        #expect(removed(BackupRetention(hourly: 2, daily: 0, monthly: 0), files) == [file(0.25), file(2), file(24), file(25), file(960)].map(\.name).sorted())
        #expect(removed(BackupRetention(hourly: 0, daily: 2, monthly: 0), files) == [file(0.25), file(1), file(2), file(25), file(960)].map(\.name).sorted())
        #expect(removed(BackupRetention(hourly: 2, daily: 2, monthly: 2), files) == [file(0.25), file(2), file(25)].map(\.name).sorted())
    }

    @Test("Hours without a backup do not count: after a pause nothing more goes")
    func pause() {
        #expect(removed(BackupRetention(hourly: 3, daily: 0, monthly: 0), [file(0), file(500), file(900)]).isEmpty)
    }

    @Test("The newest stays, and so does the newest that was proven, whatever is wanted")
    func lastProven() {
        let files = [file(0, isProven: false), file(1, isProven: false), file(2), file(3)]
        #expect(removed(BackupRetention(hourly: 0, daily: 0, monthly: 0), files) == [file(1).name, file(3).name])
    }

    @Test("Of one hour or day a proven one stays before a newer one that was not proven")
    func provenFirst() {
        let files = [file(0), file(24, isProven: false), file(25), file(26)]
        #expect(removed(BackupRetention(hourly: 0, daily: 2, monthly: 0), files) == [file(24).name, file(26).name].sorted())
    }

    @Test("What people made, and what a restore kept, stays")
    func others() {
        let files = [file(0), file(500, ""), file(501, "-before-restore"), file(502, "-uploaded"), file(503, "-before-scheduled-downtime")]
        #expect(removed(BackupRetention(hourly: 1, daily: 0, monthly: 0), files).isEmpty)
    }

    @Test("Only a plain name can be that of a snapshot", arguments: [
        "../store.sqlite", "a/b.jsonl.gz", ".hidden.jsonl.gz", "x.jsonl", "", "ü.jsonl.gz", "a\u{0}.jsonl.gz", "a b.jsonl.gz",
    ])
    func names(name: String) {
        #expect(!SnapshotFile.isName(name))
        #expect(SnapshotFile.isName("Zoo-20261120T183955Z-scheduled-2.jsonl.gz"))
    }
}
