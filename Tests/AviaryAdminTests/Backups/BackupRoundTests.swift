import AviaryDomain
import Foundation
import Logging
import Synchronization
import Testing

@testable import AviaryAdmin
@testable import AviaryCommands

@Suite("Scheduled backups")
struct BackupRoundTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func round(
        _ snapshots: FakeSnapshots, _ storage: FakeStorage = FakeStorage(), hook: String? = nil,
        isInterrupted: Bool = false
    ) -> BackupRound {
        BackupRound(
            schedule: BackupSchedule(
                interval: 3600, retention: BackupRetention(hourly: 0, daily: 0, monthly: 0), hook: hook,
                includesSecrets: false),
            storage: storage, snapshots: snapshots, interrupt: {}, isInterrupted: { isInterrupted },
            logger: Logger(label: "test"))
    }

    private func run(_ round: BackupRound, keep: (BackupState) -> Void = { _ in }) async -> BackupState {
        var state = BackupState(interval: 3600, since: Self.now)
        await round.run(&state, now: { Self.now }, keep: keep)
        return state
    }

    @Test("A proven backup is recorded as a success, and older backups are removed")
    func taken() async {
        let storage = FakeStorage(files: [
            FakeStorage.file(at: 10, isProven: true), FakeStorage.file(at: 0, isProven: true),
        ])
        let state = await run(round(FakeSnapshots(), storage))
        #expect(state.lastSuccess == Self.now)
        #expect(state.lastFile == "Zoo-scheduled.jsonl.gz")
        #expect(state.warning(at: Self.now) == nil)
        #expect(storage.removed == ["Zoo-19700101T000000Z-scheduled.jsonl.gz"])
    }

    @Test("A successful backup is logged, and a failed one is not")
    func recorded() async {
        let names = Mutex<[String]>([])
        for isProvable in [true, false] {
            var round = round(FakeSnapshots(isProvable: isProvable))
            round.record = { name in names.withLock { $0.append(name) } }
            _ = await run(round)
        }
        #expect(names.withLock { $0 } == ["Zoo-scheduled.jsonl.gz"])
    }

    @Test("The backup state is saved before the hook runs")
    func keptBeforeHook() async throws {
        let mark = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: mark) }  // without a run of the hook, there is no file
        var known: [(file: String?, hookHasRun: Bool)] = []
        _ = await run(round(FakeSnapshots(), hook: "touch '\(mark)'")) { state in
            known.append((state.lastFile, FileManager.default.fileExists(atPath: mark)))
        }
        let first = try #require(known.first)
        #expect(first.file == "Zoo-scheduled.jsonl.gz")
        #expect(!first.hookHasRun)
        #expect(FileManager.default.fileExists(atPath: mark))
    }

    @Test("A backup that fails its restore test is a failure and is the only file removed")
    func notProven() async {
        let storage = FakeStorage(files: [
            FakeStorage.file(at: 10, isProven: false), FakeStorage.file(at: 0, isProven: false),
        ])
        let state = await run(round(FakeSnapshots(isProvable: false), storage, hook: "exit 1"))
        #expect(state.lastSuccess == nil)
        #expect(state.failure != nil)
        #expect(state.hookFailure == nil, "there was nothing to copy")
        #expect(storage.removed == ["Zoo-scheduled.jsonl.gz"], "each attempt would leave one more")
    }

    @Test("A backup that shutdown interrupts is not a failure")
    func interrupted() async {
        let state = await run(round(FakeSnapshots(isProvable: false), isInterrupted: true))
        #expect(state.failure == nil)
        #expect(state.lastSuccess == nil)
    }

    @Test(
        "The hook gets the backup's path, and its failure is reported separately",
        arguments: [
            ("test \"$SNAPSHOT\" = /tmp/Zoo-scheduled.jsonl.gz", nil), ("exit 7", "it exited with 7."),
            ("kill -9 $$", "it was ended by signal 9."),
        ] as [(String, String?)])
    func hook(command: String, failure: String?) async {
        let state = await run(round(FakeSnapshots(), hook: command))
        #expect(state.hookFailure == failure)
        #expect(state.lastSuccess == Self.now)
        #expect(state.failure == nil)
    }

    @Test("A hook that does not end is terminated")
    func endless() async {
        #expect(
            await BackupHook(command: "sleep 3600", patience: .milliseconds(200)).run(snapshot: "/x")
                == "it took too long and was ended.")
        #expect(
            await BackupHook(command: "sleep 3600").run(snapshot: "/x") { true }
                == "it was ended, because the server ends.")
    }
}

