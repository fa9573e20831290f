import AviaryDomain
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryData

@Suite("Background imports")
struct ImportJobTests {
    private let directory = TemporaryDirectory()
    private var folder: ImportFolder { ImportFolder(data: directory.path) }
    private var jobs: JobFile<ImportJob> { JobFile(folder: folder.folder("ada", "Site")) }

    init() throws {
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    }

    private func keep() async throws -> ImportJob {
        let rest = Mutex<[UInt8]?>(Array("code\na\n".utf8))
        let id = try await folder.keep(by: "ada", for: "Site") {
            rest.withLock { rest in
                defer { rest = nil }
                return rest
            }
        }
        return ImportJob(of: id, form: [FormField(name: "column.0", value: "code")], at: Date())
    }

    private func path(of job: ImportJob) -> String { folder.folder("ada", "Site") + "/" + job.file }

    private func isThere(_ job: ImportJob) async -> Bool {
        await folder.file(job.file, of: "ada", for: "Site") != nil
    }

    private func ended() async throws -> ImportJob {
        try await eventually("the import has ended") {
            await folder.job(of: "ada", for: "Site").map { $0.state != .running } ?? false
        }
        return try #require(await folder.job(of: "ada", for: "Site"))
    }

    /// Marks the job as done with a stored batch.
    private static func store(_ job: ImportJob) -> ImportJob {
        var job = job
        job.state = .done
        job.stored.commits = [7]
        return job
    }

