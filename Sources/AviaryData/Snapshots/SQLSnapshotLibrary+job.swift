package import AviaryDomain

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

    /// Returns the current restore epoch of the store's file; nil when it cannot be read, and then nothing is said of
    /// it.
    func restoreEpoch() async -> String? {
        // as above
        try? await BlockingWork.run { [dataPath] in try SQLSnapshotRepository.restoreEpoch(data: dataPath) }
    }
}
