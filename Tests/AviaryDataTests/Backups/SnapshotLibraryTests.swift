import AviaryDomain
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryData

@Suite("Snapshot: background jobs")
struct SnapshotLibraryTests {
    private func library(_ fixture: StoreFixture, reported: @escaping @Sendable (SnapshotJob) -> Void = { _ in })
        -> SQLSnapshotLibrary
    {
        let snapshots = fixture.snapshots
        return SQLSnapshotLibrary(
            data: fixture.directory.path, app: "Zoo", repository: { _ in snapshots }, record: { reported($0) },
            words: { "\($0)" })
    }

    private func ended(_ library: SQLSnapshotLibrary) async throws -> SnapshotJob {
        try await eventually("the work has ended") { await library.job().map { $0.state != .running } ?? false }
        return try #require(await library.job())
    }

    @Test("Every process can read the result of a finished job")
    func taken() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let recorded = Mutex<[SnapshotJob]>([])
        let library = library(fixture) { job in recorded.withLock { $0.append(job) } }
        try await library.begin(.take, of: nil, by: "ada", isGood: { true })
        let job = try await ended(library)
        #expect(job.state == .done && job.author == "ada")
        #expect(recorded.withLock { $0.map(\.file) } == [job.file])
        #expect(await self.library(fixture).job() == job)
        #expect(try await library.files().map(\.name) == [job.file])
    }

    @Test("A job fails if its account has lost the permission", arguments: [SnapshotJob.Task.take, .prove])
    func revoked(task: SnapshotJob.Task) async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let library = library(fixture)
        let file = task == .take ? nil : URL(filePath: try await fixture.backup()).lastPathComponent
        let before = try await library.files().map(\.name)
        try await library.begin(task, of: file, by: "ada", isGood: { false })
        let job = try await ended(library)
        #expect(job.state == .failed && job.text == AccountEndedError().description)
        #expect(try await library.files().map(\.name) == before)
        #expect(try await library.files().allSatisfy { $0.proof == nil })
    }

    @Test("A prepared restore replaces nothing if its account was disabled meanwhile")
    func revokedRestore() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let library = library(fixture)
        let file = URL(filePath: try await fixture.backup()).lastPathComponent
        try await fixture.insert(Site(code: "Later"))
        let count = try await fixture.count(Site.self), epoch = try fixture.readers.restoreEpoch()
        let before = try await library.files().map(\.name)
        let looks = Tally(), holds = Mutex<[Bool]>([])
        // The library asks before the work begins, and the restore while it holds writes.
        try await library.begin(
            .restore, of: file, by: "ada",
            isGood: {
                let isHeld = await fixture.store.holdBegan != nil
                holds.withLock { $0.append(isHeld) }
                return looks.add() == 1
            })
        let job = try await ended(library)
        #expect(holds.withLock { $0 } == [false, true])
        #expect(job.state == .failed && job.text == AccountEndedError().description)
        #expect(looks.value == 2)
        #expect(try await fixture.count(Site.self) == count)
        #expect(try fixture.readers.restoreEpoch() == epoch)
        #expect(try await library.files().map(\.name) == before, "it kept nothing of what it would have replaced")
        #expect(try await fixture.insert(Site(code: "Writes go on")).commit > 0)
    }

    @Test("An upload is discarded if its account was disabled meanwhile")
    func revokedUpload() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let library = library(fixture)
        let job = try await upload(
            takenAt: "2020-10-20T12:34:56.789Z", to: library, of: fixture, isGood: { false })
        #expect(job.state == .failed && job.text == AccountEndedError().description)
        #expect(try await !library.files().contains { $0.origin == .uploaded })
    }

    /// Uploads a snapshot of the sample with the given creation time.
    private func upload(
        takenAt time: String, to library: SQLSnapshotLibrary, of fixture: StoreFixture,
        isGood: @escaping @Sendable () async throws -> Bool = { true }
    ) async throws -> SnapshotJob {
        let path = try await fixture.backup()
        var text = try SnapshotText(path)
        text.replace(try await fixture.snapshots.verify(path).createdAt, with: time, inLine: 1)
        try text.close()
        try text.write(to: path + ".old")
        let rest = Mutex<[UInt8]?>([UInt8](try Data(contentsOf: URL(fileURLWithPath: path + ".old"))))
        try await library.receive(ofSize: nil, by: "ada", isGood: isGood) {
            rest.withLock { rest in
                defer { rest = nil }
                return rest
            }
        }
        return try await ended(library)
    }

    @Test("An uploaded snapshot is named after its creation time and listed after newer snapshots")
    func uploaded() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let library = library(fixture)
        let job = try await upload(takenAt: "2020-10-20T12:34:56.789Z", to: library, of: fixture)
        #expect(job.state == .done, "\(job.text ?? "")")
        #expect(job.file == "Zoo-20201020T123456Z-uploaded.jsonl.gz")
        let files = try await library.files()
        #expect(files.map(\.origin) == [.manual, .uploaded])
        #expect(files.last?.takenAt.rfc3339 == "2020-10-20T12:34:56.000Z")
    }

    @Test("The redacted text of a snapshot error gives its line, reason and advice in English")
    func redacted() {
        #expect(
            SnapshotError(.wrongHash, line: 3).redactedText
                == "line 3: The checksum doesn’t match. Use another copy or an older backup."
        )
    }

    @Test("The reason of a failed job is in the language of its author")
    func german() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let library = library(fixture)
        let job = try await Language.german.use { try await upload(takenAt: "yesterday", to: library, of: fixture) }
        let words =
            "Ungültige erste Zeile: die Zeit ist ungültig. Eine andere Kopie oder eine ältere Sicherung verwenden."
        #expect(job.text?.hasSuffix(words) == true, "\(job.text ?? "")")
        let path = try await fixture.backup()
        var text = try SnapshotText(path)
        text.replace("\"version\":1", with: "\"version\":0", inLine: 2)
        try text.close()
        unlink(path)
        try text.write(to: path)
        try await Language.german.use {
            try await library.begin(.prove, of: URL(filePath: path).lastPathComponent, by: "ada", isGood: { true })
        }
        #expect(
            try await ended(library).text?.contains(
                "Zeile 2: Ungültiger Eintrag: die Version fehlt.") == true)
        try await library.begin(.prove, of: URL(filePath: path).lastPathComponent, by: "ada", isGood: { true })
        #expect(
            try await ended(library).text?.contains("line 2: Invalid record: the version is missing.")
                == true)
    }

    @Test(
        "An upload with an invalid creation time is rejected and not stored",
        arguments: ["../../../../x", "", "yesterday"])
    func uploadedWithoutTime(time: String) async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let library = library(fixture)
        let job = try await upload(takenAt: time, to: library, of: fixture)
        #expect(job.state == .failed)
        #expect(job.text?.contains("the time is invalid") == true, "\(job.text ?? "")")
        #expect(try await !library.files().contains { $0.origin == .uploaded })
    }

    @Test("An interrupted restore job states whether the store was restored", arguments: [true, false])
    func interruptedRestore(isRestored: Bool) async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let library = library(fixture), path = try await fixture.backup()
        var job = SnapshotJob(.restore, of: "a.jsonl.gz", by: "ada", at: Date())
        job.restoreEpoch = await library.restoreEpoch()
        if isRestored { _ = try await fixture.snapshots.restore(from: path) }
        try JobFile<SnapshotJob>(folder: SnapshotFolder(fixture.directory.path).path).write(job)
        let found = try #require(await library.job())
        #expect(found.state == .interrupted)
        #expect(found.isRestored == isRestored)
    }

    @Test("A restore job records the restore epoch of the store before the restore")
    func epochKept() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let library = library(fixture), path = try await fixture.backup()
        let before = await library.restoreEpoch()
        try await library.begin(.restore, of: URL(fileURLWithPath: path).lastPathComponent, by: "ada", isGood: { true })
        let job = try await ended(library)
        #expect(job.state == .done && job.restoreEpoch == before && before != nil)
    }

    @Test("A restore job lists the old snapshots that were removed and those that could not be removed")
    func older() async throws {
        let fixture = try StoreFixture.snapshots()
        let path = try await fixture.backup(), folder = SnapshotFolder(fixture.directory.path)
        func name(_ day: Int) -> String { "Zoo-202601\(day)T000000Z-before-restore.jsonl.gz" }
        for day in 10...15 {
            if day == 11 {
                try FileManager.default.createDirectory(
                    atPath: folder.path(of: name(day)), withIntermediateDirectories: false)
            } else {
                try FileManager.default.copyItem(atPath: path, toPath: folder.path(of: name(day)))
            }
            let time = Date(timeIntervalSinceNow: Double(day - 20) * 86_400)
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: folder.path(of: name(day)))
        }
        let recorded = Mutex<[SnapshotJob]>([])
        let library = library(fixture) { job in recorded.withLock { $0.append(job) } }
        try await library.begin(.restore, of: URL(filePath: path).lastPathComponent, by: "ada", isGood: { true })
        let job = try await ended(library)
        #expect(job.state == .done && job.removed == [name(10)])
        #expect(job.notRemoved?.count == 1 && job.notRemoved?.first?.contains(name(11)) == true)
        #expect(recorded.withLock { $0.map(\.removed) } == [[name(10)]])
    }

    @Test("Only one job runs at a time, and a job whose process ended is interrupted")
    func once() async throws {
        let fixture = try StoreFixture.snapshots()
        let folder = SnapshotFolder(fixture.directory.path).path
        try fixture.directory.createSnapshotsDirectory()
        let file = JobFile<SnapshotJob>(folder: folder)
        var lock = try file.lock()
        try file.write(SnapshotJob(.restore, of: "a.jsonl.gz", by: "ada", at: Date()))
        #expect(lock != nil)
        #expect(file.read()?.state == .running)
        await #expect(throws: SnapshotLibraryError.busy) {
            try await library(fixture).begin(.take, of: nil, by: "bo", isGood: { true })
        }
        #expect(file.read()?.author == "ada")
        lock = nil
        #expect(file.read()?.state == .interrupted)
    }

    @Test("A missing or invalid file name does not begin a job", arguments: ["none.jsonl.gz", "../store.sqlite", ""])
    func noFile(name: String) async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        await #expect(throws: SnapshotLibraryError.noSuchFile) {
            try await library(fixture).begin(.restore, of: name, by: "ada", isGood: { true })
        }
        #expect(await library(fixture).job() == nil)
    }
}
