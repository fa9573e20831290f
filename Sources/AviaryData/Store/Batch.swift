import AviaryDomain

/// The jobs of the open transaction. All are answered after its COMMIT, the refused ones too: what they were refused
/// for may be in this very transaction.
struct Batch {
    /// Bounds how long the first of a batch waits, and what is done again when a transaction is lost.
    private static let jobLimit = 512
    private static let changeLimit = 10_000

    private(set) var jobs: [Job] = []
    private(set) var results: [Result<Job.Answer, StoreError>] = []
    private(set) var totals: [String: Int] = [:]
    private var changes = 0
    var storedChangeSets = 0
    var isScheduled = false

    var isFull: Bool { jobs.count >= Self.jobLimit || changes >= Self.changeLimit }

    /// - Parameter entries: How many records the job changed, those that delete rules took along included.
    mutating func append(_ job: Job, _ result: Result<Job.Answer, StoreError>, entries: Int) {
        jobs.append(job)
        results.append(result)
        changes += max(job.work.size, entries)
    }

    mutating func add(_ totals: [String: Int]) {
        self.totals.merge(totals, uniquingKeysWith: +)
    }

    /// Gives every job its result, or all of them the same error.
    func answerAll(failingWith error: StoreError? = nil) {
        for (job, result) in zip(jobs, results) {
            job.answer(error.map(Result.failure) ?? result)
        }
    }
}
