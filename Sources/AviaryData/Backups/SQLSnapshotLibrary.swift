package import AviaryDomain
import Foundation
import Synchronization

/// The snapshots of a store, and the jobs of this process that create, upload, verify and restore them.
package struct SQLSnapshotLibrary: SnapshotLibrary {
    let dataPath: String
    private let engine: any StoreEngine
    private let app: String
    private let repository: @Sendable (@escaping @Sendable (SnapshotProgress) -> Void) -> any SnapshotRepository
    private let record: @Sendable (SnapshotJob) async -> Void
    private let words: @Sendable (any Error) -> String

    private var folder: SnapshotFolder { SnapshotFolder(dataPath) }
    var jobs: JobFile<SnapshotJob> { JobFile(folder: folder.path) }

    /// Creates a library.
    ///
    /// - Parameters:
    ///   - app: The prefix of the names of new files.
    ///   - repository: A function that returns a repository, which creates and restores snapshots and reports its
    ///     progress.
    ///   - record: A function that adds an event for a completed job.
    ///   - words: A function that returns the text of an error for the user.
    package init(
        data path: String, app: String, engine: any StoreEngine = StoreEngines.standard,
        repository: @escaping @Sendable (@escaping @Sendable (SnapshotProgress) -> Void) -> any SnapshotRepository,
        record: @escaping @Sendable (SnapshotJob) async -> Void, words: @escaping @Sendable (any Error) -> String
    ) {
        dataPath = path
        self.engine = engine
        self.app = app
        self.repository = repository
        self.record = record
        self.words = words
    }

    package func files() async throws -> [SnapshotFile] { folder.files() }
    package func file(_ name: String) async -> SnapshotFile? { folder.file(name) }
    package func path(of name: String) async -> String? { folder.file(name).map { folder.path(of: $0.name) } }
    package func backupState() async -> BackupState? { folder.backupState() }

    package func begin(
        _ task: SnapshotJob.Task, of file: String?, by author: String,
        isGood: @escaping @Sendable () async throws -> Bool
    ) async throws(SnapshotLibraryError) {
        if let file, folder.file(file) == nil { throw .noSuchFile }
        var job = SnapshotJob(task, of: file, by: author, at: Date())
        if task == .restore { job.restoreEpoch = await restoreEpoch() }
        let lock = try start(job)
        // This task and the one below are not detached, because error messages use the language of the request.
        Task { [self, job] in
            await run(job) { try await perform(job, repository($0.report), isGood: isGood) }
            withExtendedLifetime(lock) {}
        }
    }

    package func receive(
        ofSize size: Int?, by author: String, isGood: @escaping @Sendable () async throws -> Bool,
        _ next: @Sendable () async throws -> [UInt8]?
    ) async throws {
        let job = SnapshotJob(.upload, of: nil, by: author, at: Date())
        let lock = try start(job)
        let reporter = JobReporter(job: job, file: jobs)
        let file: ReceivedFile
        do {
            file = try ReceivedFile(in: folder.path)
            var count = 0
            while let bytes = try await next() {
                try await file.write(bytes)
                count += bytes.count
                reporter.report(SnapshotProgress(.receiving, done: count, of: size))
            }
            try await file.flush()
            guard count > 0 else { return reporter.fail(localized("The file is empty. Choose another file.")) }
        } catch {
            reporter.fail(error is FileError ? words(error) : localized("The upload is incomplete."))
            if let error = error as? FileError { throw SnapshotLibraryError.unwritable(words(error)) }
            throw error
        }
        Task { [self] in
            await run(job) { try await keep(file, job, repository($0.report), isGood: isGood) }
            withExtendedLifetime(lock) {}
        }
    }

    /// Starts a job and returns its lock. The job holds the lock while it runs.
    private func start(_ job: SnapshotJob) throws(SnapshotLibraryError) -> JobLock {
        do {
            try DataDirectory(path: dataPath).createSnapshotsDirectory()
            guard let lock = try jobs.lock() else { throw SnapshotLibraryError.busy }
            do {
                try jobs.write(job)
            } catch {
                // The result of the previous job must not be taken for the result of this one.
                jobs.remove()
                throw error
            }
            return lock
        } catch let error as SnapshotLibraryError {
            throw error
        } catch {
            throw .unwritable(words(error))
        }
    }

    private func run(_ job: SnapshotJob, _ work: (JobReporter<SnapshotJob>) async throws -> SnapshotJob) async {
        let reporter = JobReporter(job: job, file: jobs)
        do {
            let result = try await work(reporter)
            if job.task != .inspect { await record(result) }
            reporter.finish(result)
        } catch let error as SnapshotError where error.reason == .unanswered {
            // The store is either unchanged or restored, as after the end of its process. It may also complete the
            // restore later.
            var job = job
            job.state = .interrupted
            job.text = words(error)
            await record(job)
            reporter.finish(job)
        } catch {
            reporter.fail(words(error))
        }
    }

    /// Verifies a received file and gives it its final name.
    private func keep(
        _ file: ReceivedFile, _ job: SnapshotJob, _ repository: any SnapshotRepository,
        isGood: @Sendable () async throws -> Bool
    ) async throws -> SnapshotJob {
        let summary = try await repository.verify(file.path)
        guard try await isGood() else { throw AccountEndedError() }
        // The time becomes part of a path, so it is parsed and formatted again: an unparsed text could contain
        // anything.
        let takenAt = Date(rfc3339: summary.createdAt) ?? job.startedAt
        let path = try await BlockingWork.run {
            let path = try DataDirectory(path: dataPath).newSnapshotPath(
                app: app, createdAt: takenAt.rfc3339 ?? "", suffix: SnapshotFile.Origin.uploaded.suffix ?? ""
            )
            try AtomicFile.publish(file.path, as: path)
            return path
        }
        var job = job
        job.file = URL(fileURLWithPath: path).lastPathComponent
        job.state = .done
        return job
    }

    private func perform(
        _ job: SnapshotJob, _ repository: any SnapshotRepository, isGood: @escaping @Sendable () async throws -> Bool
    ) async throws -> SnapshotJob {
        guard try await isGood() else { throw AccountEndedError() }
        var job = job
        let path = folder.path(of: job.file ?? "")
        switch job.task {
        case .take:
            let summary = try await repository.create(
                at: .standard, level: 1, includingSecrets: false, includingHistory: true)
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
            let summary = try await repository.restore(from: path, isGood: isGood) { _ in true }
            guard let restored = summary else { throw CancellationError() }
            job.text = restored.replaced?.path.map { URL(fileURLWithPath: $0).lastPathComponent }
            (job.removed, job.notRemoved) = (restored.removed, restored.notRemoved)
            job.unsaved = restored.unsaved
        // An upload has its own function.
        case .upload: break
        }
        job.state = .done
        return job
    }
}

extension JobReporter<SnapshotJob> {
    fileprivate func report(_ progress: SnapshotProgress) {
        report { $0.progress = progress }
    }

    fileprivate func fail(_ reason: String) {
        finish { job in
            job.state = .failed
            job.text = reason
        }
    }

    fileprivate func finish(_ ended: SnapshotJob) {
        finish { $0 = ended }
    }
}

extension SQLSnapshotLibrary {
    package func job() async -> SnapshotJob? {
        guard var job = jobs.read() else { return nil }
        guard job.task == .restore, job.state == .interrupted, let before = job.restoreEpoch,
            let now = await restoreEpoch()
        else { return job }
        if now != before {
            job.isRestored = true
        } else if job.text == nil {
            job.isRestored = false
        }
        return job
    }

    /// Returns the current restore epoch of the store's file; nil if it cannot be read, and then the job states no
    /// outcome.
    func restoreEpoch() async -> String? {
        // An unreadable epoch is reported as nil.
        try? await BlockingWork.run { [dataPath, engine] in
            try SQLSnapshotRepository.restoreEpoch(data: dataPath, engine: engine)
        }
    }
}
