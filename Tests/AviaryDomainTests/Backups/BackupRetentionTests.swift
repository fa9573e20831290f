import AviaryDomain
import Foundation
import TestSupport
import Testing

@Suite("Backup retention")
struct BackupRetentionTests {
    private static let start = Date(timeIntervalSince1970: 1_800_001_800)  // 2027-01-15, 08:30 UTC

    private func file(_ hours: Double, _ suffix: String = "-scheduled", isProven: Bool = true) -> SnapshotFile {
        let time = Self.start.addingTimeInterval(-hours * 3600)
        let summary = SnapshotSummary(
            path: nil, app: "Zoo", createdAt: "", commit: 1, records: 0, counts: [:], sha256: "")
        return SnapshotFile(
            name: "Zoo-\(Self.name(time))\(suffix).jsonl.gz", size: 1, writtenAt: time,
            proof: isProven ? SnapshotProof(provenAt: time, snapshot: summary) : nil)
    }

    /// Returns the name of a backup's time, for example `20270115T083000Z`.
    private static func name(_ time: Date) -> String {
        (time.rfc3339 ?? "").prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }

    private func removed(_ retention: BackupRetention, _ files: [SnapshotFile]) -> [String] {
        var generator = TestSeed.generator()
        return retention.removable(files.shuffled(using: &generator)).map(\.name).sorted()
    }

    @Test("Retention keeps the newest backup of each hour, day and month, up to the configured counts")
    func periods() {
        let files = [file(0), file(0.25), file(1), file(2), file(24), file(25), file(24 * 40)]
        #expect(
            removed(BackupRetention(hourly: 2, daily: 0, monthly: 0), files)
                == [file(0.25), file(2), file(24), file(25), file(960)].map(\.name).sorted())
        #expect(
            removed(BackupRetention(hourly: 0, daily: 2, monthly: 0), files)
                == [file(0.25), file(1), file(2), file(25), file(960)].map(\.name).sorted())
        #expect(
            removed(BackupRetention(hourly: 2, daily: 2, monthly: 2), files)
                == [file(0.25), file(2), file(25)].map(\.name).sorted())
    }

    @Test("Hours without a backup do not count")
    func pause() {
        #expect(removed(BackupRetention(hourly: 3, daily: 0, monthly: 0), [file(0), file(500), file(900)]).isEmpty)
    }

    @Test("Retention always keeps the newest backup and the newest that passed a test restore")
    func lastProven() {
        let files = [file(0, isProven: false), file(1, isProven: false), file(2), file(3)]
        #expect(
            removed(BackupRetention(hourly: 0, daily: 0, monthly: 0), files) == [file(1).name, file(3).name].sorted())
    }

    @Test("Retention prefers a backup that passed a test restore over a newer one of the same period")
    func provenFirst() {
        let files = [file(0), file(24, isProven: false), file(25), file(26)]
        #expect(
            removed(BackupRetention(hourly: 0, daily: 2, monthly: 0), files) == [file(24).name, file(26).name].sorted())
    }

    @Test("Retention keeps manual backups, uploads and copies made before a restore")
    func others() {
        let files = [
            file(0), file(500, ""), file(501, "-before-restore"), file(502, "-uploaded"),
            file(503, "-before-scheduled-downtime"),
        ]
        #expect(removed(BackupRetention(hourly: 1, daily: 0, monthly: 0), files).isEmpty)
    }

    @Test("Copies made before a restore are kept for a day, and beyond that up to a count")
    func replaced() {
        func kept(_ hours: Double) -> SnapshotFile { file(hours, "-before-restore", isProven: false) }
        let files = [
            kept(1), kept(2), kept(23), kept(25), kept(40), kept(50), file(60), file(70, ""), file(80, "-uploaded"),
        ]
        func removed(keeping count: Int, _ files: [SnapshotFile]) -> [String] {
            var generator = TestSeed.generator()
            return BackupRetention.removableReplaced(
                files.shuffled(using: &generator), keeping: count, at: Self.start
            ).map(\.name)
        }
        #expect(removed(keeping: 5, files) == [kept(50).name])
        #expect(removed(keeping: 4, files) == [kept(40), kept(50)].map(\.name))
        #expect(removed(keeping: 1, files) == [kept(25), kept(40), kept(50)].map(\.name), "none of the last day")
        #expect(removed(keeping: 0, [kept(100), kept(200)]) == [kept(200).name], "the newest stays")
        #expect(removed(keeping: 5, [kept(-30), kept(-20)]).isEmpty, "by a clock that was set back")
    }

    @Test(
        "A manual backup whose name resembles a copy made before a restore is kept",
        arguments: [
            "zoo-before-restore", "before-restore", "Zoo-20260110T000000Z-of-ada-before-restore",
            "Zoo-20261310T000000Z-before-restore",
            "-before-restore", "20260110T000000Z-before-restore", "zoo-2-before-restore", "zoo-scheduled",
        ])
    func namesOfPeople(name: String) {
        let old = SnapshotFile(
            name: name + ".jsonl.gz", size: 1, writtenAt: Self.start.addingTimeInterval(-1_000_000), proof: nil)
        #expect(old.origin == .manual)
        #expect(
            BackupRetention.removableReplaced([file(0, "-before-restore"), old], keeping: 1, at: Self.start).isEmpty)
        #expect(removed(BackupRetention(hourly: 0, daily: 0, monthly: 0), [file(0), old]).isEmpty)
    }

    @Test(
        "The name of a backup gives its origin, even with a number added",
        arguments: [
            ("Zoo-20260110T000000Z-before-restore", .beforeRestore),
            ("my-zoo-20260110T000000Z-2-before-restore", .beforeRestore),
            ("Zoo-20260110T000000Z-3-scheduled", .scheduled), ("Zoo-20260110T000000Z-uploaded", .uploaded),
            ("Zoo-20260110T000000Z", .manual),
        ] as [(String, SnapshotFile.Origin)])
    func origin(name: String, origin: SnapshotFile.Origin) {
        #expect(SnapshotFile(name: name + ".jsonl.gz", size: 1, writtenAt: Self.start, proof: nil).origin == origin)
    }

    @Test(
        "A snapshot name is a plain file name",
        arguments: [
            "../store.sqlite", "a/b.jsonl.gz", ".hidden.jsonl.gz", "x.jsonl", "", "ü.jsonl.gz", "a\u{0}.jsonl.gz",
            "a b.jsonl.gz",
        ])
    func names(name: String) {
        #expect(!SnapshotFile.isName(name))
        #expect(SnapshotFile.isName("Zoo-20261120T183955Z-scheduled-2.jsonl.gz"))
    }
}

