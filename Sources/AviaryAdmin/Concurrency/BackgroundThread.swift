import AviaryDomain
import Foundation
import Synchronization

/// A queue that runs one long task at a time, each on a thread with a lower priority than those that serve
/// requests.
final class BackgroundThread: Sendable {
    /// The reason why a task did not run.
    enum Refusal: Error {
        /// The queue has reached its limit.
        case full(waiting: Int)
        /// The caller was cancelled before its task began.
        case cancelled
    }

    private struct Job: Sendable {
        let ticket: Int
        /// A closure that receives true when the task may begin, and false if its caller was cancelled.
        let begin: @Sendable (Bool) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var nextTicket = 0
        var isWorking = false
    }

    /// The nice value of the threads. On a core that is otherwise busy all the time, the task gets about a quarter
    /// of it. With 10 it would get a tenth, and signing in starves on a busy machine.
    private static let niceness: Int32 = 5

    private let name: String
    private let limit: Int
    private let state = Mutex(State())

    /// Creates a queue.
    ///
    /// - Parameter limit: The largest number of waiting tasks. The running one does not count.
    init(name: String, limit: Int) {
        self.name = name
        self.limit = limit
    }

    /// The number of waiting tasks.
    var length: Int { state.withLock { $0.waiting.count } }

    /// Runs a task when its turn comes. A task that has begun runs to its end, even if its caller is cancelled.
    ///
    /// - Throws: ``Refusal``.
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(Refusal) -> Value {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        let result: Result<Value, Refusal> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let job = Job(ticket: ticket) { hasTurn in
                    continuation.resume(
                        returning: hasTurn
                            ? .success(Thread.withLowPriority(niceness: Self.niceness, work)) : .failure(.cancelled))
                }
                if let refusal = add(job) { continuation.resume(returning: .failure(refusal)) }
            }
        } onCancel: {
            withdraw(ticket)
        }
        return try result.get()
    }

    private func add(_ job: Job) -> Refusal? {
        let (refusal, needsThread): (Refusal?, Bool) = state.withLock { state in
            // A cancellation after this check finds the job in the queue.
            if Task.isCancelled { return (.cancelled, false) }
            guard state.waiting.count < limit else { return (.full(waiting: state.waiting.count), false) }
            state.waiting.append(job)
            defer { state.isWorking = true }
            return (nil, !state.isWorking)
        }
        if needsThread { start() }
        return refusal
    }

    private func withdraw(_ ticket: Int) {
        let job: Job? = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            return state.waiting.remove(at: index)
        }
        job?.begin(false)
    }

    private func start() {
        Thread.detachNewThread { [self] in
            Thread.current.name = name
            while let job = next() { job.begin(true) }
        }
    }

    private func next() -> Job? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWorking = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
