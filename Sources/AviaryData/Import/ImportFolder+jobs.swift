package import AviaryDomain
import Foundation

extension ImportFolder {
    /// Nil where there is none (any more), or somebody else has it.
    func take(_ id: String, of account: String, for model: String) -> TakenFile? {
        existing(id, account, model).flatMap(TakenFile.init)
    }

    package func begin(
        _ job: ImportJob, of account: String, for model: String,
        _ work: @escaping @Sendable (any ImportSource, any JobNotes<ImportJob>) async -> ImportJob
    ) async throws(ImportFileError) {
        let folder = folder(account, model), jobs = JobFile<ImportJob>(folder: folder)
        guard existing(job.file, account, model) != nil || jobs.read()?.state == .running else { throw .gone }
        let lock = try lock(jobs)
        guard let file = take(job.file, of: account, for: model) else { throw .gone }
        do {
            try jobs.write(job)
        } catch {
            file.giveBack()
            throw .unwritable
        }
        // Not detached: what is wrong is told in the language of who asks.
        Task {
            let reporter = JobReporter(job: job, file: jobs)
            let ended = await work(file, reporter)
            if ended.state == .failed, ended.hasStoredNothing {
                file.giveBack()
                removeOldest(in: folder, but: job.file)
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
            if let last = jobs.read(), last.file == job.file, last.startedAt == job.startedAt { TakenFile.giveBack(folder + "/" + job.file) }
            withExtendedLifetime(lock) {}
        }
        return job
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
