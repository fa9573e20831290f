package import AviaryDomain
import Foundation

extension ImportFolder {
    /// Takes a file; nil when it does not exist any more, or when another process has it.
    func take(_ id: String, of account: String, for model: String) -> TakenFile? {
        existing(id, account, model).flatMap { TakenFile($0) }
    }

    package func begin(
        _ job: ImportJob, of account: String, for model: String,
        _ work: @escaping @Sendable (any ImportSource, any JobNotes<ImportJob>) async -> ImportJob
    ) async throws(ImportFileError) {
        let folder = folder(account, model), jobs = JobFile<ImportJob>(folder: folder)
        guard existing(job.file, account, model) != nil || jobs.read()?.state == .running else { throw .gone }
        let lock = try lock(jobs)
        guard let file = take(job.file, of: account, for: model) else { throw .gone }
        let last = jobs.read()
        do {
            try jobs.write(job)
        } catch {
            file.giveBack()
            throw .unwritable
        }
        if let last, last.file != job.file { Self.giveUp(last, in: folder) }
        run(job, file, in: folder, lock, work)
    }

    package func goOn(
        with id: String, of account: String, for model: String,
        _ work: @escaping @Sendable (ImportJob, any ImportSource, any JobNotes<ImportJob>) async -> ImportJob
    ) async throws(ImportFileError) {
        let folder = folder(account, model), jobs = JobFile<ImportJob>(folder: folder)
        guard waiting(id, account, model) != nil else { throw jobs.read()?.state == .running ? .busy : .gone }
        let lock = try lock(jobs)
        // As long as the lock is held here, nobody has come further with it.
        guard var job = jobs.read(), job.file == id, job.state != .done, let path = waiting(id, account, model),
            let file = TakenFile(leftAs: path)
        else { throw .gone }
        job.goOn()
        do {
            try jobs.write(job)
        } catch {
            file.leave()
            throw .unwritable
        }
        run(job, file, in: folder, lock) { [job] source, notes in await work(job, source, notes) }
    }

    package func isWaiting(_ id: String, of account: String, for model: String) async -> Bool {
        waiting(id, account, model) != nil
    }

    private func run(
        _ job: ImportJob, _ file: TakenFile, in folder: String, _ lock: JobLock,
        _ work: @escaping @Sendable (any ImportSource, any JobNotes<ImportJob>) async -> ImportJob
    ) {
        // Not detached: what is wrong is told in the language of who asks.
        Task {
            let reporter = JobReporter(job: job, file: JobFile(folder: folder))
            let ended = await work(file, reporter)
            if ended.state == .failed {
                if ended.hasStoredNothing {
                    file.giveBack()
                    removeOldest(in: folder, but: job.file)
                } else {
                    file.leave()
                }
            }
            reporter.finish { $0 = ended }
            withExtendedLifetime((file, lock)) {}
        }
    }

    package func job(of account: String, for model: String) async -> ImportJob? {
        let folder = folder(account, model), jobs = JobFile<ImportJob>(folder: folder)
        guard let job = jobs.read() else { return nil }
        // As long as the lock is held here, nobody begins to import the file.
        if job.state == .interrupted, job.hasStoredNothing, let lock = try? jobs.lock() {
            if let last = jobs.read(), last.file == job.file, last.startedAt == job.startedAt {
                TakenFile.giveBack(folder + "/" + job.file)
            }
            withExtendedLifetime(lock) {}
        }
        return job
    }

    /// Gives up a job whose lock the caller has, so that it is not reported any more. Its file can be imported again
    /// only when nothing of it was stored.
    private static func giveUp(_ job: ImportJob, in folder: String) {
        let path = folder + "/" + job.file
        if job.state != .done, job.hasStoredNothing { TakenFile.giveBack(path) } else { TakenFile.remove(path) }
    }

    /// Removes a waiting file, unless it is being imported.
    func removeWaiting(_ id: String, of account: String, for model: String) {
        guard let path = waiting(id, account, model) else { return }
        // While somebody else has the lock, it is read.
        guard let lock = try? JobFile<ImportJob>(folder: folder(account, model)).lock() else { return }
        TakenFile.remove(path)
        withExtendedLifetime(lock) {}
    }

    /// Returns the path of the file before it was taken; nil when it does not exist or is too old.
    private func waiting(_ id: String, _ account: String, _ model: String) -> String? {
        existing(id, account, model, ending: TakenFile.ending)
    }

    private func lock(_ jobs: JobFile<ImportJob>) throws(ImportFileError) -> JobLock {
        do {
            if let lock = try jobs.lock() { return lock }
        } catch {
            throw .unwritable
        }
        throw .busy
    }
}
