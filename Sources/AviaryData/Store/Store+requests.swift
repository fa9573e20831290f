package import AviaryDomain

extension Store {
    /// The delay before a retry, in seconds. A full queue is processed in less, unless the disk hangs.
    private static let retryDelay = 2

    /// Accepts requests that arrived together, in their order, and answers each when its commit is on disk.
    package nonisolated func write(_ requests: [WriteRequest]) {
        var jobs: [Job] = []
        jobs.reserveCapacity(requests.count)
        for request in requests {
            let answer = request.answer
            let job = job(Job.Work(request.work, tables: tables), before: request.deadline) { result in
                switch result {
                case .success(.stored(let receipt)): answer(.success(receipt))
                case .success(.discarded): answer(.success(nil))
                case .failure(let error): answer(.failure(error))
                }
            }
            if let job { jobs.append(job) }
        }
        guard !jobs.isEmpty else { return }
        executor.run { [jobs] in
            self.assumeIsolated { store in for job in jobs { store.accept(job) } }
        }
    }

    nonisolated func answer(_ work: Job.Work) async throws(StoreError) -> Job.Answer {
        try await perform(work).get()
    }

    private nonisolated func perform(_ work: Job.Work) async -> Result<Job.Answer, StoreError> {
        await withCheckedContinuation { continuation in
            guard let job = job(work, before: nil, answer: { continuation.resume(returning: $0) }) else { return }
            executor.run { self.assumeIsolated { $0.accept(job) } }
        }
    }

    /// A job that is counted until it is answered; nil when there is no room for it, which is an answer too.
    private nonisolated func job(
        _ work: Job.Work, before deadline: MonotonicTime?,
        answer: @escaping @Sendable (Result<Job.Answer, StoreError>) -> Void
    ) -> Job? {
        guard backlog.enter(work) else {
            answer(.failure(.busy(retryAfter: Self.retryDelay)))
            return nil
        }
        return Job(work: work, deadline: deadline) { [backlog] result in
            backlog.leave(work)
            answer(result)
        }
    }
}