@Suite("Backup flags")
struct BackupOptionsTests {
    @Test("Durations have units, and omitted flags have defaults")
    func values() throws {
        #expect(try BackupOptions.schedule(of: []) == nil)
        let schedule = try #require(try BackupOptions.schedule(of: ["--backup-every", "1.5h", "--keep-daily", "3"]))
        #expect(schedule.interval == 5400)
        #expect(schedule.retention == BackupRetention(hourly: 24, daily: 3, monthly: 12))
        #expect(schedule.hook == nil)
    }

    @Test(
        "Invalid flags are rejected",
        arguments: [
            ["--backup-every", "soon"], ["--backup-every", "0s"], ["--backup-every", "1e9d"],
            ["--backup-every", "-1h"], ["--backup-every", "5"],
            ["--keep-daily", "3"], ["--backup-hook", "true"], ["--backup-every", "1h", "--keep-daily", "-1"],
        ])
    func refused(flags: [String]) {
        #expect(throws: (any Error).self) { try BackupOptions.schedule(of: flags) }
    }

    @Test("The environment of the store process contains the schedule's settings")
    func environment() throws {
        let schedule = try #require(
            try BackupOptions.schedule(of: [
                "--backup-every", "90s", "--backup-hook", "true", "--backup-include-secrets",
            ]))
        #expect(
            schedule.environment == [
                "AVIARY_BACKUP_EVERY": "90.0s", "AVIARY_KEEP_HOURLY": "24", "AVIARY_KEEP_DAILY": "7",
                "AVIARY_KEEP_MONTHLY": "12",
                "AVIARY_BACKUP_HOOK": "true", "AVIARY_BACKUP_INCLUDE_SECRETS": "1",
            ])
        #expect(try BackupOptions.schedule(of: ["--backup-every", "90.0s"])?.interval == 90)
    }
}

private final class FakeStorage: BackupStorage {
    private let all: [SnapshotFile]
    private let names = Mutex<[String]>([])

    init(files: [SnapshotFile] = []) { all = files }

    var removed: [String] { names.withLock { $0 } }

    /// Returns a file that was written at the time.
    ///
    /// - Parameter seconds: The time, from 0 to 59.
    static func file(at seconds: Int, isProven: Bool) -> SnapshotFile {
        let time = Date(timeIntervalSince1970: Double(seconds))
        return SnapshotFile(
            name: "Zoo-19700101T0000\(seconds < 10 ? "0" : "")\(seconds)Z-scheduled.jsonl.gz", size: 1, writtenAt: time,
            proof: isProven ? SnapshotProof(provenAt: time, snapshot: FakeSnapshots.summary) : nil)
    }

    func files() -> [SnapshotFile] { all }
    func remove(_ name: String) throws { names.withLock { $0.append(name) } }
    func backupState() -> BackupState? { nil }
    func keep(_ state: BackupState?) throws {}
}

private struct FakeSnapshots: SnapshotRepository {
    static let summary = SnapshotSummary(
        path: "/tmp/Zoo-scheduled.jsonl.gz", app: "Zoo", createdAt: "", commit: 1, records: 0, counts: [:], sha256: "")

    private struct Unprovable: Error {}

    var isProvable = true

    func create(
        at destination: SnapshotDestination, level: Int, includingSecrets: Bool, includingHistory: Bool
    ) async throws -> SnapshotSummary {
        #expect(destination == .scheduled)
        #expect(includingHistory)
        return Self.summary
    }

    func verify(_ path: String) async throws -> SnapshotSummary { Self.summary }

    func prove(_ path: String) async throws -> SnapshotProof {
        guard isProvable else { throw Unprovable() }
        return SnapshotProof(provenAt: Date(), snapshot: Self.summary)
    }

    func restore(
        from path: String, isGood: @escaping @Sendable () async throws -> Bool,
        confirming: @Sendable (RestorePlan) async throws -> Bool
    ) async throws -> RestoreSummary? { nil }
}