@Suite("Snapshot times")
struct SnapshotFileTests {
    private static let written = Date(timeIntervalSince1970: 1_800_000_000)

    private func takenAt(_ name: String, proof: SnapshotProof? = nil) -> String? {
        SnapshotFile(name: name + ".jsonl.gz", size: 1, writtenAt: Self.written, proof: proof).takenAt.rfc3339
    }

    @Test(
        "A timestamp in the name gives the time of the snapshot",
        arguments: [
            "Zoo-20261020T123456Z", "Zoo-20261020T123456Z-2", "Zoo-20261020T123456Z-uploaded",
            "Zoo-20261020T123456Z-2-uploaded",
            "my-20200101T000000Z-zoo-20261020T123456Z-before-restore",
        ])
    func name(name: String) {
        #expect(takenAt(name) == "2026-10-20T12:34:56.000Z")
    }

    @Test(
        "Without a timestamp in the name, the time comes from the test restore or the file",
        arguments: ["Zoo", "Zoo-20261320T123456Z", "Zoo-20261020T123456", "Zoo-2026-10-20", "Zoo-ABCDEFGHTIJKLMNZ"])
    func otherName(name: String) {
        #expect(takenAt(name) == Self.written.rfc3339)
        let summary = SnapshotSummary(
            path: nil, app: "Zoo", createdAt: "2026-10-20T12:34:56.789Z", commit: 1, records: 0, counts: [:], sha256: ""
        )
        #expect(
            takenAt(name, proof: SnapshotProof(provenAt: Self.written, snapshot: summary)) == "2026-10-20T12:34:56.789Z"
        )
    }
}

@Suite("Backup warnings")
struct BackupStateTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let state = BackupState(interval: 3600, since: start)

    @Test("The first backup is due immediately, and the next one interval after the last")
    func due() {
        var state = state
        #expect(state.nextDue == Self.start)
        state.lastSuccess = Self.start + 10
        #expect(state.nextDue == Self.start + 3610)
    }

    @Test("A backup is overdue after one and a half intervals")
    func late() {
        var state = state
        state.lastSuccess = Self.start
        #expect(state.warning(at: Self.start + 5400) == nil)
        #expect(state.warning(at: Self.start + 5401) == "The next backup is overdue.")
        #expect(self.state.warning(at: Self.start + 5401) == "No backup yet.")
    }

    @Test("A failed backup takes precedence over a failed command in the warning")
    func failed() {
        var state = state
        state.lastSuccess = Self.start
        state.hookFailure = "it exited with 7."
        #expect(
            state.warning(at: Self.start)
                == "The last backup succeeded, but the command after it failed: it exited with 7.")
        state.failure = "the disk is full."
        #expect(state.warning(at: Self.start) == "The last backup failed: the disk is full.")
    }
}
