package import AviaryDomain
import Foundation
import Synchronization

/// The snapshots beside a store, and work on them that this process does.
package struct SQLSnapshotLibrary: SnapshotLibrary {
    private let dataPath: String
    private let repository: @Sendable (@escaping @Sendable (SnapshotProgress) -> Void) -> any SnapshotRepository
    private let record: @Sendable (SnapshotJob) async -> Void
    private let words: @Sendable (any Error) -> String

    private var folder: SnapshotFolder { SnapshotFolder(dataPath) }
    private var jobs: SnapshotJobFile { SnapshotJobFile(folder: folder.path) }

    /// - Parameters:
    ///   - repository: Makes snapshots and restores them, telling how far it has come.
    ///   - record: Writes down among the events what was done.
    ///   - words: What to tell a person of an error.
    package init(
        data path: String,
        repository: @escaping @Sendable (@escaping @Sendable (SnapshotProgress) -> Void) -> any SnapshotRepository,
        record: @escaping @Sendable (SnapshotJob) async -> Void, words: @escaping @Sendable (any Error) -> String
    ) {
        dataPath = path
        self.repository = repository
        self.record = record
        self.words = words
    }

    package func files() async throws -> [SnapshotFile] { folder.files() }
    package func file(_ name: String) async -> SnapshotFile? { folder.file(name) }
    package func path(of name: String) async -> String? { folder.file(name).map { folder.path(of: $0.name) } }
    package func job() async -> SnapshotJob? { jobs.read() }
    package func backupState() async -> BackupState? { folder.backupState() }

    package func begin(_ task: SnapshotJob.Task, of file: String?, by author: String) async throws(SnapshotLibraryError) {
        if let file, folder.file(file) == nil { throw .noSuchFile }
        let job = SnapshotJob(task, of: file, by: author, at: Date())
        let lock: SnapshotJobFile.Lock
        do {
            try DataDirectory(path: dataPath).createSnapshotsDirectory()
            guard let taken = try jobs.lock() else { throw SnapshotLibraryError.busy }
            lock = taken
            try jobs.write(job)
        } catch let error as SnapshotLibraryError {
            throw error
        } catch {
            throw .unwritable(words(error))
        }
        Task.detached { [self] in
            await run(job)
            withExtendedLifetime(lock) {}
        }
    }

    private func run(_ job: SnapshotJob) async {
        let reporter = Reporter(job: job, file: jobs)
        do {
            let result = try await perform(job, repository(reporter.report))
            if job.task != .inspect { await record(result) }
            reporter.finish(result)
        } catch {
            var failed = job
            failed.state = .failed
            failed.text = words(error)
            reporter.finish(failed)
        }
    }

    private func perform(_ job: SnapshotJob, _ repository: any SnapshotRepository) async throws -> SnapshotJob {
        var job = job
        let path = folder.path(of: job.file ?? "")
        switch job.task {
        case .take:
            let summary = try await repository.create(at: .standard, level: 1)
            job.file = summary.path.map { URL(fileURLWithPath: $0).lastPathComponent }
        case .prove:
            _ = try await repository.prove(path)
        case .inspect:
            let plan = Mutex<RestorePlan?>(nil)
            _ = try await repository.restore(from: path) { found in
                plan.withLock { $0 = found }
                return false
            }
            job.plan = plan.withLock { $0 }
        case .restore:
            let restored = try await repository.restore(from: path)
            job.text = restored.replaced?.path.map { URL(fileURLWithPath: $0).lastPathComponent }
        }
        job.state = .done
        return job
    }

    /// Writes down how far it has come, now and then.
    private final class Reporter: Sendable {
        private static let pause: Duration = .milliseconds(300)

        private let job: SnapshotJob
        private let file: SnapshotJobFile
        private let last = Mutex<ContinuousClock.Instant?>(nil)

        init(job: SnapshotJob, file: SnapshotJobFile) {
            self.job = job
            self.file = file
        }

        func report(_ progress: SnapshotProgress) {
            let now = ContinuousClock.now
            let isDue = last.withLock { last in
                guard last.map({ now - $0 > Self.pause }) ?? true else { return false }
                last = now
                return true
            }
            guard isDue else { return }
            var job = job
            job.progress = progress
            // How far it has come is not worth failing for.
            try? file.write(job)
        }

        func finish(_ job: SnapshotJob) {
            // With a full disk nothing is left to be told; the work then counts as interrupted.
            try? file.write(job)
        }
    }
}