    @Test("A finished import reports its result to its account and removes the file")
    func done() async throws {
        let job = try await keep()
        try await folder.begin(job, of: "ada", for: "Site") { source, _ in
            #expect((try? source.columns()) == ["code"])
            return Self.store(job)
        }
        #expect(try await ended().stored.commits == [7])
        #expect(await folder.job(of: "bo", for: "Site") == nil)
        try await eventually("the file is gone") { await !isThere(job) && jobs.read()?.state == .done }
        await #expect(throws: ImportFileError.gone) {
            try await folder.begin(job, of: "ada", for: "Site") { _, _ in job }
        }
    }

    @Test("A running import hides its file and blocks other imports of the account for the model")
    func once() async throws {
        let (first, second) = (try await keep(), try await keep())
        let (goOn, continuation) = AsyncStream.makeStream(of: Void.self)
        try await folder.begin(first, of: "ada", for: "Site") { _, notes in
            try? await notes.keep { $0.progress = ImportProgress(.storing, done: 1, of: 4) }
            for await _ in goOn {}
            return Self.store(first)
        }
        try await eventually("its progress is told") {
            await folder.job(of: "ada", for: "Site")?.progress.total == 4
        }
        #expect(await folder.job(of: "ada", for: "Site")?.state == .running)
        #expect(await !isThere(first))
        for job in [first, second] {
            await #expect(throws: ImportFileError.busy) {
                try await folder.begin(job, of: "ada", for: "Site") { _, _ in job }
            }
        }
        #expect(await isThere(second))
        continuation.finish()
        #expect(try await ended().file == first.file)
    }

    @Test("The next import can begin as soon as the previous import is reported as ended")
    func oneAfterTheOther() async throws {
        for _ in 0..<20 {
            let job = try await keep()
            try await folder.begin(job, of: "ada", for: "Site") { _, _ in Self.store(job) }
            while await folder.job(of: "ada", for: "Site")?.state == .running { await Task.yield() }
        }
    }

    @Test(
        "A failed import restores its file only if nothing was stored",
        arguments: [true, false])
    func failed(storesNothing: Bool) async throws {
        let job = try await keep()
        try await folder.begin(job, of: "ada", for: "Site") { _, _ in
            var ended = storesNothing ? job : Self.store(job)
            ended.state = .failed
            return ended
        }
        #expect(try await ended().state == .failed)
        try await eventually("its file is as it should be") { await isThere(job) == storesNothing }
    }

    /// Returns a job that stored a part before its process ended.
    private func stopped() async throws -> ImportJob {
        var job = try await keep()
        try await folder.begin(job, of: "ada", for: "Site") { [job] _, _ in
            var ended = Self.store(job)
            ended.state = .failed
            return ended
        }
        job = try await ended()
        try await eventually("its lock is free") { try jobs.lock() != nil }
        return job
    }

    @Test("A stopped import can be resumed with its file, which is removed at the end")
    func continues() async throws {
        let job = try await stopped()
        #expect(await folder.isWaiting(job.file, of: "ada", for: "Site"))
        #expect(await !folder.isWaiting(job.file, of: "bo", for: "Site"))
        try await folder.resume(with: job.file, of: "ada", for: "Site", byItself: false) { left, source, _ in
            #expect(left.stored == job.stored && left.state == .running && (try? source.columns()) == ["code"])
            return Self.store(left)
        }
        #expect(try await ended().state == .done)
        try await eventually("its file is gone") {
            await !folder.isWaiting(job.file, of: "ada", for: "Site")
        }
        await #expect(throws: ImportFileError.gone) {
            try await folder.resume(with: job.file, of: "ada", for: "Site", byItself: false) { job, _, _ in job }
        }
    }

    @Test("An import is resumed only once at a time and continues where the previous attempt stopped")
    func continuesOnce() async throws {
        let job = try await stopped()
        let (goOn, continuation) = AsyncStream.makeStream(of: Void.self)
        try await folder.resume(with: job.file, of: "ada", for: "Site", byItself: false) { left, _, _ in
            for await _ in goOn {}
            var ended = left
            ended.state = .failed
            ended.stored.commits = [7, 8]
            return ended
        }
        await #expect(throws: ImportFileError.busy) {
            try await folder.resume(with: job.file, of: "ada", for: "Site", byItself: false) { job, _, _ in job }
        }
        continuation.finish()
        _ = try await ended()
        try await eventually("its lock is free") { try jobs.lock() != nil }
        try await folder.resume(with: job.file, of: "ada", for: "Site", byItself: false) { left, _, _ in
            #expect(left.stored.commits == [7, 8])
            return Self.store(left)
        }
        #expect(try await ended().state == .done)
    }

    @Test("The file of a stopped import is kept for an hour after the end of the import")
    func waitsFromItsEnd() async throws {
        let job = try await keep()
        let path = path(of: job) + ".taken"
        try await folder.begin(job, of: "ada", for: "Site") { _, _ in
            try? FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -3700)], ofItemAtPath: path)
            var ended = Self.store(job)
            ended.state = .failed
            return ended
        }
        _ = try await ended()
        #expect(await folder.isWaiting(job.file, of: "ada", for: "Site"))
    }

    @Test("The next import removes the file of a stopped import")
    func overwritten() async throws {
        let stopped = try await stopped(), next = try await keep()
        try await folder.begin(next, of: "ada", for: "Site") { _, _ in Self.store(next) }
        #expect(!FileManager.default.fileExists(atPath: path(of: stopped) + ".taken"))
    }

    @Test("The next import restores the file of an interrupted import that stored nothing")
    func overwrittenAtOnce() async throws {
        let (first, next) = (try await keep(), try await keep())
        try jobs.write(first)
        #expect(rename(path(of: first), path(of: first) + ".taken") == 0)
        try await folder.begin(next, of: "ada", for: "Site") { _, _ in Self.store(next) }
        #expect(await isThere(first))
    }

    @Test("A discarded import cannot be resumed, and a running import cannot be discarded")
    func discarded() async throws {
        let job = try await stopped()
        let (goOn, continuation) = AsyncStream.makeStream(of: Void.self)
        try await folder.resume(with: job.file, of: "ada", for: "Site", byItself: false) { left, _, _ in
            for await _ in goOn {}
            var ended = left
            ended.state = .failed
            return ended
        }
        await folder.discard(job.file, of: "ada", for: "Site")
        #expect(FileManager.default.fileExists(atPath: path(of: job) + ".taken"))
        continuation.finish()
        _ = try await ended()
        try await eventually("its lock is free") { try jobs.lock() != nil }
        await folder.discard(job.file, of: "ada", for: "Site")
        #expect(await !folder.isWaiting(job.file, of: "ada", for: "Site"))
    }

    @Test("The file of a stopped import expires after an hour")
    func waits() async throws {
        let job = try await stopped()
        let path = folder.folder("ada", "Site") + "/\(job.file).taken"
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3700)], ofItemAtPath: path)
        #expect(await !folder.isWaiting(job.file, of: "ada", for: "Site"))
        folder.removeExpired()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("An interrupted import reports the stored commits and the batch that was sent")
    func interrupted() async throws {
        var job = try await keep()
        let batch = UUID()
        job.stored.commits = [7, 8]
        job.sent = ImportJob.SentBatch(changeSet: batch, report: ImportReport())
        try jobs.write(job)
        let read = try #require(await folder.job(of: "ada", for: "Site"))
        #expect(read.state == .interrupted && read.stored.commits == [7, 8] && read.sent?.changeSet == batch)
    }

    @Test("A lookup restores the file of an interrupted import that stored nothing")
    func interruptedAtOnce() async throws {
        let job = try await keep()
        try jobs.write(job)
        let path = folder.folder("ada", "Site") + "/" + job.file
        #expect(rename(path, path + ".taken") == 0)
        #expect(await !isThere(job))
        #expect(await folder.job(of: "ada", for: "Site")?.state == .interrupted)
        #expect(await isThere(job))
    }

    /// Returns a job of which the process ended, and that its server continues.
    private func left(stored commits: [Int64] = []) async throws -> ImportJob {
        let kept = try await keep()
        var job = ImportJob(
            of: kept.file, form: kept.form, at: Date(),
            owner: ImportJob.Owner(account: UUID(), epoch: 1, model: "Site", language: nil))
        job.stored.commits = commits
        try jobs.write(job)
        #expect(rename(path(of: job), path(of: job) + ".taken") == 0)
        return job
    }

    @Test(
        "An interrupted import that its server continues is reported as running, and keeps its file from others",
        arguments: [[], [7]] as [[Int64]])
    func continuesByItself(commits: [Int64]) async throws {
        let job = try await left(stored: commits), next = try await keep()
        #expect(await folder.job(of: "ada", for: "Site")?.state == .running)
        #expect(await folder.interruptedJobs().map(\.file) == [job.file])
        for other in [next, job] {
            await #expect(throws: ImportFileError.busy) {
                try await folder.begin(other, of: "ada", for: "Site") { _, _ in other }
            }
        }
        try await folder.resume(with: job.file, of: "ada", for: "Site", byItself: true) { left, source, _ in
            #expect(left.stored.commits == commits && (try? source.columns()) == ["code"])
            return Self.store(left)
        }
        #expect(try await ended().state == .done)
        #expect(await folder.interruptedJobs().isEmpty)
    }

    @Test("The file of an import that its server continues is kept for a day, however long the import takes")
    func waitsForItsServer() async throws {
        let job = try await left(stored: [7]), path = path(of: job) + ".taken"
        func setAge(_ age: TimeInterval) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
        }
        try setAge(7200)
        folder.removeExpired()
        #expect(await folder.isWaiting(job.file, of: "ada", for: "Site"))
        try setAge(90_000)
        folder.removeExpired()
        #expect(await !folder.isWaiting(job.file, of: "ada", for: "Site"))
    }

    @Test("An interrupted import without its file ends with a reason, and another one can begin")
    func withoutFile() async throws {
        let job = try await left(stored: [7]), next = try await keep()
        #expect(unlink(path(of: job) + ".taken") == 0)
        await #expect(throws: ImportFileError.gone) {
            try await folder.resume(with: job.file, of: "ada", for: "Site", byItself: true) { job, _, _ in job }
        }
        let ended = try #require(await folder.job(of: "ada", for: "Site"))
        #expect(ended.state == .failed && ended.reason?.contains("no longer available") == true)
        try await folder.begin(next, of: "ada", for: "Site") { _, _ in Self.store(next) }
    }

    @Test("A user cannot discard the file of an import that a server continues")
    func notDiscarded() async throws {
        let job = try await left(stored: [7])
        await folder.discard(job.file, of: "ada", for: "Site")
        #expect(await folder.isWaiting(job.file, of: "ada", for: "Site"))
    }

    @Test("The file of an import whose end cannot be written remains for the server that continues it")
    func unwritten() async throws {
        let job = try await keep(), path = folder.folder("ada", "Site")
        try await folder.begin(job, of: "ada", for: "Site") { _, _ in
            // No file replaces a folder.
            try? FileManager.default.removeItem(atPath: path + "/.job.json")
            try? FileManager.default.createDirectory(
                atPath: path + "/.job.json/full", withIntermediateDirectories: true)
            return Self.store(job)
        }
        try await eventually("its lock is free") { try jobs.lock() != nil }
        #expect(FileManager.default.fileExists(atPath: self.path(of: job) + ".taken"))
    }

    @Test("An import that ends its process three times without a batch waits for a request, and its file is restored")
    func endsItsProcess() async throws {
        var job = try await left()
        for _ in 0..<3 {
            #expect(await folder.interruptedJobs().count == 1)
            job.resume(byItself: true)
            try jobs.write(job)
        }
        #expect(await folder.interruptedJobs().isEmpty)
        #expect(await folder.job(of: "ada", for: "Site")?.state == .interrupted)
        #expect(await isThere(job))
    }

    @Test("The result of an import expires after a day, and the lock file is kept")
    func expired() async throws {
        try await folder.begin(try await keep(), of: "ada", for: "Site") { _, notes in
            try? await notes.keep { $0.state = .done }
            var job = ImportJob(of: "", form: [], at: Date())
            job.state = .done
            return job
        }
        _ = try await ended()
        let path = folder.folder("ada", "Site")
        func setAge(_ age: TimeInterval) throws {
            for name in [".job.json", ".job.lock"] {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path + "/" + name)
            }
        }
        try await eventually("its lock is free") { try jobs.lock() != nil }
        try setAge(7200)
        folder.removeExpired()
        #expect(await folder.job(of: "ada", for: "Site") != nil)
        try setAge(90_000)
        folder.removeExpired()
        #expect(await folder.job(of: "ada", for: "Site") == nil)
        #expect(FileManager.default.fileExists(atPath: path + "/.job.lock"))
    }
}
